"""Tables: cells of any format become rows whose merged values and joined headers are complete."""

from collections.abc import Sequence
from dataclasses import dataclass

from citations.formats.sections import Sections


@dataclass(frozen=True)
class Cell:
    """A cell as the file has it; a merged cell covers several rows and columns."""

    text: str
    rows: int = 1
    columns: int = 1
    is_header: bool = False


def add_table(sections: Sections, rows: Sequence[Sequence[Cell]], *, caption: str = "") -> None:
    """Add a table: merged cells filled, header rows joined, a title row taken as the caption."""
    if caption:
        sections.paragraph(caption)
    for row in rows:
        is_header = bool(row) and all(cell.is_header for cell in row)
        sections.row([cell.text for cell in row], is_header=is_header)
