"""XLSX: the sheets of a workbook of Excel as a person sees them, under their names.

Read from its XML by ourselves: openpyxl gives numbers without the form that they are shown in, in
its frugal mode neither merged nor hidden cells, and in the other it holds the whole workbook.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from citations.formats.office import about
from citations.formats.office.archive import Parts
from citations.formats.office.spreadsheets.regions import SheetRow, add_rows
from citations.formats.office.spreadsheets.workbook import (
    S,
    Sheet,
    Workbook,
    elements,
    set_free,
    whole,
)
from citations.formats.reading import (
    BadFile,
    FileReading,
    Note,
    Progress,
    ReadingLimits,
    silent,
)
from citations.formats.sections import MAX_CELLS, Sections

GLANCE = 2000  # characters in which text is looked for at first
LETTERS = re.compile(r"[A-Z]{1,3}")
MERGED = re.compile(
    rb'<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]{1,3})([1-9]\d{0,6}):([A-Z]{1,3})([1-9]\d{0,6})"'
)
# Of merged cells: the rows that they are in, and the cells that get the text of one.
MOST_MERGED, MOST_SPANNED = 100_000, 1000


@dataclass
class SheetWalk:
    """Goes through the rows of a sheet and notes what is not shown."""

    book: Workbook
    sheet: Sheet
    has_hidden: bool = False
    lacks_results: bool = False
    _hidden: set[int] = field(default_factory=set)
    _is_filtered: bool = False

    def rows(self) -> Iterator[SheetRow]:
        """Yield the rows in order, with empty ones where rows are left out."""
        merged = Merged(self.book.parts.content(self.sheet.part))
        before = 0
        wanted = ("sheetPr", "col", "row")
        for element in elements(self.book.parts, self.sheet.part, *wanted):
            if element.tag == f"{S}sheetPr":
                self._is_filtered = element.get("filterMode") in ("1", "true")
            elif element.tag == f"{S}col":
                self._column(element)
            else:
                number = whole(element.get("r", ""))
                number = number if number > before else before + 1
                row = self._row(element, number, merged)
                if number > before + 1:
                    yield SheetRow([])
                if row is not None:
                    yield row
                before = number
                set_free(element)

    def _column(self, element: Any) -> None:
        if element.get("hidden") in ("1", "true"):
            first, last = whole(element.get("min", "")), whole(element.get("max", ""))
            self._hidden.update(range(first - 1, min(last, MAX_CELLS)))

    def _row(self, element: Any, number: int, merged: "Merged") -> SheetRow | None:
        # A row that a filter hides for the moment is there all the same.
        if element.get("hidden") in ("1", "true") and not self._is_filtered:
            self.has_hidden = self.has_hidden or len(element) > 0
            return None
        cells: list[str] = []
        bold: list[bool] = []
        for cell in element.iterfind(f"{S}c"):
            at = column_of(cell.get("r", ""))
            at = at if at >= len(cells) else len(cells)
            text = self.book.text(cell)
            if at >= MAX_CELLS or not text:
                self.lacks_results = self.lacks_results or cell.find(f"{S}f") is not None
                continue
            if at in self._hidden:
                self.has_hidden = True
                continue
            cells += [""] * (at - len(cells)) + [text]
            bold.append(self.book.style(cell).is_bold)
        return SheetRow(merged.filled(number, cells), is_header=len(bold) > 1 and all(bold))


class Merged:
    """The cells that are merged, which stand behind the rows in a sheet."""

    def __init__(self, content: bytes) -> None:
        # By row: the first and last column, and the row that has the text.
        self._spans: dict[int, list[tuple[int, int, int]]] = {}
        self._texts: dict[tuple[int, int], str] = {}
        room = MOST_MERGED
        for match in MERGED.finditer(content, max(content.rfind(b"sheetData"), 0)):
            left, right = (column_of(match[at].decode()) for at in (1, 3))
            top, bottom = int(match[2]), int(match[4])
            if left >= MAX_CELLS or (right - left + 1) * (bottom - top + 1) > MOST_SPANNED:
                continue
            room -= max(bottom + 1 - top, 1)
            if room < 0:
                return
            for row in range(top, bottom + 1):
                self._spans.setdefault(row, []).append((left, min(right, MAX_CELLS - 1), top))

    def filled(self, row: int, cells: list[str]) -> list[str]:
        """Return the cells of a row, each with the text of those that it is merged with."""
        for left, right, top in self._spans.get(row, ()):
            if row == top:
                self._texts[top, left] = cells[left] if left < len(cells) else ""
                if right == left or sum(map(bool, cells)) < 2:  # a title across the table
                    continue
            cells += [""] * (right + 1 - len(cells))
            cells[left : right + 1] = [self._texts.get((top, left), "")] * (right + 1 - left)
        return cells


def column_of(reference: str) -> int:
    """Return the place of a column, counted from 0, or -1: of "B7" it is 1."""
    letters = LETTERS.match(reference)
    place = 0
    for letter in letters[0] if letters else "":
        place = place * 26 + ord(letter) - ord("A") + 1
    return place - 1


def inspect(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Return the properties, after looking whether there is text."""
    book = Workbook(Parts(data))
    glance = Sections(ReadingLimits(pages=0, characters=GLANCE))
    for sheet in book.sheets:
        add_rows(SheetWalk(book, sheet).rows(), glance)
        if glance.finished(""):
            break
    else:
        raise BadFile("empty")
    described = about(book.parts)
    return FileReading(title=described.title, authors=described.authors)


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the rows of each sheet that is shown."""
    book = Workbook(Parts(data))
    sections = Sections(limits)
    walks = [SheetWalk(book, sheet) for sheet in book.sheets]
    for at, walk in enumerate(walks):
        progress(at, len(walks))
        add_rows(walk.rows(), sections, name=walk.sheet.name)
    notes = list(sections.unread)
    if book.has_hidden or any(walk.has_hidden for walk in walks):
        notes.append(Note("hidden"))
    if any(walk.lacks_results for walk in walks):
        notes.append(Note("no_results"))
    described = about(book.parts)
    found = sections.finished(described.title)
    return FileReading(
        title=described.title, sections=found, authors=described.authors, unread=notes
    )
