"""The grid of a table: its cells in columns, with each merged value in every place it covers."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from citations.formats.blocks import CELLS
from citations.formats.parts import PartKind, Reason
from citations.formats.sections import Sections

# Excel's own limit, and the maximum number of places in the grid, to bound the memory of one table.
MAX_COLUMNS, MAX_PLACES = 16_384, 4_000_000
# Maximum number of places, and maximum length, of a merged value that is repeated.
MOST_COVERED, LONGEST_REPEATED = 10_000, 200
# Maximum length of a title above a table, and of a column's or row's name or a figure.
TITLE, NAME = 100, 80
FIGURE = re.compile(
    r"[-+−(]?\s?(?:[$€£¥]|[A-Z]{3}\s)?\s?[-+−]?\d[\d.,'’\s]*(?:[eE][-+]?\d+)?\s?\)?\s?(?:%|[$€£¥]|[A-Z]{3})?"
    r"|\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[ T]\d{1,2}:\d\d(?::\d\d)?)?"
)
YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True)
class Cell:
    """A cell of the file; a merged cell covers several rows and columns."""

    text: str
    rows: int = 1
    columns: int = 1
    is_header: bool = False


@dataclass(slots=True)
class GridRow:
    """A row of the grid: the text of each column, and the file's filled cells."""

    cells: list[str] = field(default_factory=list)
    # The first column of each filled cell, and the number of columns it covers.
    filled: dict[int, int] = field(default_factory=dict)
    is_header: bool = False

    @property
    def texts(self) -> list[str]:
        return [self.cells[at] for at in self.filled]

    @property
    def width(self) -> int:
        """The number of columns that its filled cells cover."""
        return sum(self.filled.values())

    @property
    def is_alone(self) -> bool:
        """Whether a single cell is filled, however wide it is."""
        return len(self.filled) == 1

    @property
    def has_figures(self) -> bool:
        return any(is_figure(text) and not YEAR.fullmatch(text) for text in self.texts)

    def place(self, text: str, columns: int) -> None:
        """Put a text into the next columns."""
        columns = max(min(columns, MAX_COLUMNS - len(self.cells)), 0)
        if text and columns:
            self.filled[len(self.cells)] = columns
        is_repeated = len(text) <= LONGEST_REPEATED
        self.cells += ([text] * columns) if is_repeated else [text, *[""] * columns][:columns]

    def slice_columns(self, first: int, end: int) -> "GridRow":
        """Return the row with all other columns empty."""
        filled = {at: min(wide, end - at) for at, wide in self.filled.items() if first <= at < end}
        return GridRow([*[""] * first, *self.cells[first:end]], filled, self.is_header)

    def select(self, columns: Sequence[int]) -> "GridRow":
        """Return the row with these columns only, in order."""
        filled = {
            bisect_left(columns, at): bisect_left(columns, at + wide) - bisect_left(columns, at)
            for at, wide in self.filled.items()
        }
        cells = [self.cells[at] if at < len(self.cells) else "" for at in columns]
        return GridRow(cells, {at: wide for at, wide in filled.items() if wide}, self.is_header)


def is_figure(text: str) -> bool:
    return len(text) <= NAME and FIGURE.fullmatch(text) is not None


def lay_out(rows: Iterable[Sequence[Cell]], sections: Sections) -> list[GridRow]:
    """Place the cells in columns, with a merged value in every place that it covers.

    Rows beyond the limit are counted as unread.
    """
    grid: list[GridRow] = []
    # By the first column of a merged cell: the number of rows left to cover, its columns and text.
    covers: dict[int, tuple[int, int, str]] = {}
    places, room = MAX_PLACES, sections.room
    left = iter(rows)
    for row in left:
        grid.append(lay_out_row(row, covers))
        places -= len(grid[-1].cells)
        room -= sum(map(len, grid[-1].cells)) + len(CELLS) * len(grid[-1].cells)
        if places < 0 or room < 0:
            break
    count = sum(any(cell.text for cell in row) for row in left)
    sections.parts.count(PartKind.ROW, count, unread=Reason.BEYOND_LIMIT)
    return grid


def lay_out_row(row: Sequence[Cell], covers: dict[int, tuple[int, int, str]]) -> GridRow:
    """Place the cells of a row between those covered by merged cells from above."""
    line = GridRow()
    own: list[Cell] = []
    for cell in row:
        place_covered(line, covers)
        at, text = len(line.cells), " ".join(cell.text.split())
        if at >= MAX_COLUMNS:
            break
        columns = max(cell.columns, 1)
        line.place(text, columns)
        own += [cell] if text else []
        if cell.rows > 1:
            is_value = cell.rows * columns <= MOST_COVERED and len(text) <= LONGEST_REPEATED
            covers[at] = cell.rows - 1, len(line.cells) - at, text if is_value else ""
    last = max(covers, default=-1)
    while len(line.cells) <= last:
        place_covered(line, covers)
        if len(line.cells) <= last:
            line.place("", 1)
    line.is_header = bool(own) and all(cell.is_header for cell in own)
    if not own:  # covered places alone make no row
        line.filled.clear()
    return line


def place_covered(line: GridRow, covers: dict[int, tuple[int, int, str]]) -> None:
    """Place the merged cells from above that cover the next columns."""
    while (at := len(line.cells)) in covers:
        rows, columns, text = covers.pop(at)
        line.place(text, columns)
        if rows > 1:
            covers[at] = rows - 1, columns, text


def compact_grid(grid: Sequence[GridRow]) -> list[GridRow]:
    """Return the filled rows, without columns in which no filled cell begins."""
    filled = [row for row in grid if row.filled]
    width = max((len(row.cells) for row in filled), default=0)
    for row in filled:
        row.cells += [""] * (width - len(row.cells))
    columns = sorted({at for row in filled for at in row.filled})
    return filled if len(columns) == width else [row.select(columns) for row in filled]
