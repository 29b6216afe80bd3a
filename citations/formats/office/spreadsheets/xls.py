"""XLS: the sheets of a workbook of Excel 5.0 to 2003.

Read by xlrd, which is pure Python: a damaged file can fail but not break out. It also gives number
formats, bold, merged and hidden cells and comments' authors; calamine gives none of them.
"""

import struct
from collections.abc import Iterator
from io import StringIO
from typing import Any

import xlrd
from xlrd.compdoc import CompDoc

from citations.formats.cleaning import clean_title, split_names
from citations.formats.office import finish_reading
from citations.formats.office.number_formats import BUILT_IN, format_number
from citations.formats.office.spreadsheets.sheets import (
    MOST_SHEETS,
    Comment,
    Sheet,
    SheetRow,
    add_sheet,
    may_read,
    split_margin,
)
from citations.formats.parts import PartKind, Parts, Reason
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits
from citations.formats.sections import Sections
from citations.formats.tables import Cell

BOLD = 600  # of a font's weight
ENCRYPTED = "encrypted"  # in xlrd's message about a file with a password
MOST_MERGED = 100_000
# Fields of a record: its kind, its length without the head, and an object's type.
RECORD, RECORD_HEAD, OBJECT, MARGINS = struct.Struct("<HH4xH"), 4, 0x5D, (0x14, 0x15)
UNICODE = 80  # the first version with a flag for each text's width of letters
DRAWN = {
    5: (PartKind.CHART, Reason.UNSUPPORTED),
    6: (PartKind.TEXT_BOX, Reason.UNSUPPORTED),
    8: (PartKind.IMAGE, Reason.NO_TEXT),
}


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the tables of each sheet, with its comments."""
    book, sections = open_workbook(data), Sections(limits)
    listed = book.sheets()[:MOST_SHEETS]
    for at, each in enumerate(listed):
        progress(at, len(listed))
        sheet = make_sheet(book, each)
        if may_read(sheet, sections, limits):
            add_sheet(sheet, sections, limits)
    counts = sections.parts
    margins = dict.fromkeys(read_records(data, book.biff_version, counts))
    for text in filter(None, margins):
        sections.paragraph(text)
        counts.count(PartKind.HEADER)
    counts.count(PartKind.SHEET, book.nsheets - MOST_SHEETS, unread=Reason.BEYOND_LIMIT)
    return finish_reading(FileReading(authors=split_names(book.user_name or "")), "", sections)


def open_workbook(data: bytes) -> Any:
    """Open the workbook, or raise BadFile."""
    try:
        return xlrd.open_workbook(
            file_contents=data, logfile=StringIO(), formatting_info=True, ragged_rows=True
        )
    except xlrd.XLRDError as error:
        raise BadFile("encrypted" if ENCRYPTED in str(error) else "broken") from error


def read_records(data: bytes, version: int, parts: Parts) -> Iterator[str]:
    """Yield headers and footers, and count charts, text boxes and pictures, by their records, which
    xlrd doesn't read.
    """
    document = CompDoc(data, logfile=StringIO())
    for name in ("Workbook", "Book"):
        stream, at, length = document.locate_named_stream(name)
        end = at + length
        while stream and at + RECORD.size <= end:
            kind, size, drawn = RECORD.unpack_from(stream, at)
            if kind == OBJECT and drawn in DRAWN:
                part, reason = DRAWN[drawn]
                parts.count(part, unread=reason)
            elif kind in MARGINS and size:
                text = stream[at + RECORD_HEAD : at + RECORD_HEAD + size]
                is_wide = version >= UNICODE and text[2:3] == b"\1"
                letters = text[3 if version >= UNICODE else 1 :]
                yield from split_margin(
                    letters.decode("utf-16-le" if is_wide else "cp1252", "replace")
                )
            at += RECORD_HEAD + size


def make_sheet(book: Any, sheet: Any) -> Sheet:
    """Return a sheet whose rows are read on demand."""
    return Sheet(
        clean_title(sheet.name) or sheet.name,
        read_rows(book, sheet),
        sheet.visibility != 0,
        {
            (top, left): (bottom - top, right - left)
            for top, bottom, left, right in sheet.merged_cells[:MOST_MERGED]
        },
        {at for at, info in sheet.rowinfo_map.items() if info.hidden},
        {at for at, info in sheet.colinfo_map.items() if info.hidden},
        [
            Comment(place, " ".join(note.author.split()), " ".join(note.text.split()))
            for place, note in sorted(sheet.cell_note_map.items())
        ],
    )


def read_rows(book: Any, sheet: Any) -> Iterator[SheetRow]:
    for number in range(sheet.nrows):
        texts = ((at, read_text(book, sheet, number, at)) for at in range(sheet.row_len(number)))
        cells = {at: text for at, text in texts if text}
        is_header = len(cells) > 1 and all(is_bold(book, sheet, number, at) for at in cells)
        yield number, {at: Cell(text, is_header=is_header) for at, text in cells.items()}


def read_text(book: Any, sheet: Any, row: int, column: int) -> str:
    """Return the text of a cell; for a formula, its stored result."""
    kind, value = sheet.cell_type(row, column), sheet.cell_value(row, column)
    if kind == xlrd.XL_CELL_BOOLEAN:
        return "TRUE" if value else "FALSE"
    if kind == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(value, ""))
    if kind not in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE):
        return " ".join(str(value).split())
    look = find_look(book, sheet, row, column)
    key = look.format_key if look else 0
    known = book.format_map.get(key)
    form = BUILT_IN.get(key) or (known.format_str if known else "")
    return format_number(value, form, is_1904=bool(book.datemode))


def is_bold(book: Any, sheet: Any, row: int, column: int) -> bool:
    look = find_look(book, sheet, row, column)
    is_known = look is not None and look.font_index < len(book.font_list)
    return is_known and book.font_list[look.font_index].weight >= BOLD


def find_look(book: Any, sheet: Any, row: int, column: int) -> Any:
    """Return the record of a cell's look, or None."""
    at = sheet.cell_xf_index(row, column)
    return book.xf_list[at] if 0 <= at < len(book.xf_list) else None
