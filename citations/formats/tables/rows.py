"""Rows: groups and totals among a table's rows, and columns split to fit passages."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citations.formats.blocks import BlockKind
from citations.formats.parts import PartKind, Reason
from citations.formats.sections import MAX_CELLS, Sections
from citations.formats.tables.grid import NAME, TITLE, GridRow, compact_grid, is_figure
from citations.formats.tables.headers import (
    JOINT,
    count_header_rows,
    count_notes,
    count_preamble_rows,
    join_headers,
    split_at_headers,
)

# Maximum length of all column names together, since a passage repeats them above its rows.
WIDE = 200
ENDS = re.compile(r"[.!?;]$")
WORDS = re.compile(r"[\w-]+")
# The words that a label of a total or balance begins or ends with, by language.
TOTALS = {
    "en": "total totals subtotal sub-total sum balance",
    "es": "total totales subtotal suma saldo",
    "de": "summe gesamt gesamtsumme zwischensumme endsumme gesamtbetrag insgesamt saldo kontostand",
    "fr": "total totaux sous-total somme solde",
}
TOTAL_WORDS = frozenset(" ".join(TOTALS.values()).split())
LONGEST_TOTAL = 4  # words


@dataclass
class Table:
    """A table with its captions, the names of its columns and its rows."""

    captions: list[str]
    names: list[str]
    rows: Sequence[GridRow]


def add_grid(sections: Sections, rows: Sequence[GridRow], caption: str = "") -> None:
    """Add the captions, header and rows of a table, with the remarks above and below it."""
    grid = compact_grid(rows)
    captions = [caption] if caption else []
    if not grid:
        sections.add(BlockKind.CAPTION, caption)
        return
    above = count_preamble_rows(grid)
    for row in grid[:above]:
        line = " ".join(row.texts)
        if row.is_alone and len(line) <= TITLE and line not in captions:
            captions.append(line)
        elif line not in captions:
            sections.paragraph(line)
    for part in split_at_headers(grid[above:]):
        headers = count_header_rows(part)
        end = len(part) - count_notes(part[headers:])
        names = join_headers(part[:headers])
        add_columns(sections, Table(captions, names, part[headers:end]))
        for row in part[end:]:
            sections.paragraph(" ".join(row.texts))


def add_columns(sections: Sections, table: Table) -> None:
    """Add the rows; a wide table is split into parts that each begin with the first column."""
    rows = list(carry_groups(table.rows))
    for number, columns in enumerate(split_columns(table.names, table.rows)):
        for caption in table.captions:
            sections.add(BlockKind.CAPTION, caption)
        if any(table.names):
            sections.row([table.names[at] for at in columns], is_header=True)
        for at, (row, is_total) in enumerate(rows):
            if sections.full:
                sections.parts.count(PartKind.ROW, len(rows) - at, unread=Reason.BEYOND_LIMIT)
                return
            cells = [row.cells[at] for at in columns]
            if number == 0 or any(row.cells[at] for at in columns if at):
                sections.row(cells, is_total=is_total)


def carry_groups(rows: Sequence[GridRow]) -> Iterator[tuple[GridRow, bool]]:
    """Yield the rows, with their group's label in the first cell, and whether each is a total.

    A row without values counts as a label only if the first row lacks values too. The table must
    also have more than two columns or several such rows. A header or a merged cell counts anyway.
    """
    is_grouped = bool(rows) and is_label(rows[0])
    is_grouped = is_grouped and (len(rows[0].cells) > 2 or sum(map(is_label, rows)) > 1)
    group: list[str] = []
    is_above = False
    for at, row in enumerate(rows):
        is_wide = row.is_alone and (row.is_header or row.width > 1)
        if is_label(row) and (is_grouped or is_wide) and at + 1 < len(rows):
            group = [*group, *row.texts] if is_above else row.texts
            is_above = True
            continue
        total, is_above = is_total(row), False
        row.cells[0] = JOINT.join(filter(None, [*group, row.cells[0]]))
        yield row, total
        group = [] if total else group


def is_label(row: GridRow) -> bool:
    text = row.cells[0]
    is_name = 0 < len(text) <= NAME and not is_figure(text) and not ENDS.search(text)
    return row.is_alone and len(row.cells) > 1 and is_name


def is_total(row: GridRow) -> bool:
    """Return whether a row with figures is labelled as a total or a balance."""
    texts = row.texts
    labels = [WORDS.findall(text.casefold()) for text in texts[:2] if not is_figure(text)]
    is_labelled = any(
        0 < len(words) <= LONGEST_TOTAL and not TOTAL_WORDS.isdisjoint((words[0], words[-1]))
        for words in labels
    )
    return is_labelled and any(map(is_figure, texts))


def split_columns(names: Sequence[str], rows: Sequence[GridRow]) -> Iterator[list[int]]:
    """Yield the columns of each part, so that a passage can repeat their names."""
    width = len(rows[0].cells) if rows else len(names)
    sizes = [len(name) for name in names] or [0] * width
    if sum(sizes) <= WIDE and width <= MAX_CELLS:
        yield list(range(width))
        return
    key = [0] if all(len(row.cells[0]) <= NAME for row in rows) else []
    part, room = list(key), WIDE - sizes[0] * len(key)
    for at in range(len(key), width):
        if len(part) > len(key) and (sizes[at] > room or len(part) >= MAX_CELLS):
            yield part
            part, room = list(key), WIDE - sizes[0] * len(key)
        part.append(at)
        room -= sizes[at]
    yield part
