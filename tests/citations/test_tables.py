"""Tables: what they show is in each row, whatever the format."""

from collections.abc import Callable, Sequence

import pytest

from citations.formats import html
from citations.formats.reading import ReadingLimits, silent
from citations.formats.sections import Sections
from citations.formats.tables import Cell, add_table

LIMITS = ReadingLimits(pages=10)
Rows = Sequence[Sequence[Cell]]
Blocks = list[tuple[str, str]]


def row(*cells: str | Cell, is_header: bool = False) -> list[Cell]:
    return [cell if isinstance(cell, Cell) else Cell(cell, is_header=is_header) for cell in cells]


def read_cells(rows: Rows) -> Blocks:
    sections = Sections(LIMITS)
    add_table(sections, rows)
    return [(block.kind, block.text) for part in sections.finished("") for block in part.blocks]


def read_page(rows: Rows) -> Blocks:
    written = "".join(f"<tr>{''.join(map(html_cell, row))}</tr>" for row in rows)
    page = f"<!doctype html><html><body><table>{written}</table></body></html>"
    found = html.read(page.encode(), LIMITS, silent)
    return [(block.kind, block.text) for part in found.sections for block in part.blocks]


def html_cell(cell: Cell) -> str:
    tag = "th" if cell.is_header else "td"
    return f'<{tag} rowspan="{cell.rows}" colspan="{cell.columns}">{cell.text}</{tag}>'


TWO_LEVELS = (
    row(Cell("Store", 2), Cell("First quarter", 1, 2), Cell("Second quarter", 1, 2)),
    row("Plan", "Actual", "Plan", "Actual"),
    row("Turin", "80", "79", "85", "71"),
    row("Lyon", "60", "64", "62", "58"),
)
TABLES: dict[str, tuple[Rows, Blocks]] = {
    "two levels of names": (
        TWO_LEVELS,
        [
            (
                "header",
                "Store | First quarter › Plan | First quarter › Actual"
                " | Second quarter › Plan | Second quarter › Actual",
            ),
            ("row", "Turin | 80 | 79 | 85 | 71"),
            ("row", "Lyon | 60 | 64 | 62 | 58"),
        ],
    ),
    "a value over several rows": (
        (
            row("Shift", "Name", "Hours", is_header=True),
            row(Cell("late", 2), "Ben", "8"),
            row("Eva", "7.50"),
            row("early", Cell("off", 1, 2)),
        ),
        [
            ("header", "Shift | Name | Hours"),
            ("row", "late | Ben | 8"),
            ("row", "late | Eva | 7.50"),
            ("row", "early | off | off"),
        ],
    ),
    "a title, and spacers": (
        (
            row(Cell("Stalls of the fair", 1, 4)),
            row("", "", "", ""),
            row("Stall", "", "Owner", "Fee"),
            row("1", "", "Ruth", "12,50 €"),
            row("", "", "", ""),
            row("2", "", "Omar", "34.5 %"),
        ),
        [
            ("caption", "Stalls of the fair"),
            ("header", "Stall | Owner | Fee"),
            ("row", "1 | Ruth | 12,50 €"),
            ("row", "2 | Omar | 34.5 %"),
        ],
    ),
    "groups of rows, and their totals": (
        (
            row("Item", "2023", "2024", is_header=True),
            row("Assets", "", ""),
            row("Cash", "10", "-12"),
            row("Total assets", "10", "(12)"),
            row(Cell("Debts", 1, 3)),
            row("Loans", "4", "5"),
            row("Summe", "4", "5"),
        ),
        [
            ("header", "Item | 2023 | 2024"),
            ("row", "Assets › Cash | 10 | -12"),
            ("total", "Assets › Total assets | 10 | (12)"),
            ("row", "Debts › Loans | 4 | 5"),
            ("total", "Debts › Summe | 4 | 5"),
        ],
    ),
    "a row that lacks values": (
        (
            row("Town", "Phone", "Size"),
            row("Rome", "12", "1"),
            row("Bari", "", ""),
            row("Pisa", "3", "4"),
        ),
        [
            ("header", "Town | Phone | Size"),
            ("row", "Rome | 12 | 1"),
            ("row", "Bari"),
            ("row", "Pisa | 3 | 4"),
        ],
    ),
}
READERS: dict[str, Callable[[Rows], Blocks]] = {"cells": read_cells, "html": read_page}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("table", TABLES)
def test_a_table_means_what_it_shows(table: str, reader: str) -> None:
    rows, blocks = TABLES[table]
    assert READERS[reader](rows) == blocks
