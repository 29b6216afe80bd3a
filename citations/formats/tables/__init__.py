"""Tables: cells of any format become rows whose merged values and joined headers are complete."""

from collections.abc import Sequence

from citations.formats.blocks import BlockKind
from citations.formats.sections import Sections
from citations.formats.tables.grid import Cell, compact_grid, is_figure, lay_out
from citations.formats.tables.headers import (
    header_rows,
    join_headers,
    notes_below,
    preamble_rows,
    split_at_headers,
)
from citations.formats.tables.rows import Table, add_columns

__all__ = ["Cell", "add_table", "is_figure"]
TITLE = 100  # characters of a title above a table


def add_table(sections: Sections, rows: Sequence[Sequence[Cell]], *, caption: str = "") -> None:
    """Add a table: merged cells filled, header rows joined, a title row taken as the caption.

    A row has the cells that begin in it, those without text too; it lacks those that a merged cell
    of a row above covers.
    """
    grid = compact_grid(lay_out(rows, sections))
    captions = [caption] if caption else []
    if not grid:
        sections.add(BlockKind.CAPTION, caption)
        return
    above = preamble_rows(grid)
    for row in grid[:above]:
        line = " ".join(row.texts)
        if row.is_alone and len(line) <= TITLE and line not in captions:
            captions.append(line)
        elif line not in captions:
            sections.paragraph(line)
    for part in split_at_headers(grid[above:]):
        headers = header_rows(part)
        end = len(part) - notes_below(part[headers:])
        names = join_headers(part[:headers])
        add_columns(sections, Table(captions, names, part[headers:end]))
        for row in part[end:]:
            sections.paragraph(" ".join(row.texts))
