"""XLS: the sheets of a workbook of Excel 5.0 to 2003 as a person sees them, under their names.

By xlrd, which is Python, so that a damaged file can fail but not break out, and says in which form
numbers are shown, what is bold, merged and hidden.
"""

from collections.abc import Iterator
from typing import Any

import xlrd
from xlrd.sheet import Sheet

from citations.formats.cleaning import names, sensible_title
from citations.formats.office.compound import Nowhere
from citations.formats.office.spreadsheets.number_formats import BUILT_IN, shown
from citations.formats.office.spreadsheets.regions import SheetRow, add_rows
from citations.formats.reading import BadFile, FileReading, Note, Progress, ReadingLimits, silent
from citations.formats.sections import MAX_CELLS, Sections

GLANCE = 2000  # characters in which text is looked for at first
MOST_SHEETS = 1000
MOST_MERGED, MOST_SPANNED = 100_000, 1000
BOLD = 600  # of a font's weight
ENCRYPTED = "encrypted"  # what xlrd says of a file with a password


def inspect(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Return the properties, after looking whether there is text."""
    book = opened(data)
    glance = Sections(ReadingLimits(pages=0, characters=GLANCE))
    for sheet in shown_sheets(book):
        add_rows(rows_of(book, sheet), glance)
        if glance.finished(""):
            return FileReading(authors=names(book.user_name or ""))
    raise BadFile("empty")


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the rows of each sheet that is shown."""
    book = opened(data)
    sections = Sections(limits)
    seen = shown_sheets(book)
    for at, sheet in enumerate(seen):
        progress(at, len(seen))
        add_rows(rows_of(book, sheet), sections, name=sensible_title(sheet.name) or sheet.name)
    has_hidden = len(seen) < min(book.nsheets, MOST_SHEETS) or any(map(hides, seen))
    notes = [*sections.unread, *[Note("hidden")] * has_hidden]
    return FileReading(
        sections=sections.finished(""), authors=names(book.user_name or ""), unread=notes
    )


def opened(data: bytes) -> Any:
    """Open the workbook, or raise BadFile."""
    try:
        return xlrd.open_workbook(
            file_contents=data, logfile=Nowhere(), formatting_info=True, ragged_rows=True
        )
    except xlrd.XLRDError as error:
        raise BadFile("encrypted" if ENCRYPTED in str(error) else "broken") from error


def shown_sheets(book: Any) -> list[Sheet]:
    return [sheet for sheet in book.sheets()[:MOST_SHEETS] if sheet.visibility == 0]


def hides(sheet: Sheet) -> bool:
    """Return whether rows or columns of the sheet are hidden."""
    hidden = (
        info.hidden for infos in (sheet.rowinfo_map, sheet.colinfo_map) for info in infos.values()
    )
    return any(hidden)


def rows_of(book: Any, sheet: Sheet) -> Iterator[SheetRow]:
    """Yield the rows in order, with an empty one where a row is hidden."""
    merged = merged_by_row(sheet)
    hidden = {at for at, info in sheet.colinfo_map.items() if info.hidden}
    texts: dict[tuple[int, int], str] = {}
    for number in range(sheet.nrows):
        info = sheet.rowinfo_map.get(number)
        if info is not None and info.hidden:
            yield SheetRow([])
            continue
        length = min(sheet.row_len(number), MAX_CELLS)
        cells = ["" if at in hidden else text_of(book, sheet, number, at) for at in range(length)]
        filled = [at for at, cell in enumerate(cells) if cell]
        bold = [is_bold(book, sheet, number, at) for at in filled]
        for left, right, top in merged.get(number, ()):
            spread(cells, texts, (left, right), top, number)
        yield SheetRow(cells, is_header=len(bold) > 1 and all(bold))


def merged_by_row(sheet: Sheet) -> dict[int, list[tuple[int, int, int]]]:
    """Return by row the first and the last column that are merged, and the row with the text."""
    found: dict[int, list[tuple[int, int, int]]] = {}
    room = MOST_MERGED
    for top, bottom, left, right in sheet.merged_cells:
        room -= max(bottom - top, 1)
        if room < 0:
            break
        if left < MAX_CELLS and (right - left) * (bottom - top) <= MOST_SPANNED:
            for row in range(top, bottom):
                found.setdefault(row, []).append((left, min(right, MAX_CELLS) - 1, top))
    return found


def spread(
    cells: list[str],
    texts: dict[tuple[int, int], str],
    columns: tuple[int, int],
    top: int,
    number: int,
) -> None:
    """Give each of the merged cells of a row the text of those, but for a title's."""
    left, right = columns
    if number == top:
        texts[top, left] = cells[left] if left < len(cells) else ""
        if right == left or sum(map(bool, cells)) < 2:
            return
    cells += [""] * (right + 1 - len(cells))
    cells[left : right + 1] = [texts.get((top, left), "")] * (right + 1 - left)


def text_of(book: Any, sheet: Sheet, row: int, column: int) -> str:
    """Return what the cell shows; of a formula the result that is kept with it."""
    kind, value = sheet.cell_type(row, column), sheet.cell_value(row, column)
    if kind == xlrd.XL_CELL_BOOLEAN:
        return "TRUE" if value else "FALSE"
    if kind == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(value, ""))
    if kind not in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE):
        return " ".join(str(value).split())
    look = look_of(book, sheet, row, column)
    key = look.format_key if look else 0
    known = book.format_map.get(key)
    form = BUILT_IN.get(key) or (known.format_str if known else "")
    return shown(value, form, is_1904=bool(book.datemode))


def is_bold(book: Any, sheet: Sheet, row: int, column: int) -> bool:
    look = look_of(book, sheet, row, column)
    is_known = look is not None and look.font_index < len(book.font_list)
    return is_known and book.font_list[look.font_index].weight >= BOLD


def look_of(book: Any, sheet: Sheet, row: int, column: int) -> Any:
    """Return the record of how a cell looks, None where it has none."""
    at = sheet.cell_xf_index(row, column)
    return book.xf_list[at] if 0 <= at < len(book.xf_list) else None
