"""Sheets: the cells, hidden parts and comments of a sheet, independent of its format."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from citations.formats.parts import PartKind, Parts, Reason
from citations.formats.reading import GLANCE, ReadingLimits
from citations.formats.sections import Sections
from citations.formats.tables import Cell, add_regions

MOST_SHEETS = 1000
LONGEST_NAME = 200
# Characters of a row that describe a comment's place.
PLACE = 100
EMPTY = Cell("")
# Codes of headers and footers: their sides, page numbers and dates, and others.
SIDE, COUNTED = re.compile("&[LCR]"), re.compile("&[PNDTFAZ]")
CODE = re.compile(r'&(?:"[^"]*"|K[\dA-F]{6}|K\d\d[+-]\d{3}|\d{1,3}|.)')
LONGEST_HEADER = 2_000

Place = tuple[int, int]  # row and column, from 0
SheetRow = tuple[int, dict[int, Cell]]  # its number, and its filled cells by column


@dataclass
class Comment:
    """A comment at a cell."""

    place: Place
    author: str
    text: str


@dataclass
class Sheet:
    """A sheet of a file; merged and hidden cells are complete once its rows are read."""

    name: str
    rows: Iterable[SheetRow]
    is_hidden: bool = False
    # The number of rows and columns that merged cells cover, by their first place.
    merged: dict[Place, tuple[int, int]] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    comments: list[Comment] = field(default_factory=list)
    # Headers and footers of printed pages.
    headers: list[str] = field(default_factory=list)

    @property
    def title(self) -> str:
        return self.name[:LONGEST_NAME] + " [hidden sheet]" * self.is_hidden


def may_read(sheet: Sheet, sections: Sections, limits: ReadingLimits) -> bool:
    """Count the sheet, and return whether it is read."""
    kind = PartKind.HIDDEN_SHEET if sheet.is_hidden else PartKind.SHEET
    is_left_out = sheet.is_hidden and not limits.hidden
    reason = Reason.LEFT_OUT if is_left_out else Reason.BEYOND_LIMIT if sections.full else None
    sections.parts.count(kind, unread=reason)
    return reason is None


def add_sheet(sheet: Sheet, sections: Sections, limits: ReadingLimits) -> None:
    """Add the tables of a sheet under its name, then its comments."""
    rows = read_filled_rows(sheet, sections, limits)
    places = describe_comment_places(sheet.comments, rows)
    rows = mark_hidden(sheet, rows, sections.parts, is_read=limits.hidden)
    sections.leave_headings()
    add_regions(sections, build_dense_rows(sheet, rows), name=sheet.title)
    if sheet.comments or sheet.headers:
        enter_sheet(sheet, sections)
    sections.leave(2)
    headers = dict.fromkeys(filter(None, sheet.headers))
    for text in headers:
        sections.paragraph(text)
    sections.parts.count(PartKind.HEADER, len(headers))
    for comment, place in zip(sheet.comments, places, strict=True):
        author = f" of {comment.author}" if comment.author else ""
        sections.paragraph(f"Comment{author}: {comment.text}{place}")
    sections.parts.count(PartKind.COMMENT, len(sheet.comments))


def split_margin(text: str) -> Iterator[str]:
    """Yield the sides of a header or footer that hold no page number, date or the like."""
    for side in SIDE.split(text[:LONGEST_HEADER]):
        if not COUNTED.search(side):
            yield " ".join(CODE.sub(lambda code: "&" * (code[0] == "&&"), side).split())


def enter_sheet(sheet: Sheet, sections: Sections) -> None:
    """Continue under the name of a sheet, even if it has no rows."""
    if not sections.level:
        sections.heading(1, sheet.title)


def read_filled_rows(sheet: Sheet, sections: Sections, limits: ReadingLimits) -> list[SheetRow]:
    """Return the rows with text; rows beyond the limit are counted as unread."""
    found: list[SheetRow] = []
    room = sections.room
    rows = iter(sheet.rows)
    for number, cells in rows:
        if cells:
            found.append((number, cells))
            room -= sum(len(cell.text) for cell in cells.values())
        if room < 0:
            break
    if limits.characters > GLANCE:  # a glance counts nothing
        count = sum(bool(cells) for _, cells in rows)
        sections.parts.count(PartKind.ROW, count, unread=Reason.BEYOND_LIMIT)
    return found


def describe_comment_places(comments: Sequence[Comment], rows: Sequence[SheetRow]) -> list[str]:
    """Return a description of each comment's place: the first cell of its row, and its own."""
    by_number = dict(rows) if comments else {}
    found = []
    for comment in comments:
        row, column = comment.place
        cells = by_number.get(row, {})
        own = cells[column].text if column in cells else ""
        first = cells[min(cells)].text if cells else ""
        place = ", ".join(dict.fromkeys(text[:PLACE] for text in (first, own) if text))
        found.append(f" ({place})" if place else "")
    return found


def mark_hidden(
    sheet: Sheet, rows: Sequence[SheetRow], parts: Parts, *, is_read: bool
) -> list[SheetRow]:
    """Mark or remove hidden rows and columns; return the rows, and count the hidden ones."""
    reason = None if is_read else Reason.LEFT_OUT
    found: list[SheetRow] = []
    columns: set[int] = set()
    for number, cells in rows:
        hidden = sheet.hidden_columns & cells.keys()
        for column in hidden - columns if is_read else hidden:
            marked = Cell(
                f"{cells[column].text} [hidden column]", is_header=cells[column].is_header
            )
            cells[column] = marked if is_read else EMPTY
        columns |= hidden
        if number in sheet.hidden_rows:
            parts.count(PartKind.HIDDEN_ROW, unread=reason)
            first = min(cells)
            cells[first] = replace(cells[first], text=f"{cells[first].text} [hidden row]")
        if is_read or number not in sheet.hidden_rows:
            found.append((number, {at: cell for at, cell in cells.items() if cell.text}))
    parts.count(PartKind.HIDDEN_COLUMN, len(columns), unread=reason)
    return found


def build_dense_rows(sheet: Sheet, rows: Sequence[SheetRow]) -> Iterator[list[Cell]]:
    """Yield the rows with merged cells; consecutive empty rows and columns become one."""
    lines = compute_dense_places(number for number, _ in rows)
    places = compute_dense_places({column for _, cells in rows for column in cells})
    numbers, used = list(lines), list(places)
    # By column: the last row of a merged cell from above, and its number of columns.
    covers: dict[int, Place] = {}
    before = -1
    for number, cells in rows:
        if lines[number] > before + 1:
            yield []
        before = lines[number]
        covers = {at: cover for at, cover in covers.items() if cover[0] >= before}
        found = {places[column]: cell for column, cell in cells.items()}
        below: dict[int, Place] = {}
        for column in cells:
            if (number, column) in sheet.merged:
                down, across = sheet.merged[number, column]
                last = lines[numbers[bisect_right(numbers, number + down - 1) - 1]]
                wide = (
                    places[used[bisect_right(used, column + across - 1) - 1]] - places[column] + 1
                )
                at = places[column]
                found[at] = replace(found[at], rows=last - before + 1, columns=wide)
                below[at] = last, wide
        yield fill_row(found, covers)
        covers |= below


def compute_dense_places(used: Iterable[int]) -> dict[int, int]:
    """Return the new places of used rows or columns, with one for each run of empty ones."""
    places: dict[int, int] = {}
    before = at = -1
    for each in sorted(used):
        at += 1 if each == before + 1 else 2
        places[each], before = at, each
    return places


def fill_row(found: dict[int, Cell], covers: dict[int, Place]) -> list[Cell]:
    """Return the cells of a row by place, without those that merged cells cover."""
    row: list[Cell] = []
    at, end = 0, max(found, default=-1)
    while at <= end:
        if at in covers:
            at += covers[at][1]
            continue
        row.append(found.get(at, EMPTY))
        at += row[-1].columns
    return row
