"""Sheets: the rows of a spreadsheet, with the text that each cell shows."""

from collections.abc import Iterator
from typing import Any

from citations.formats.office import DC, parse_number
from citations.formats.office.opendocument.styles import Styles
from citations.formats.office.opendocument.vocabulary import (
    DRAW,
    MOST_REPEATED,
    OFFICE,
    TABLE,
    TEXT,
)
from citations.formats.office.opendocument.walking import (
    TextWalk,
    list_paragraphs,
    read_cells,
    read_rows,
)
from citations.formats.office.spreadsheets.sheets import (
    MOST_SHEETS,
    Comment,
    Sheet,
    SheetRow,
    add_sheet,
    enter_sheet,
    may_read,
)
from citations.formats.parts import PartKind, Parts, Reason
from citations.formats.reading import Progress, ReadingLimits
from citations.formats.scripts import format_run
from citations.formats.sections import MAX_CELLS
from citations.formats.tables import Cell

# Fields of headers and footers that are not about the work.
COUNTED = [f"{TEXT}{name}" for name in ("page-number", "page-count", "sheet-name", "title", "date")]
COUNTED += [f"{TEXT}{name}" for name in ("time", "file-name")]


def add_sheets(body: Any, walk: TextWalk, limits: ReadingLimits, progress: Progress) -> None:
    """Add the tables of each sheet under its name, with its comments and drawings."""
    styles, sections = walk.styles, walk.sections
    for kind in ("header", "footer"):
        walk.add_margins(kind, COUNTED)
    listed = list(body.iterchildren(f"{TABLE}table"))
    for at, element in enumerate(listed[:MOST_SHEETS]):
        progress(at, len(listed))
        sheet = Sheet(element.get(f"{TABLE}name", ""), (), styles.is_hidden(element))
        sheet.rows = read_sheet_rows(sheet, element, styles, sections.parts)
        if may_read(sheet, sections, limits):
            sheet.hidden_columns = find_hidden_columns(element)
            add_sheet(sheet, sections, limits)
            for frame in element.iter(f"{DRAW}frame"):
                enter_sheet(sheet, sections)
                walk.add([frame])
    beyond = len(listed) - MOST_SHEETS
    sections.parts.count(PartKind.SHEET, beyond, unread=Reason.BEYOND_LIMIT)


def read_sheet_rows(sheet: Sheet, element: Any, styles: Styles, parts: Parts) -> Iterator[SheetRow]:
    """Yield the filled rows with their repetitions, within bounds."""
    number = 0
    for row, _ in read_rows(element):
        times = parse_number(row.get(f"{TABLE}number-rows-repeated"))
        cells = read_row(sheet, row, number, styles, parts)
        for at in range(min(times, MOST_REPEATED) if cells else 0):
            if row.get(f"{TABLE}visibility") in ("collapse", "filter"):
                sheet.hidden_rows.add(number + at)
            yield number + at, dict(cells)
        parts.count(PartKind.ROW, (times - MOST_REPEATED) * bool(cells), unread=Reason.BEYOND_LIMIT)
        number += times


def read_row(sheet: Sheet, row: Any, number: int, styles: Styles, parts: Parts) -> dict[int, Cell]:
    """Return the filled cells of a row; record merged cells and comments."""
    found: dict[int, str] = {}
    bold: list[bool] = []
    at = 0
    for cell in read_cells(row):
        times = parse_number(cell.get(f"{TABLE}number-columns-repeated"))
        text = " ".join(filter(None, map(read_text, list_paragraphs(cell))))
        spans = [
            parse_number(cell.get(f"{TABLE}number-{side}-spanned")) for side in ("rows", "columns")
        ]
        if text and max(spans) > 1:
            sheet.merged[number, at] = spans[0], spans[1]
        if text:
            bold.append(styles.is_bold(cell))
            text = format_run("", text, is_struck=styles.is_struck(cell))
            found |= dict.fromkeys(range(at, at + min(times, MAX_CELLS)), text)
        elif cell.get(f"{TABLE}formula"):
            parts.count(PartKind.FORMULA, unread=Reason.NO_VALUE)
        for note in cell.iterchildren(f"{OFFICE}annotation"):
            said = " ".join(filter(None, map(read_text, note.iter(f"{TEXT}p"))))
            author = note.findtext(f"{DC}creator") or ""
            sheet.comments.append(Comment((number, at), author.strip(), said))
        at += times
    is_header = len(bold) > 1 and all(bold)
    return {at: Cell(text, is_header=is_header) for at, text in found.items()}


def find_hidden_columns(element: Any) -> set[int]:
    found: set[int] = set()
    at = 0
    for column in element.iter(f"{TABLE}table-column"):
        count = parse_number(column.get(f"{TABLE}number-columns-repeated"))
        if column.get(f"{TABLE}visibility") == "collapse":
            found.update(range(at, at + min(count, MAX_CELLS)))
        at += count
    return found


def read_text(paragraph: Any) -> str:
    words = (
        " " if isinstance(each, str) and not each.strip() else str(each)
        for each in paragraph.itertext()
    )
    return " ".join("".join(words).split()) if paragraph.tag == f"{TEXT}p" else ""
