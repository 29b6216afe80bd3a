"""Tables: cells of any format as rows with merged values filled in and headers joined."""

from collections.abc import Iterable, Sequence

from citations.formats.sections import Sections
from citations.formats.tables.grid import Cell, is_figure, lay_out
from citations.formats.tables.regions import add_regions
from citations.formats.tables.rows import add_grid

__all__ = ["Cell", "add_regions", "add_table", "is_figure"]


def add_table(sections: Sections, rows: Iterable[Sequence[Cell]], *, caption: str = "") -> None:
    """Add a table, with merged cells filled, header rows joined, and a title row as the caption.

    A row has the cells that begin in it, including empty ones, but not those that a merged cell
    from above covers.
    """
    add_grid(sections, lay_out(rows, sections), caption)
