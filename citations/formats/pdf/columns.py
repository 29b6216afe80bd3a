"""Columns: splits a page into columns and reads them one by one."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from citations.formats.pdf.lines import Cell, Line, make_lines

NARROWEST, BIN = 110.0, 2.0  # points: of a column, and of the positions that are counted
CROSSED = 0.45  # of the most cells at one position: so many may cross a gutter
# Minimums for a column of text: its lines, a line's characters, the share of letters, a full line's
# share of the width, and the share of full lines.
FEWEST_LINES, FEWEST_CHARACTERS, LETTERS, FULL, FULL_SHARE = 3, 18, 0.6, 0.55, 0.4
DEEPEST = 3


def read_columns(cells: Sequence[Cell], depth: int = DEEPEST) -> Iterator[list[Line]]:
    """Yield the columns in reading order, as lines; text across them comes in between."""
    gutter = find_gutter(cells) if depth else None
    whole: list[Cell] = []
    for band in split_bands(cells, gutter) if gutter else [list(cells)]:
        left = [cell for cell in band if gutter and cell.x1 <= gutter]
        right = [cell for cell in band if gutter and cell.x0 >= gutter]
        if len(left) + len(right) < len(band) or not (is_text(left) and is_text(right)):
            whole += band
            continue
        if whole:
            yield make_lines(whole)
            whole = []
        yield from read_columns(left, depth - 1)
        yield from read_columns(right, depth - 1)
    if whole:
        yield make_lines(whole)


def split_bands(cells: Sequence[Cell], gutter: float) -> Iterator[list[Cell]]:
    """Yield the cells beside the gutter and those across it in turn, from the top down."""

    def crosses(line: Line) -> bool:
        return any(cell.x0 < gutter < cell.x1 for cell in line.cells)

    for _, lines in groupby(make_lines(cells), key=crosses):
        yield [cell for line in lines for cell in line.cells]


def find_gutter(cells: Sequence[Cell]) -> float | None:
    """Return the middle of the widest gap with the fewest cells, if columns fit beside it."""
    if len(cells) < 2 * FEWEST_LINES:
        return None
    left, right = min(cell.x0 for cell in cells), max(cell.x1 for cell in cells)
    count, margin = int((right - left) / BIN) + 1, int(NARROWEST / BIN)
    covered = [0] * (count + 1)
    for cell in cells:
        covered[int((cell.x0 - left) / BIN)] += 1
        covered[int((cell.x1 - left) / BIN)] -= 1
    for at in range(1, count):
        covered[at] += covered[at - 1]
    inner = range(margin, count - margin)
    fewest = min((covered[at] for at in inner), default=len(cells))
    if fewest > max(2, CROSSED * max(covered)):
        return None
    runs = [
        list(run) for is_free, run in groupby(inner, lambda at: covered[at] == fewest) if is_free
    ]
    widest = max(runs, key=len)
    return left + (widest[len(widest) // 2] + 0.5) * BIN


def is_text(cells: Sequence[Cell]) -> bool:
    """Return whether the cells are running text, apart from code among them."""
    prose = [cell for cell in cells if not cell.mono]
    if len(prose) < FEWEST_LINES:
        return False
    width = max(cell.x1 for cell in cells) - min(cell.x0 for cell in cells)
    text = "".join(cell.text for cell in prose)
    letters = sum(char.isalpha() or char == " " for char in text)
    full = sum(cell.x1 - cell.x0 >= FULL * width for cell in prose)
    is_worded = letters >= LETTERS * len(text) and len(text) >= FEWEST_CHARACTERS * len(prose)
    return is_worded and (full >= FULL_SHARE * len(prose) or find_gutter(prose) is not None)
