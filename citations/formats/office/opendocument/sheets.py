"""Sheets: the rows of a spreadsheet, whose cells hold the text that they show."""

from collections.abc import Iterator
from typing import Any

from citations.formats.office.opendocument.styles import Styles
from citations.formats.office.opendocument.vocabulary import (
    MOST_REPEATED,
    TABLE,
    TEXT,
    Seen,
    number_of,
)
from citations.formats.office.opendocument.walking import cells_of, paragraphs_of, rows_of
from citations.formats.office.spreadsheets.regions import SheetRow, add_rows
from citations.formats.reading import Progress
from citations.formats.sections import MAX_CELLS, Sections

LONGEST_NAME = 200
# Rows under one merged cell that have its text, too.
MOST_SPANNED = 1000


def add_sheets(
    body: Any, styles: Styles, sections: Sections, seen: Seen, progress: Progress
) -> None:
    """Add the rows of each sheet that is shown, under its name."""
    sheets = list(body.iterchildren(f"{TABLE}table"))
    for at, sheet in enumerate(sheets):
        progress(at, len(sheets))
        if styles.is_hidden(sheet):
            seen.has_hidden = True
            continue
        name = sheet.get(f"{TABLE}name", "")[:LONGEST_NAME]
        add_rows(SheetRows(sheet, styles, seen), sections, name=name)


class SheetRows:
    """The rows of a sheet in order, each with the text of the cells that it is merged with."""

    def __init__(self, sheet: Any, styles: Styles, seen: Seen) -> None:
        self._sheet = sheet
        self._styles = styles
        self._seen = seen
        self._hidden = hidden_columns(sheet)
        # By column: how many rows below still have the text of a merged cell.
        self._merged: dict[int, tuple[int, str]] = {}

    def __iter__(self) -> Iterator[SheetRow]:
        for row, _ in rows_of(self._sheet):
            if row.get(f"{TABLE}visibility") == "collapse":
                self._seen.has_hidden = True
                continue
            found = self._row(row)
            times = number_of(row.get(f"{TABLE}number-rows-repeated"))
            for _ in range(min(times, MOST_REPEATED if found.filled else 1)):
                yield found

    def _row(self, row: Any) -> SheetRow:
        cells: list[str] = []
        bold: list[bool] = []
        across: list[tuple[int, int]] = []
        for cell in cells_of(row):
            times = number_of(cell.get(f"{TABLE}number-columns-repeated"))
            text = " ".join(filter(None, map(text_of, paragraphs_of(cell))))
            for _ in range(min(times, MAX_CELLS - len(cells))):
                at = len(cells)
                rows = number_of(cell.get(f"{TABLE}number-rows-spanned"))
                columns = number_of(cell.get(f"{TABLE}number-columns-spanned"))
                if rows > 1 or columns > 1:
                    across += [(at, min(at + columns, MAX_CELLS))]
                    self._begin(at, rows, columns, text)
                cells.append(self._shown(at, text))
            bold += [self._styles.is_bold(cell)] if text else []
        if len(bold) > 1:
            for first, end in across:
                cells += [""] * (end - len(cells))
                cells[first:end] = [cells[first]] * (end - first)
        seen = [cell for at, cell in enumerate(cells) if at not in self._hidden]
        self._seen.has_hidden = self._seen.has_hidden or any(
            cells[at] for at in self._hidden if at < len(cells)
        )
        return SheetRow(seen, is_header=len(bold) > 1 and all(bold))

    def _begin(self, at: int, rows: int, columns: int, text: str) -> None:
        if rows > 1 and rows * columns <= MOST_SPANNED:
            for column in range(at, min(at + columns, MAX_CELLS)):
                self._merged[column] = rows, text

    def _shown(self, at: int, text: str) -> str:
        left, above = self._merged.get(at, (0, ""))
        if left:
            self._merged[at] = left - 1, above
        return text or (above if left else "")


def hidden_columns(sheet: Any) -> set[int]:
    found: set[int] = set()
    at = 0
    for column in sheet.iter(f"{TABLE}table-column"):
        count = min(number_of(column.get(f"{TABLE}number-columns-repeated")), MAX_CELLS)
        if column.get(f"{TABLE}visibility") == "collapse":
            found.update(range(at, min(at + count, MAX_CELLS)))
        at += count
    return found


def text_of(paragraph: Any) -> str:
    words = (
        " " if isinstance(each, str) and not each.strip() else str(each)
        for each in paragraph.itertext()
    )
    return " ".join("".join(words).split()) if paragraph.tag == f"{TEXT}p" else ""
