"""Tables: what they show is in each row, whatever the format."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from citations.formats import html
from citations.formats.office import opendocument
from citations.formats.office.spreadsheets import xlsx
from citations.formats.reading import FileReading, ReadingLimits, ignore_progress
from citations.formats.sections import Sections
from citations.formats.tables import Cell, add_regions, add_table
from tests.citations import office_files

LIMITS = ReadingLimits(pages=10)
BOLD = '<style:style style:name="b"><style:text-properties fo:font-weight="bold"/></style:style>'
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
    found = html.read(page.encode(), LIMITS, ignore_progress)
    return [(block.kind, block.text) for part in found.sections for block in part.blocks]


def html_cell(cell: Cell) -> str:
    tag = "th" if cell.is_header else "td"
    return f'<{tag} rowspan="{cell.rows}" colspan="{cell.columns}">{cell.text}</{tag}>'


def read_workbook(rows: Rows) -> Blocks:
    made, merged = [], ""
    for number, row in enumerate(placed(rows), 1):
        made.append([None if cell is None else (cell.text, int(cell.is_header)) for cell in row])
        for at, cell in enumerate(row):
            if cell and (cell.rows, cell.columns) != (1, 1):
                last = f"{chr(ord('A') + at + cell.columns - 1)}{number + cell.rows - 1}"
                merged += f'<mergeCell ref="{chr(ord("A") + at)}{number}:{last}"/>'
    sheet = f"{office_files.rows(*made)}<mergeCells>{merged}</mergeCells>"
    return join_sheets(xlsx.read(office_files.workbook(sheet, forms=[""]), LIMITS, ignore_progress))


def read_ods(rows: Rows) -> Blocks:
    written = "".join(
        f"<table:table-row>{''.join(map(ods_cell, row))}</table:table-row>" for row in placed(rows)
    )
    body = f'<table:table table:name="Sheet">{written}</table:table>'
    made = office_files.opendocument("spreadsheet", body, own=BOLD)
    return join_sheets(opendocument.read(made, LIMITS, ignore_progress))


def placed(rows: Rows) -> list[list[Cell | None]]:
    """Put the cells in their columns, and nothing where merged ones cover them."""
    taken: set[tuple[int, int]] = set()
    found: list[list[Cell | None]] = []
    for number, row in enumerate(rows):
        line: list[Cell | None] = []
        for cell in row:
            while (number, len(line)) in taken:
                line.append(None)
            for at in range(len(line), len(line) + cell.columns):
                taken |= {(below, at) for below in range(number, number + cell.rows)}
            line += [cell, *[None] * (cell.columns - 1)]
        found.append(line)
    return found


def ods_cell(cell: Cell | None) -> str:
    if cell is None:
        return "<table:covered-table-cell/>"
    spans = f'table:number-rows-spanned="{cell.rows}" table:number-columns-spanned="{cell.columns}"'
    style = ' table:style-name="b"' if cell.is_header else ""
    text = f"<text:p>{cell.text}</text:p>" if cell.text else ""
    return f"<table:table-cell {spans}{style}>{text}</table:table-cell>"


def join_sheets(found: FileReading) -> Blocks:
    """Return the blocks; a line that stands alone in a sheet is a heading."""
    titles = dict.fromkeys(title for part in found.sections for title in part.headings[1:])
    blocks = [(block.kind, block.text) for part in found.sections for block in part.blocks]
    return [*(("caption", title) for title in titles), *blocks]


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
    "a group right below the names": (
        (
            row("Boat", "Hour", "Day", is_header=True),
            row(Cell("With motor", 1, 3, is_header=True)),
            row("Small", "30", "140"),
            row(Cell("Without motor", 1, 3, is_header=True)),
            row("Small", "12", "48"),
        ),
        [
            ("header", "Boat | Hour | Day"),
            ("row", "With motor › Small | 30 | 140"),
            ("row", "Without motor › Small | 12 | 48"),
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
READERS: dict[str, Callable[[Rows], Blocks]] = {
    "cells": read_cells,
    "html": read_page,
    "xlsx": read_workbook,
    "ods": read_ods,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("table", TABLES)
def test_a_table_means_what_it_shows(table: str, reader: str) -> None:
    rows, blocks = TABLES[table]
    assert READERS[reader](rows) == blocks


TEXTS = st.sampled_from(["", "Name", "12", "3,5 %", "2024", "Total", "x" * 90, "y" * 205])
CELLS = st.builds(Cell, TEXTS, st.integers(1, 3), st.sampled_from([1, 1, 2, 50]), st.booleans())


@pytest.mark.parametrize("add", [add_table, add_regions])
@settings(max_examples=150, deadline=None)
@given(table=st.lists(st.lists(CELLS, max_size=6), max_size=8))
def test_no_text_of_a_cell_is_lost(add: Callable[[Sections, Rows], None], table: Rows) -> None:
    sections = Sections(LIMITS)
    marked = [
        [replace(cell, text=f"{cell.text}#{at}.{place}") for place, cell in enumerate(row)]
        for at, row in enumerate(table)
    ]
    add(sections, marked)
    found = sections.finished("")
    read = "\n".join("\n".join([*part.headings, part.text]) for part in found)
    assert all(cell.text in read for row in marked for cell in row)
