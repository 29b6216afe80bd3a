"""Fitting: which rows of a table are as a question wants them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chat.quoting.tables.reading import Table, TableColumn, cell_of

COMPARE: dict[str, Callable[[float, float], bool]] = {
    "=": lambda own, asked: own == asked,
    ">": lambda own, asked: own > asked,
    "≥": lambda own, asked: own >= asked,
    "<": lambda own, asked: own < asked,
    "≤": lambda own, asked: own <= asked,
}


@dataclass(frozen=True)
class Condition:
    """What the cells of a column must be, and how that is told."""

    column: TableColumn
    sign: str
    told: str
    holds: Callable[[str], bool]


def fitting_rows(table: Table, wanted: Sequence[Condition]) -> list[int]:
    """Return which rows fit: of conditions on equals in one column any, of all columns each."""
    of_columns: dict[tuple[int, str], list[Condition]] = {}
    for at, each in enumerate(wanted):
        is_either = each.sign in ("=", "∋", "~") and not each.column.is_of_days
        of_columns.setdefault((each.column.at, "" if is_either else str(at)), []).append(each)
    return [
        at
        for at, row in enumerate(table.rows)
        if all(
            any(each.holds(cell_of(row, column)) for each in group)
            for (column, _), group in of_columns.items()
        )
    ]
