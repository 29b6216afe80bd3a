"""Workbook: the sheets of a file of Excel that are shown, and how its cells are."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from math import isfinite
from typing import Any

from lxml import etree

from citations.formats.office import RELATED, main_part, relations
from citations.formats.office.archive import SAFE, Parts
from citations.formats.office.spreadsheets.number_formats import BUILT_IN, shown

S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
WORKBOOK = "xl/workbook.xml"
MOST_SHEETS = 1000
LONGEST_NAME = 200


@dataclass(frozen=True)
class Sheet:
    """A sheet that is shown: its name, and the part that has its cells."""

    name: str
    part: str


@dataclass
class SharedStrings:
    """The texts that cells name by number, read as far as they are asked for."""

    elements: Iterator[Any]
    found: list[str] = field(default_factory=list)

    def at(self, place: int) -> str:
        if place < 0:
            return ""
        while len(self.found) <= place:
            element = next(self.elements, None)
            if element is None:
                return ""
            self.found.append(text_of_string(element))
            set_free(element)
        return self.found[place]


@dataclass(frozen=True)
class CellStyle:
    """How a cell looks."""

    form: str = ""
    is_bold: bool = False


class Workbook:
    """What the sheets of a file have in common."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        part = main_part(parts, WORKBOOK)
        root = parts.xml(part)
        related = relations(parts, part)
        settings = root.find(f"{S}workbookPr")
        self._is_1904 = settings is not None and settings.get("date1904") in ("1", "true")
        named = {each.kind: each.part for each in related.values()}
        listed = list(root.iter(f"{S}sheet"))[:MOST_SHEETS]
        seen = [each for each in listed if each.get("state", "visible") == "visible"]
        self.has_hidden = len(seen) < len(listed)
        self.sheets = [
            Sheet(each.get("name", "")[:LONGEST_NAME], found.part)
            for each in seen
            if (found := related.get(each.get(f"{RELATED}id", ""))) and found.kind == "worksheet"
        ]
        strings = named.get("sharedStrings", "")
        self._strings = SharedStrings(elements(parts, strings, "si") if strings else iter(()))
        styles = named.get("styles", "")
        self._styles = cell_styles(parts.xml(styles)) if parts.has(styles) else []

    def style(self, cell: Any) -> CellStyle:
        number = whole(cell.get("s", ""))
        return self._styles[number] if 0 <= number < len(self._styles) else CellStyle()

    def text(self, cell: Any) -> str:
        """Return what the cell shows; of a formula the result that is kept with it."""
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            inside = cell.find(f"{S}is")
            return text_of_string(inside) if inside is not None else ""
        value = (cell.findtext(f"{S}v") or "").strip()
        if kind == "s":
            return self._strings.at(whole(value))
        if kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        if kind != "n" or not value:
            return value
        try:
            number = float(value)
        except ValueError:
            return value
        form = self.style(cell).form
        return shown(number, form, is_1904=self._is_1904) if isfinite(number) else value


def whole(text: str) -> int:
    """Return a number that stands for a place, or one that is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else -1


def elements(parts: Parts, name: str, *tags: str) -> Iterator[Any]:
    """Yield the elements of a part, one at a time: a sheet may have a million of them."""
    wanted = [f"{S}{tag}" for tag in tags]
    for _, element in etree.iterparse(BytesIO(parts.content(name)), tag=wanted, **SAFE):
        yield element


def set_free(element: Any) -> None:
    """Let go of an element that was read, and of those before it."""
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]


def text_of_string(element: Any) -> str:
    """Return the text of a string in one or in several fonts, without how it is pronounced."""
    found = []
    for child in element:
        if child.tag == f"{S}t":
            found.append(child.text or "")
        elif child.tag == f"{S}r":
            found.append(child.findtext(f"{S}t") or "")
    return " ".join("".join(found).split())


def cell_styles(root: Any) -> list[CellStyle]:
    """Return the styles by their numbers."""
    forms = dict(BUILT_IN)
    for each in root.iter(f"{S}numFmt"):
        forms[whole(each.get("numFmtId", ""))] = each.get("formatCode", "")
    fonts = [each.find(f"{S}b") for each in root.iterfind(f"{S}fonts/{S}font")]
    bold = {at for at, each in enumerate(fonts) if each is not None and each.get("val") != "0"}
    return [
        CellStyle(
            forms.get(whole(each.get("numFmtId", "")), ""), whole(each.get("fontId", "")) in bold
        )
        for each in root.iterfind(f"{S}cellXfs/{S}xf")
    ]
