"""Rates: who asks for the accident rate, or accidents per 1000, isn't told how many there are."""

from dataclasses import replace

from chat.quoting.tables.asked import Asked
from chat.quoting.tables.groups import adds_up
from chat.quoting.tables.naming import naming
from chat.quoting.tables.reading import Table, TableColumn
from chat.quoting.tables.wordings import IN_DIGITS, OF_RATES, PER_SO_MANY, RATE
from memory.text.words import stem

# What is more counts something: rates are told per 100 or per 1000.
LARGEST_RATE = 1000
# Words beside a rate that say of what it is: "accident rate", "rate of accidents".
NEAR = 3


def seen_as_rates(question: str, table: Table) -> Table:
    """Return the table without the columns that count what the question wants the rate of."""
    asked = Asked.of(question)
    counting = _beside_those_per_so_many(asked, table) or _named_beside_rate(asked, table)
    kept = [each for each in table.columns if each not in counting]
    return replace(table, columns=kept) if counting and len(kept) > 1 else table


def take_rate(asked: Asked, table: Table) -> None:
    """Take "per 1000" for understood, where a column is called so."""
    if _per_so_many(asked, table):
        asked.take(PER_SO_MANY)


def _per_so_many(asked: Asked, table: Table) -> list[TableColumn]:
    said = PER_SO_MANY.search(asked.text)
    number = IN_DIGITS.get(said["number"], said["number"]) if said else ""
    return [each for each in table.columns if number in each.words and _is_rate(each)]


def _beside_those_per_so_many(asked: Asked, table: Table) -> list[TableColumn]:
    """Return the columns whose whole names stand in that of one per so many."""
    names = [set(map(stem, each.words)) for each in _per_so_many(asked, table)]
    return [
        each
        for each in table.columns
        if each.words and any(set(map(stem, each.words)) < name for name in names)
    ]


def _named_beside_rate(asked: Asked, table: Table) -> list[TableColumn]:
    """Return the columns that count what stands beside the word for a rate, and are none."""
    found = RATE.search(asked.text)
    if found is None:
        return []
    at = asked.text.count(" ", 0, found.start())
    beside = asked.words[max(0, at - 1) : at + NEAR]
    named = [each for each in table.columns if any(naming(word, each) for word in beside)]
    adding = [each for each in named if not _is_rate(each) and each.is_of_figures and adds_up(each)]
    if any(map(_is_rate, named)):
        return adding
    return [
        each
        for each in adding
        if any((each.value(cell) or 0.0) > LARGEST_RATE for cell in each.filled)
    ]


def _is_rate(column: TableColumn) -> bool:
    return not OF_RATES.isdisjoint(column.words)
