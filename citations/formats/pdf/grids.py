"""Grids: lines whose cells stand below one another are a table, header rows first."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from citations.formats import tables
from citations.formats.captions import is_caption
from citations.formats.pdf.grid_rows import (
    WRAPPED,
    YEAR,
    Row,
    count_headers,
    fold_names,
    is_figure,
    merge_rows,
    place_cells,
    widen_names,
)
from citations.formats.pdf.page_lines import Cell, Line

# In sizes of the font: lines of a table stand no farther apart.
APART = 3.2
MOST_BETWEEN, MOST_ABOVE = 6, 8
LONGEST_BETWEEN, LONGEST_HEADER = 110, 70  # characters
ALIGNED, NARROWEST_GAP = 4.0, 2.0  # points
WORD = re.compile(r"[^\W\d_]{3,}")
LEADERS = " .…·_"  # from a label to its figures


@dataclass
class Grid:
    """A table as it is drawn: its rows, and how many of them are its header."""

    rows: list[Row]
    columns: int
    headers: int

    def cells(self, at: int) -> list[tables.Cell]:
        """Return the cells of a row, empty ones between them."""
        row, found, column = self.rows[at], list[tables.Cell](), 0
        while column < self.columns:
            span = row.spans.get(column, 1)
            text = row.cells.get(column, "")
            text = text.rstrip(LEADERS) if text.endswith((" .", "..", "…", "·", "_")) else text
            found.append(tables.Cell(text, columns=span, is_header=at < self.headers))
            column += span
        return found


def find_grids(lines: Sequence[Line], known: frozenset[str]) -> list[tuple[range, Grid]]:
    """Return which lines are tables; `known` are words of the document."""
    found: list[tuple[range, Grid]] = []
    at = 0
    while at < len(lines):
        end = end_of(lines, at)
        begin = begin_of(lines, at, found[-1][0].stop if found else 0) if end - at > 1 else at
        grid = grid_of(lines[begin:end], known) if end - at > 1 else None
        if grid:
            found.append((range(begin, end), grid))
        at = end if grid else at + max((end - at) // 2, 1)  # or each line would look at all others
    return found


def end_of(lines: Sequence[Line], at: int) -> int:
    """Return the end of the lines that may be one table with the line."""
    if len(lines[at].cells) < 2 or lines[at].is_mono:
        return at
    last = at
    for here in range(at + 1, len(lines)):
        above, line = lines[here - 1], lines[here]
        gap = above.y - line.y
        if not 0 <= gap <= APART * max(line.size, above.size) or line.is_mono:
            break
        if has_figures(lines[last]) and names_columns(line, lines[last]):
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
    return any(is_figure(cell.text) for cell in line.cells[1:])


def names_columns(line: Line, row: Line) -> bool:
    """Return whether a line below a row with figures begins the header of another table."""
    if any(is_figure(cell.text) for cell in line.cells):
        return False
    has_years = any(YEAR.fullmatch(cell.text) for cell in line.cells[1:])
    is_over = line.x0 > row.x0 + 20 and line.x1 > row.cells[1].x0 and WORD.search(line.text)
    return has_years or (bool(is_over) and (len(line.cells) > 1 or line.is_bold))


def goes_on(row: Line, above: Line, line: Line) -> bool:
    """Return whether the line, close below, is more of one of the row's last cells of words."""
    is_near = 0 < above.y - line.y < WRAPPED * line.size
    places = [cell.x0 for cell in row.cells[1:] if not is_figure(cell.text)]
    if row.cells[0].x1 > line.x1 and line.text[:1].islower():
        places.append(row.cells[0].x0)
    return is_near and len(line.cells) == 1 and any(abs(line.x0 - x) < ALIGNED for x in places)


def begin_of(lines: Sequence[Line], at: int, earliest: int) -> int:
    """Return where the header begins: lines above that stand over the columns but the first."""
    limit = max(earliest, at - MOST_ABOVE)
    rows = [line.cells for line in lines[at : at + 8] if len(line.cells) > 1]
    first, second = min(row[0].x0 for row in rows), min(row[1].x0 for row in rows)
    last = max(row[-1].x1 for row in rows)
    while at > limit:
        above, gap = lines[at - 1], lines[at - 1].y - lines[at].y
        is_over = above.x0 > first + 20 and above.x1 > second and above.x0 > second - 60
        is_near = 0 < gap < 2.2 * max(lines[at].size, above.size)
        middle = (above.x0 + above.x1) / 2
        is_title = len(above.cells) == 1 and middle < (first + second) / 4 + last / 2
        if (
            is_title
            or not (is_over and is_near)
            or len(above.text) > LONGEST_HEADER
            or is_caption(above.text)
        ):
            break
        at -= 1
    return at


def grid_of(lines: Sequence[Line], known: frozenset[str]) -> Grid | None:
    """Return the table that the lines are, or None."""
    full = [line.cells for line in lines if len(line.cells) > 1]
    figures = [line.cells for line in lines if has_figures(line)]
    most = max(map(len, full), default=0)
    decisive = [row for row in full if len(row) >= max(2, 0.6 * most)]
    columns = columns_of(decisive if len(decisive) > 1 else full)
    if len(figures) > 1:  # labels may reach below figures of other rows
        columns = columns_of([row[1:] for row in figures])
        first, end = min(line.x0 for line in lines), columns[0][0] - NARROWEST_GAP
        labels = (row[0].x1 for row in figures if not is_figure(row[0].text))
        columns.insert(0, (first, max(min(max(labels, default=end), end), first)))
    if len(columns) < 2 or 3 * len(full) < len(lines):
        return None
    rows = merge_rows([place_cells(line, columns) for line in lines], known)
    if sum(len(row.cells) > 1 for row in rows) < 2:
        return None
    count = count_headers(rows)
    for row in rows[:count]:
        widen_names(row, columns)
    names = list(fold_names(rows[:count]))
    return Grid([*names, *rows[count:]], len(columns), len(names))


def columns_of(rows: Sequence[Sequence[Cell]]) -> list[tuple[float, float]]:
    """Return from where to where each column goes: what stands between is empty in nearly all."""
    steps: Counter[float] = Counter()
    for cell in (cell for row in rows for cell in row):
        steps[cell.x0] += 1
        steps[cell.x1] -= 1
    columns: list[tuple[float, float]] = []
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
