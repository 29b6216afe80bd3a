"""Regions: the tables, lists and lines of a sheet, separated by empty rows and columns."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from citations.formats.blocks import BULLET
from citations.formats.sections import Sections
from citations.formats.tables.grid import TITLE, Cell, GridRow, compact_grid, is_figure, lay_out
from citations.formats.tables.headers import GLANCE, count_header_rows, looks_like_header
from citations.formats.tables.rows import add_grid

ENDS = re.compile(r"[.!?;]$")
# Maximum number of empty columns at which a region may be split.
MOST_GAPS = 20
Region = Sequence[GridRow]


def add_regions(sections: Sections, rows: Iterable[Sequence[Cell]], *, name: str = "") -> None:
    """Add the rows of a sheet under its name; a line set apart is a heading."""
    table: list[GridRow] = []
    above: list[int] = []  # the columns of the table
    title = ""
    for region in find_regions(lay_out(rows, sections)):
        is_repeated = bool(table) and region[0].cells == table[0].cells
        if is_repeated or goes_on(above, region):
            table += region[is_repeated:]
            continue
        add_region(sections, table)
        table = []
        if name:
            sections.heading(1, name)
            name = ""
        if title:
            sections.heading(2, title)
        title = find_title(region)
        table = [] if title else list(region)
        above = find_columns(table)
    add_region(sections, table)
    sections.paragraph(title)


def find_regions(grid: Region) -> Iterator[Region]:
    """Yield the regions between empty rows; tables beside one another come in turn."""
    for is_filled, region in groupby(grid, key=lambda row: bool(row.filled)):
        if is_filled:
            yield from split_region(list(region))


def split_region(region: Region, most: int = MOST_GAPS) -> list[Region]:
    """Split a region at an empty column between tables.

    Each table has its own labels and header, and other rows than its neighbour.
    """
    used = find_columns(region)
    gaps = [right for left, right in pairwise(used) if right > left + 1]
    for gap in gaps[:most]:
        ends = (region[0], region[-1])
        if all(min(row.filled) < gap <= max(row.filled) for row in ends):
            continue
        left, right = (
            [part for row in region if (part := row.slice_columns(*ends)).filled]
            for ends in ((0, gap), (gap, used[-1] + 1))
        )
        labels = [row.cells[gap] for row in right[1:] if row.cells[gap]]
        is_labelled = len(labels) > 1 and not any(map(is_figure, labels))
        is_table = all(
            len(find_columns(part)) > 1 and count_header_rows(compact_grid(part))
            for part in (left, right)
        )
        if is_labelled and is_table:
            return [left, *split_region(right, most - 1)]
    return [region]


def find_columns(region: Region) -> list[int]:
    return sorted({at for row in region for at in row.filled})


def goes_on(above: Sequence[int], region: Region) -> bool:
    """Return whether a table with these columns continues after an empty row."""
    columns = find_columns(region)
    if len(above) < 2 or region[0].is_header or not set(columns) <= set(above):
        return False
    if len(columns) == 1:
        return columns != above[:1] and is_figure(region[0].texts[0])
    return not looks_like_header(compact_grid(region))


def find_title(region: Region) -> str:
    """Return the text of a single line that can be a title, or nothing."""
    if len(region) > 1 or not region[0].is_alone:
        return ""
    line = region[0].texts[0]
    return line if len(line) <= TITLE and not ENDS.search(line) and not is_figure(line) else ""


def add_region(sections: Sections, region: Region) -> None:
    """Add a table, or a single column as a text or a list."""
    if len(find_columns(region)) != 1:
        name_pairs(region)
        add_grid(sections, region)
        return
    lines = [row.texts[0] for row in region]
    is_text = any(len(line) > TITLE or ENDS.search(line) for line in lines)
    for line in lines:
        if is_text:
            sections.paragraph(line)
        else:
            sections.item(line, BULLET)


def name_pairs(region: Region) -> None:
    """Mark the first row of a list of word pairs as its header, which types can't show."""
    grid = compact_grid(region[:GLANCE])
    is_pairs = len(grid) > 2 and all(len(row.filled) == 2 == len(row.cells) for row in grid)
    if is_pairs and not any(row.has_figures for row in grid) and not grid[0].texts[0].endswith(":"):
        region[0].is_header = True
