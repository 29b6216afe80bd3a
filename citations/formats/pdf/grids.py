"""Grids: lines with aligned cells are a table, beginning with the column names."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from citations.formats import tables
from citations.formats.pdf.grid_rows import (
    YEAR,
    Row,
    Stretch,
    count_headers,
    is_figure,
    is_near,
    merge_rows,
    name_columns,
    place_cells,
)
from citations.formats.pdf.lines import Cell, Line, make_cell
from citations.formats.pdf.words import Word
from citations.formats.titles import is_caption

# Largest distance of a table's lines, in sizes of the font.
APART = 3.2
MOST_BETWEEN, MOST_ABOVE = 6, 8
LONGEST_BETWEEN, LONGEST_HEADER = 110, 70  # characters
ALIGNED, NEAR, NARROWEST_GAP = 4.0, 2.0, 2.0  # points
WORD = re.compile(r"[^\W\d_]{3,}")
LEADERS, LEADS = " .…·_", (" .", "..", "…", "·", "_")  # from a label to its figures


@dataclass
class Grid:
    """A table as drawn: the names of its columns, empty if it has none, and its rows."""

    names: list[str]
    rows: list[Row]
    columns: int
    texts: set[str] = field(default_factory=set)

    def make_rows(self) -> Iterator[list[tables.Cell]]:
        """Yield the rows, names first, with empty cells between filled ones."""
        if any(self.names):
            yield [tables.Cell(name, is_header=True) for name in self.names]
        for row in self.rows:
            found, column = list[tables.Cell](), 0
            while column < self.columns:
                span = row.spans.get(column, 1)
                text = row.cells.get(column, "")
                text = text.rstrip(LEADERS) if text.endswith(LEADS) else text
                found.append(tables.Cell(text, columns=span))
                column += span
            yield found


def find_grids(lines: Sequence[Line], known: frozenset[str]) -> Iterator[tuple[range, Grid]]:
    """Yield the ranges of lines that are tables; `known` are words of the document."""
    at = done = 0
    while at < len(lines):
        end = find_end(lines, at)
        begin = find_begin(lines, at, done) if end - at > 1 else at
        grid = make_grid(lines[begin:end], known) if end - at > 1 else None
        if grid:
            yield range(begin, end), grid
            done = end
        at = end if grid else at + max((end - at) // 2, 1)  # halving avoids quadratic time


def find_end(lines: Sequence[Line], at: int) -> int:
    """Return the end of the lines that may form a table with the line."""
    if len(lines[at].cells) < 2 or lines[at].is_mono:
        return at
    last = at
    for here in range(at + 1, len(lines)):
        above, line = lines[here - 1], lines[here]
        is_far = not 0 <= above.y - line.y <= APART * max(line.size, above.size)
        if is_far or line.is_mono or (has_figures(lines[last]) and begins_table(line, lines[last])):
            break
        if len(line.cells) > 1:
            last = here
        elif (
            here - last > MOST_BETWEEN or len(line.text) > LONGEST_BETWEEN or is_caption(line.text)
        ):
            break
    after = last + 1
    while after < len(lines) and goes_on(lines[last], lines[after - 1], lines[after]):
        after += 1
    return after


def has_figures(line: Line) -> bool:
    """Return whether a line has figures after its label."""
    return any(is_figure(cell.text) for cell in line.cells[1:])


def begins_table(line: Line, row: Line) -> bool:
    """Return whether a line below a row with figures begins the header of another table."""
    if any(is_figure(cell.text) for cell in line.cells):
        return False
    has_years = any(YEAR.fullmatch(cell.text) for cell in line.cells[1:])
    is_over = line.x0 > row.x0 + 20 and line.x1 > row.cells[1].x0 and WORD.search(line.text)
    return has_years or (bool(is_over) and (len(line.cells) > 1 or line.is_bold))


def goes_on(row: Line, above: Line, line: Line) -> bool:
    """Return whether the line, close below, continues one of the row's last cells of words."""
    places = [cell.x0 for cell in row.cells[1:] if not is_figure(cell.text)]
    if row.cells[0].x1 > line.x1 and line.text[:1].islower():
        places.append(row.cells[0].x0)
    is_aligned = any(abs(line.x0 - x) < ALIGNED for x in places)
    return is_near(above.y, line.y, line.size) and len(line.cells) == 1 and is_aligned


def find_begin(lines: Sequence[Line], at: int, earliest: int) -> int:
    """Return the beginning of the header: lines above that extend over the later columns."""
    rows = [line.cells for line in lines[at : at + 8] if len(line.cells) > 1]
    first, second = min(row[0].x0 for row in rows), min(row[1].x0 for row in rows)
    last = max(row[-1].x1 for row in rows)
    begin = max(earliest, at - MOST_ABOVE)
    for here in range(at, begin, -1):
        above, gap = lines[here - 1], lines[here - 1].y - lines[here].y
        is_over = above.x0 > max(first + 20, second - 60) and above.x1 > second
        is_close = 0 < gap < 2.2 * max(lines[here].size, above.size)
        is_title = len(above.cells) == 1 and above.x0 + above.x1 < (first + second) / 2 + last
        is_long = len(above.text) > LONGEST_HEADER or is_caption(above.text)
        if is_title or is_long or not (is_over and is_close):
            return here
    return begin


def make_grid(lines: Sequence[Line], known: frozenset[str]) -> Grid | None:
    """Return the table that the lines form, or None."""
    full = [line.cells for line in lines if len(line.cells) > 1]
    figures = [line.cells for line in lines if has_figures(line)]
    most = max(map(len, full), default=0)
    decisive = [row for row in full if len(row) >= max(2, 0.6 * most)]
    columns = find_columns(decisive if len(decisive) > 1 else full)
    if len(figures) > 1:  # labels may extend below figures of other rows
        columns = find_columns([row[1:] for row in figures])
        first, end = min(line.x0 for line in lines), columns[0][0] - NARROWEST_GAP
        labels = (row[0].x1 for row in figures if not is_figure(row[0].text))
        columns.insert(0, (first, max(min(max(labels, default=end), end), first)))
    if len(columns) < 2 or 3 * len(full) < len(lines):
        return None
    parted = (
        Line([part for cell in line.cells for part in part_cell(cell, columns)]) for line in lines
    )
    rows = merge_rows([place_cells(line, columns) for line in parted], known)
    if sum(len(row.cells) > 1 for row in rows) < 2:
        return None
    count, texts = count_headers(rows), {text for row in rows for text in row.cells.values()}
    return Grid(name_columns(rows[:count], columns), rows[count:], len(columns), texts)


def part_cell(cell: Cell, columns: Sequence[Stretch]) -> list[Cell]:
    """Split a cell whose words are in columns of their own.

    Narrow tables have gaps like spaces, but two adjacent names may be one over both columns.
    """
    groups: dict[int, list[Word]] = {}
    for word in cell.words:
        inside = [at for at, (x0, x1) in enumerate(columns) if word.x0 < x1 and word.x1 > x0]
        if len(inside) != 1:
            return [cell]
        groups.setdefault(inside[0], []).append(word)
    parts = [make_cell(words) for words in groups.values()]
    are_figures = all(is_figure(part.text) for at, part in zip(groups, parts, strict=True) if at)
    are_aligned = all(
        min(abs(part.x0 - x0), abs(part.x1 - x1), abs(part.x0 + part.x1 - x0 - x1) / 2) < NEAR
        for part, (x0, x1) in zip(parts, map(columns.__getitem__, groups), strict=True)
    )
    is_parted = len(parts) > 2 or (len(parts) > 1 and are_figures)
    return parts if is_parted and are_aligned else [cell]


def find_columns(rows: Sequence[Sequence[Cell]]) -> list[Stretch]:
    """Return the ends of each column; nearly all rows are empty between columns."""
    steps: Counter[float] = Counter()
    for cell in (cell for row in rows for cell in row):
        steps[cell.x0] += 1
        steps[cell.x1] -= 1
    columns: list[Stretch] = []
    covered = 0
    for left, right in pairwise(sorted(steps)):
        covered += steps[left]
        if covered <= len(rows) // 20 and right - left >= NARROWEST_GAP:
            continue
        if columns and left <= columns[-1][1]:
            columns[-1] = (columns[-1][0], right)
        else:
            columns.append((left, right))
    return columns
