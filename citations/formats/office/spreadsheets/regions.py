"""Regions: the rows between two empty ones are a title, text, or a table with its header.

Each row of a table is read with the names of its columns. Where these names alone would fill a
passage, they stand in the rows themselves: "Name: Ada; Born: 1815".
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from citations.formats.blocks import BULLET, CELLS, BlockKind
from citations.formats.sections import MAX_CELLS, Sections

# Characters: of a header that can be repeated above the rows; of a part of a row that has its names
# in it; of a line that is a title; of the name of a column, or of a row.
WIDE, RECORD, TITLE, NAME = 200, 500, 100, 80
MOST_HEADERS = 3
# Rows that are looked at to tell what the first ones are.
GLANCE = 30
# The share of figures in a column from which its cells are of two kinds.
MIXED = 0.1
# The share of the columns that a row of names below remarks fills.
MOST = 0.75
FIGURE = re.compile(
    r"[-+−(]?\s?(?:[$€£¥]|[A-Z]{3}\s)?\s?[-+−]?\d[\d.,'’\s]*(?:[eE][-+]?\d+)?\s?\)?\s?(?:%|[$€£¥]|[A-Z]{3})?"
    r"|\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[ T]\d{1,2}:\d\d(?::\d\d)?)?"
)
YEAR = re.compile(r"(?:19|20)\d\d")
ENDS = re.compile(r"[.!?;]$")


@dataclass(frozen=True)
class SheetRow:
    """The cells of a row as they are shown, and whether the file says that it names the columns."""

    cells: Sequence[str]
    is_header: bool = False

    @property
    def filled(self) -> list[str]:
        return [cell for cell in self.cells if cell]


class Tables:
    """Gives the tables and lines of a sheet to the sections."""

    def __init__(self, sections: Sections) -> None:
        self._sections = sections
        # Of the table before: it may go on behind an empty row.
        self._columns: list[int] = []
        self._names: list[str] = []

    def add(self, region: Sequence[SheetRow]) -> None:
        """Add the lines above a table, its header and its rows."""
        columns = [at for at, column in enumerate(widths(region)) if column]
        if len(columns) == 1 and columns[0] not in self._columns[1:]:
            add_lines([row.filled[0] for row in region], self._sections)
            return
        is_part = bool(self._names) and set(columns) <= set(self._columns)
        columns = self._columns if is_part else columns
        table = [SheetRow([at_of(row, at) for at in columns], row.is_header) for row in region]
        above = lines_above(table)
        notes = notes_above(table[above:])
        for row in table[: above + notes]:
            line = " ".join(row.filled)
            # What is a caption goes along with each row that is quoted; remarks do not.
            is_caption = not notes and len(line) <= TITLE
            self._sections.add(BlockKind.CAPTION if is_caption else BlockKind.PARAGRAPH, line)
        table = table[above + notes :]
        headers = header_rows(table)
        if headers or not is_part:
            self._columns, self._names = columns, joined(table[:headers])
        end = len(table) - notes_below(table[headers:])
        self._add_rows(table[headers:end])
        for row in table[end:]:
            self._sections.paragraph(" ".join(row.filled))

    def _add_rows(self, rows: Sequence[SheetRow]) -> None:
        if sum(map(len, self._names)) > WIDE:
            for row in rows:
                add_record(self._names, row.cells, self._sections)
            return
        if self._names:
            self._sections.row(self._names, is_header=True)
        for row in rows:
            self._sections.row(row.cells)


def add_rows(rows: Iterable[SheetRow], sections: Sections, *, name: str = "") -> None:
    """Add the rows of a sheet under its name, as many as there is room for."""
    tables, title = Tables(sections), ""
    whole = regions(rows, sections.room)
    for region in (part for each in whole for part in beside_one_another(each)):
        if sections.full:
            return
        if name:
            sections.heading(1, name)
            name = ""
        if title:
            sections.heading(2, title)
        title = title_of(region)
        if not title:
            tables.add(region)
    if title:
        sections.paragraph(title)


def regions(rows: Iterable[SheetRow], most: int) -> Iterator[list[SheetRow]]:
    """Yield the rows that stand together, up to so many characters and what goes beyond them."""
    region: list[SheetRow] = []
    for row in rows:
        if row.filled:
            region.append(row)
            most -= sum(map(len, row.cells))
        elif region:
            yield region
            region = []
        if most < 0:
            break
    if region:
        yield region


def beside_one_another(region: Sequence[SheetRow]) -> list[Sequence[SheetRow]]:
    """Return the tables of rows that hold two, with an empty column between them: the second has
    labels and a header of its own, and other rows than the first.
    """
    filled = [bool(width) for width in widths(region)]
    starts = [at for at in range(2, len(filled) - 1) if filled[at] and not filled[at - 1]]
    ends = (region[0].cells, region[-1].cells)
    for at in starts:
        has_other_rows = not all(any(part) for cells in ends for part in (cells[:at], cells[at:]))
        if sum(filled[:at]) < 2 or not has_other_rows:
            continue
        left = trimmed([SheetRow(row.cells[:at], row.is_header) for row in region])
        right = trimmed([SheetRow(["", *row.cells[at:]], row.is_header) for row in region])
        labels = [at_of(row, 1) for row in right[1:] if at_of(row, 1)]
        is_labelled = len(labels) > 1 and not any(map(is_figure, labels))
        if is_labelled and header_rows(right) and header_rows(left):
            return [left, *beside_one_another(right)]
    return [region]


def trimmed(rows: Sequence[SheetRow]) -> Sequence[SheetRow]:
    """Return the rows from the first to the last that is filled."""
    places = [at for at, row in enumerate(rows) if row.filled]
    return rows[places[0] : places[-1] + 1] if places else []


def title_of(region: Sequence[SheetRow]) -> str:
    """Return the line that stands alone, if it can be a title."""
    filled = region[0].filled
    is_line = len(region) == len(filled) == 1 and len(filled[0]) <= TITLE
    return filled[0] if is_line and not ENDS.search(filled[0]) and not is_figure(filled[0]) else ""


def widths(region: Sequence[SheetRow]) -> list[int]:
    """Return how many characters each column has."""
    found = [0] * min(max(len(row.cells) for row in region), MAX_CELLS)
    for row in region:
        for at, cell in enumerate(row.cells[:MAX_CELLS]):
            found[at] += len(cell)
    return found


def at_of(row: SheetRow, at: int) -> str:
    return row.cells[at] if at < len(row.cells) else ""


def add_lines(lines: Sequence[str], sections: Sections) -> None:
    """Add a single column: text, or a list."""
    is_text = any(len(line) > TITLE or ENDS.search(line) for line in lines)
    for line in lines:
        if is_text:
            sections.paragraph(line)
        else:
            sections.item(line, BULLET)


def lines_above(table: Sequence[SheetRow]) -> int:
    """Return how many rows of one cell each stand above the table."""
    count = 0
    while count < len(table) and len(table[count].filled) == 1 and not table[count].is_header:
        count += 1
    return count if count < len(table) else 0


def notes_above(table: Sequence[SheetRow]) -> int:
    """Return how many rows of remarks stand above the names of the columns.

    Remarks fill few of the columns; the names fill most of them, and figures begin below them.
    """
    if header_rows(table):
        return 0
    has_figures = [any(map(is_figure, row.cells)) for row in table[:GLANCE]]
    at = has_figures.index(True) - 1 if True in has_figures else 0
    return at if at > 0 and names_columns(table[at:]) else 0


def notes_below(rows: Sequence[SheetRow]) -> int:
    """Return how many rows of remarks stand below a table whose rows are full: no figure is in
    them, they fill half of the columns at most, and one of them a single one.
    """
    count = 0
    while count < len(rows) and is_sparse(rows[-1 - count]):
        count += 1
    above, below = rows[: len(rows) - count][-GLANCE:], rows[len(rows) - count :]
    full = sum(len(row.filled) >= MOST * len(row.cells) for row in above)
    has_single = any(len(row.filled) == 1 for row in below)
    return count if has_single and len(above) > 1 and full * 2 > len(above) else 0


def is_sparse(row: SheetRow) -> bool:
    is_half = len(row.cells) > 2 and len(row.filled) * 2 <= len(row.cells)
    return is_half and not any(map(is_figure, row.filled))


def names_columns(table: Sequence[SheetRow]) -> bool:
    """Return whether the first row names most columns, and one that it names is of figures
    below.
    """
    names, wide = table[0], len(table[0].cells)
    full = [row for row in table[1:GLANCE] if len(row.filled) * 2 > wide]
    is_distinct = len(set(names.filled)) == len(names.filled) >= max(3, wide * MOST)
    if not is_distinct or len(full) < 2 or not looks_like_header(table):
        return False
    columns = ([cell for row in full if (cell := at_of(row, at))] for at in range(wide))
    named = (column for at, column in enumerate(columns) if at_of(names, at) and column)
    return any(sum(map(is_figure, column)) >= len(column) * (1 - MIXED) for column in named)


def header_rows(table: Sequence[SheetRow]) -> int:
    """Return how many of the first rows name the columns: as the file says, or as it looks."""
    said = next((at for at, row in enumerate(table) if not row.is_header), 0)
    return said if 0 < said <= MOST_HEADERS else int(looks_like_header(table))


def looks_like_header(table: Sequence[SheetRow]) -> bool:
    """Return whether the first row has names where those below have values."""
    first, below = table[0], table[1:GLANCE]
    names = [cell for cell in first.filled if not YEAR.fullmatch(cell)]
    if not below or len(first.filled) < 2 or len(set(first.filled)) * 2 <= len(first.filled):
        return False
    is_named = all(len(cell) <= NAME and not is_figure(cell) for cell in names)
    # "Name: | Ada", "Born | 1815": names stand at the side, and what is beside them is of any kind.
    is_form = len(first.cells) == 2 and (names[:1] or [""])[0].endswith(":")
    if not is_named or not names or is_form:
        return False
    if len(first.cells) > 2:
        return len(first.filled) * 2 > len(first.cells)
    figures = [is_figure(at_of(row, 1)) for row in below if at_of(row, 1)]
    share = sum(figures) / max(len(figures), 1)
    return bool(figures) and not MIXED < share < 1 - MIXED


def is_figure(cell: str) -> bool:
    return len(cell) <= NAME and FIGURE.fullmatch(cell) is not None


def joined(headers: Sequence[SheetRow]) -> list[str]:
    """Return the names of the columns: of several rows those above with those below."""
    if not headers:
        return []
    columns = range(max(len(row.cells) for row in headers))
    return [
        " ".join(dict.fromkeys(filter(None, (at_of(row, at) for row in headers)))) for at in columns
    ]


def add_record(names: Sequence[str], cells: Sequence[str], sections: Sections) -> None:
    """Add a row with its columns' names in it; each part of a long one says what row it is."""
    fields = [
        f"{name}: {cell}" if name else cell
        for name, cell in zip(names, cells, strict=False)
        if cell
    ]
    row, parts = fields[0][:NAME], [[fields[0]]]
    for field in fields[1:]:
        if sum(map(len, parts[-1])) + len(field) > RECORD:
            parts.append([row])
        parts[-1].append(field)
    for part in parts:
        sections.item("; ".join(part).replace(CELLS, "|"), BULLET)
