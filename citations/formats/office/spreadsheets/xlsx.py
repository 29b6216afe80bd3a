"""XLSX: the sheets of a workbook of Excel, with comments, charts and hidden parts.

We read the XML ourselves: calamine knows no number formats and crashes on a cell far away. openpyxl
is slow and doesn't format numbers either.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO
from math import isfinite
from typing import Any

from lxml import etree

from citations.formats.office import RELATED, describe, finish_reading, main_part, read_relations
from citations.formats.office.archive import SAFE, Parts
from citations.formats.office.asides import format_image_text
from citations.formats.office.drawings import add_chart, read_paragraph
from citations.formats.office.number_formats import BUILT_IN, format_number
from citations.formats.office.spreadsheets.sheets import (
    MOST_SHEETS,
    Comment,
    Place,
    Sheet,
    SheetRow,
    add_sheet,
    enter_sheet,
    may_read,
    split_margin,
)
from citations.formats.parts import PartKind, Reason
from citations.formats.reading import FileReading, Progress, ReadingLimits
from citations.formats.scripts import format_run
from citations.formats.sections import MAX_CELLS, Sections
from citations.formats.tables import Cell

S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
WORKBOOK = "xl/workbook.xml"
YES = ("1", "true")
REFERENCE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})")
MERGED = re.compile(
    rb"<(?:\w+:)?mergeCell\s[^<>]{0,200}?ref=\"([A-Z]+[1-9]\d{0,6}):([A-Z]+[1-9]\d{0,6})\""
)
# What XML can't hold: "_x000D_".
ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
MOST_MERGED, MOST_COLUMNS = 100_000, 16_384


class Workbook:
    """The sheets of a file, with its shared strings, styles and people."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        part = main_part(parts, WORKBOOK)
        root = parts.xml(part)
        self._related = read_relations(parts, part)
        named = {each.kind: each.part for each in self._related.values()}
        self._is_1904 = any(each.get("date1904") in YES for each in root.iter(f"{S}workbookPr"))
        self.listed = list(root.iter(f"{S}sheet"))
        strings = named.get("sharedStrings", "")
        self._strings: list[str] = []
        self._left = read_elements(parts, strings, "si") if strings else iter(())
        styles = named.get("styles", "")
        self._styles = list(read_cell_styles(parts.xml(styles))) if parts.has(styles) else []
        people = parts.xml(named["person"]).iter("{*}person") if "person" in named else ()
        self.people = {each.get("id", ""): each.get("displayName", "") for each in people}
        # The number of formulas without a stored result.
        self.unsaved = 0

    def sheets(self) -> Iterator[tuple[Sheet, str]]:
        """Yield the sheets with the names of their parts."""
        for each in self.listed[:MOST_SHEETS]:
            found = self._related.get(each.get(f"{RELATED}id", ""))
            if found and found.kind in ("worksheet", "chartsheet"):
                is_hidden = each.get("state", "visible") != "visible"
                sheet = Sheet(each.get("name", ""), (), is_hidden)
                sheet.rows = self._rows(sheet, found.part)
                yield sheet, found.part

    def _rows(self, sheet: Sheet, part: str) -> Iterator[SheetRow]:
        sheet.merged = dict(find_merged_cells(self.parts.content(part)))
        is_filtered = False
        before = -1
        for element in read_elements(self.parts, part, "sheetPr", "col", "row", "headerFooter"):
            if element.tag == f"{S}sheetPr":
                is_filtered = element.get("filterMode") in YES
            elif element.tag == f"{S}col" and element.get("hidden") in YES:
                first, last = (
                    parse_whole_number(element.get("min", "")),
                    parse_whole_number(element.get("max", "")),
                )
                sheet.hidden_columns.update(range(first - 1, min(last, MOST_COLUMNS)))
            elif element.tag == f"{S}headerFooter":
                for each in element.iterchildren("*"):
                    sheet.headers += split_margin(each.text or "")
            elif element.tag == f"{S}row":
                before = max(parse_whole_number(element.get("r", "")) - 1, before + 1)
                # Rows hidden by a filter only count as shown.
                if element.get("hidden") in YES and not is_filtered:
                    sheet.hidden_rows.add(before)
                yield before, self._cells(element)
                set_free(element)

    def _cells(self, row: Any) -> dict[int, Cell]:
        found: dict[int, Cell] = {}
        at = -1
        for cell in row.iterchildren(f"{S}c"):
            at = max(find_place(cell.get("r", ""))[1], at + 1)
            form, is_bold, is_struck = self._style(cell)
            if at < MOST_COLUMNS and (text := self._text(cell, form)):
                found[at] = Cell(format_run("", text, is_struck=is_struck), is_header=is_bold)
        is_header = len(found) > 1 and all(cell.is_header for cell in found.values())
        return found if is_header else {at: Cell(cell.text) for at, cell in found.items()}

    def _style(self, cell: Any) -> tuple[str, bool, bool]:
        number = parse_whole_number(cell.get("s", ""))
        return self._styles[number] if 0 <= number < len(self._styles) else ("", False, False)

    def _text(self, cell: Any, form: str) -> str:
        """Return the text of a cell; for a formula, its stored result."""
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return " ".join(map(read_string, cell.iterchildren(f"{S}is")))
        value = (cell.findtext(f"{S}v") or "").strip()
        if not value and cell.find(f"{S}f") is not None:
            self.unsaved += 1
        if kind == "s":
            return self._string(parse_whole_number(value))
        if kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        if kind != "n" or not value:
            return value
        try:
            number = float(value)
        except ValueError:
            return value
        return format_number(number, form, is_1904=self._is_1904) if isfinite(number) else value

    def _string(self, place: int) -> str:
        """Return a shared string; they are read on demand."""
        while 0 <= len(self._strings) <= place:
            element = next(self._left, None)
            if element is None:
                return ""
            self._strings.append(read_string(element))
            set_free(element)
        return self._strings[place] if place >= 0 else ""


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the tables of each sheet, with its charts, pictures and comments."""
    parts, sections = Parts(data), Sections(limits)
    book = Workbook(parts)
    for at, (sheet, part) in enumerate(book.sheets()):
        progress(at, len(book.listed))
        if may_read(sheet, sections, limits):
            sheet.comments = list(read_comments(parts, part, book.people))
            add_sheet(sheet, sections, limits)
            add_drawings(parts, part, sections, sheet)
    counts = sections.parts
    counts.count(PartKind.SHEET, len(book.listed) - MOST_SHEETS, unread=Reason.BEYOND_LIMIT)
    counts.count(PartKind.FORMULA, book.unsaved, unread=Reason.NO_VALUE)
    return finish_reading(describe(parts), "", sections)


# --- Comments and drawings ------------------------------------------------------------------------


def read_comments(parts: Parts, part: str, people: dict[str, str]) -> Iterator[Comment]:
    """Yield the comments of a sheet; the old comment of a thread is a copy and is left out."""
    related = list(read_relations(parts, part).values())
    threads = [each.part for each in related if each.kind == "threadedComment"]
    threaded: set[Place] = set()
    for root in map(parts.xml, threads):
        for each in root.iter("{*}threadedComment"):
            place = find_place(each.get("ref", ""))
            threaded.add(place)
            text = " ".join((each.findtext("{*}text") or "").split())
            yield Comment(place, people.get(each.get("personId", ""), ""), text)
    for root in (parts.xml(each.part) for each in related if each.kind == "comments"):
        authors = [each.text or "" for each in root.iter(f"{S}author")]
        for each in root.iter(f"{S}comment"):
            number = parse_whole_number(each.get("authorId", ""))
            author = authors[number] if 0 <= number < len(authors) else ""
            text = " ".join("".join(node.text or "" for node in each.iter(f"{S}t")).split())
            if text and (place := find_place(each.get("ref", ""))) not in threaded:
                yield Comment(place, author, text.removeprefix(f"{author}:").strip())


def add_drawings(parts: Parts, part: str, sections: Sections, sheet: Sheet) -> None:
    """Add the charts, text boxes and picture descriptions of a sheet."""
    drawings = [
        each.part for each in read_relations(parts, part).values() if each.kind == "drawing"
    ]
    for drawing in drawings:
        enter_sheet(sheet, sections)
        root = parts.xml(drawing)
        for shape in root.iter("{*}sp"):
            text = "\n".join(filter(None, map(read_paragraph, shape.iter("{*}p"))))
            sections.paragraph(text)
            sections.parts.count(PartKind.TEXT_BOX, int(bool(text)))
        for picture in root.iter("{*}pic"):
            text = next((each.get("descr", "") for each in picture.iter("{*}cNvPr")), "")
            sections.paragraph(format_image_text(text, sections))
        for each in read_relations(parts, drawing).values():
            if each.kind == "chart":
                add_chart(parts.xml(each.part), sections)
            elif each.kind == "chartEx":
                sections.parts.count(PartKind.CHART, unread=Reason.UNSUPPORTED)


# --- XML ------------------------------------------------------------------------------------------


def find_merged_cells(content: bytes) -> Iterator[tuple[Place, tuple[int, int]]]:
    """Yield the first place of merged cells, and the numbers of rows and columns they cover.

    In the file they come after the rows that need them.
    """
    found = MERGED.finditer(content, max(content.rfind(b"sheetData"), 0))
    for match, _ in zip(found, range(MOST_MERGED), strict=False):
        (top, left), (bottom, right) = (find_place(match[at].decode()) for at in (1, 2))
        yield (top, left), (max(bottom - top + 1, 1), max(right - left + 1, 1))


def find_place(reference: str) -> Place:
    """Return the row and column of a reference, from 0: of "B7", 6 and 1; of an invalid one, -1."""
    found = REFERENCE.fullmatch(reference)
    return (int(found[2]) - 1, parse_column(found[1])) if found else (-1, -1)


@lru_cache(maxsize=MAX_CELLS)
def parse_column(letters: str) -> int:
    place = 0
    for letter in letters:
        place = place * 26 + ord(letter) - ord("A") + 1
    return place - 1


def parse_whole_number(text: str) -> int:
    """Return a number in an attribute, or -1."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else -1


def read_elements(parts: Parts, name: str, *tags: str) -> Iterator[Any]:
    """Yield the elements of a part, one at a time: a sheet may have a million of them."""
    wanted = [f"{S}{tag}" for tag in tags]
    for _, element in etree.iterparse(BytesIO(parts.content(name)), tag=wanted, **SAFE):
        yield element


def set_free(element: Any) -> None:
    """Release an element that was read, and those before it."""
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]


def read_string(element: Any) -> str:
    """Return the text of a string in one or several fonts, without phonetic text."""
    text = element.findtext(f"{S}t") or ""
    for run in element.iterfind(f"{S}r"):
        place = run.find(f"{S}rPr/{S}vertAlign")
        position = "" if place is None else place.get("val", "")
        is_struck = run.find(f"{S}rPr/{S}strike") is not None
        text += format_run(text[-20:], run.findtext(f"{S}t") or "", position, is_struck=is_struck)
    text = ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    return " ".join(text.split())


def read_cell_styles(root: Any) -> Iterator[tuple[str, bool, bool]]:
    """Yield each style's number format, and whether it is bold or struck, in order."""
    forms = dict(BUILT_IN)
    for each in root.iter(f"{S}numFmt"):
        forms[parse_whole_number(each.get("numFmtId", ""))] = each.get("formatCode", "")
    fonts = list(root.iterfind(f"{S}fonts/{S}font"))
    bold, struck = (
        {
            at
            for at, font in enumerate(fonts)
            for each in font.iterchildren(tag)
            if each.get("val") != "0"
        }
        for tag in (f"{S}b", f"{S}strike")
    )
    for each in root.iterfind(f"{S}cellXfs/{S}xf"):
        font = parse_whole_number(each.get("fontId", ""))
        form = forms.get(parse_whole_number(each.get("numFmtId", "")), "")
        yield form, font in bold, font in struck
