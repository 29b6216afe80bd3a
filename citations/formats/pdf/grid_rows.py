"""The rows of a grid: cells placed in columns, wrapped lines joined, columns named."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from citations.formats.pdf.joining import join_lines
from citations.formats.pdf.lines import Line
from citations.formats.tables.headers import JOINT

# Largest distance of lines in a wrapped cell, in sizes of the font.
WRAPPED = 1.6
MOST_HEADERS = 12
SENTENCE = 40  # characters
NUMBER = re.compile(
    r"[$€£¥(+−-]*\s?[$€£]?\s?\(?\d[\d.,\s]*[)%]*(?:\s?%|\[\w\]|x|pts)*|[—–-]+\s?%?|n/?m|n/?a", re.I
)
YEAR = re.compile(r"\d{1,2},|(?:19|20)\d\d(?:\[\w\])?|FY\s?\d\d(?:\d\d)?|Q[1-4](?:\s?\d{4})?")
Stretch = tuple[float, float]  # left and right end, in points


@dataclass
class Row:
    """The cells of a row by column, and the number of columns each covers."""

    cells: dict[int, str]
    spans: dict[int, int]
    places: dict[int, Stretch]
    y: float
    size: float
    is_bold: bool

    @property
    def has_figures(self) -> bool:
        return any(is_figure(text) for at, text in self.cells.items() if at)


def is_figure(text: str) -> bool:
    return NUMBER.fullmatch(text) is not None and not YEAR.fullmatch(text)


def is_near(above: float, below: float, size: float) -> bool:
    """Return whether baselines are as close as those of a wrapped text."""
    return 0 < above - below < WRAPPED * size


def place_cells(line: Line, columns: Sequence[Stretch]) -> Row:
    """Return the cells by column; one that spans several is in the first of them."""
    found: dict[int, str] = {}
    spans: dict[int, int] = {}
    places: dict[int, Stretch] = {}
    for number, cell in enumerate(line.cells):
        overlaps = [min(cell.x1, right) - max(cell.x0, left) for left, right in columns]
        inside = [at for at, width in enumerate(overlaps) if width > 0]
        at = max(range(len(columns)), key=lambda at: overlaps[at])
        at = next((each for each in inside if overlaps[each] > 0.3 * (cell.x1 - cell.x0)), at)
        end = inside[-1] + 1 if inside else at + 1
        is_label = cell.x0 - columns[0][0] < columns[1][0] - cell.x0
        if number == 0 and is_label and not is_figure(cell.text):
            at, end = 0, 1
        found[at] = f"{found[at]} {cell.text}" if at in found else cell.text
        spans[at] = max(spans.get(at, 1), end - at)
        places[at] = (min(cell.x0, places.get(at, (cell.x0, 0))[0]), cell.x1)
    for at, after in pairwise([*sorted(found), len(columns)]):
        spans[at] = min(spans[at], after - at)
    return Row(found, spans, places, line.y, line.size, line.is_bold)


def merge_rows(lines: Sequence[Row], known: frozenset[str]) -> list[Row]:
    """Join the lines of each row."""
    rows: list[Row] = []
    for line in lines:
        above = rows[-1] if rows else None
        if above is None or not belongs(above, line):
            rows.append(line)
            continue
        for at, text in line.cells.items():
            begun = [above.cells[at]] if at in above.cells else []
            above.cells[at] = join_lines([*begun, text], known)
        above.y = line.y
        above.spans, above.places = line.spans | above.spans, line.places | above.places
    return rows


def belongs(above: Row, line: Row) -> bool:
    """Return whether the line continues the row above."""
    gap, label = above.y - line.y, above.cells.get(0, "")
    if gap > WRAPPED * line.size or above.is_bold != line.is_bold:
        return False
    if gap < 0.8 * line.size and not set(above.cells) & set(line.cells):
        return True
    if set(line.cells) == {0}:
        return line.cells[0][:1].islower() and len(above.cells) > 1
    if set(above.cells) == {0} and 0 in line.cells:
        return line.cells[0][:1].islower() and not label.endswith(":")
    is_more = all(
        at in above.cells and (text[:1].islower() or len(above.cells[at]) > SENTENCE)
        for at, text in line.cells.items()
    )
    return 0 not in line.cells and is_more and not line.has_figures


def count_headers(rows: Sequence[Row]) -> int:
    """Return the number of first rows that name the columns."""
    first = next((at for at, row in enumerate(rows) if row.has_figures), None)
    if first is None:
        first = next((at for at, row in enumerate(rows) if not row.is_bold), 0)
        return first if len(rows[0].cells) > 1 else 0
    above = [at for at in range(first) if set(rows[at].cells) - {0}]
    count = above[-1] + 1 if above else 0
    # "Terms | 14 days net" is a row of a form.
    is_form = max(at for row in rows for at in row.cells) == 1 and 2 * count >= len(rows)
    return 0 if count > MOST_HEADERS or is_form else count


def name_columns(rows: Sequence[Row], columns: Sequence[Stretch]) -> list[str]:
    """Return the names of the columns. Names over several columns come before those of one, which
    may be wrapped; "(in millions)" alone in a row names the labels.
    """
    names: list[list[str]] = [[] for _ in columns]
    for row in rows:
        is_unit = len(row.cells) == 1 and next(iter(row.cells.values())).startswith("(")
        shown = {0: next(iter(row.cells))} if is_unit else spread_names(row, columns)
        widths = Counter(shown.values())
        for column, name in shown.items():
            text, is_wide = row.cells[name], widths[name] > 1
            if not (is_wide and text in names[column]):
                names[column] += [text, JOINT if is_wide else " "]
    return ["".join(parts[:-1]) for parts in names]


def spread_names(row: Row, columns: Sequence[Stretch]) -> dict[int, int]:
    """Return for each column the cell that names it: the one above it or nearest to it."""
    shown = {at + more: at for at in row.cells for more in range(row.spans.get(at, 1))}
    names = {at: place for at, place in sorted(row.places.items()) if at}
    middles = [(left + right) / 2 for left, right in columns]
    pitch = max((two - one for one, two in pairwise(middles[1:])), default=0.0)
    is_even = bool(names) and stand_over_groups(names, columns, pitch)
    for at, middle in enumerate(middles[1:], start=1) if names else ():
        far = {name: max(x0 - middle, middle - x1, 0.0) for name, (x0, x1) in names.items()}
        name = min(far, key=lambda name: far[name])
        if is_even or (far[name] <= pitch and is_wide(names[name], columns[name], pitch)):
            shown[at] = name
    return shown


def stand_over_groups(
    names: Mapping[int, Stretch], columns: Sequence[Stretch], pitch: float
) -> bool:
    """Return whether each name is centred over a group of columns, all of one size."""
    size, rest = divmod(len(columns) - 1, len(names))
    width = pitch if len(names) == 1 and size > 2 else 0.0  # else of the middle column only
    return (
        not rest
        and size > 1
        and all(
            x1 - x0 >= width
            and abs(x0 + x1 - columns[first][0] - columns[first + size - 1][1]) < pitch
            for first, (x0, x1) in zip(range(1, len(columns), size), names.values(), strict=True)
        )
    )


def is_wide(name: Stretch, column: Stretch, pitch: float) -> bool:
    """Return whether a name is wider than columns are, or off its own column."""
    (x0, x1), (left, right) = name, column
    return x1 - x0 > pitch or abs(x0 + x1 - left - right) > pitch / 2
