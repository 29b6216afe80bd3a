"""Nearness: columns of which the names mean about what a question says in other words.

That is no certain answer: to a model of meaning exports are as near to imports as wages to salary.
"""

from collections.abc import Iterator
from dataclasses import replace

from chat.quoting.tables.acts import act_of
from chat.quoting.tables.asked import Asked
from chat.quoting.tables.conditions import conditions_of
from chat.quoting.tables.naming import naming
from chat.quoting.tables.reading import Table, TableColumn
from memory.text.embedding import likeness
from memory.text.words import stem

# How like the nearest name is at least, and how much more than the next one.
NEAR, MARGIN = 0.95, 0.12
# Columns that are compared, and words of what is asked for.
MOST_COMPARED, LONGEST_ASKED = 30, 3
# Letters of a name or a word that means something by itself.
SHORTEST = 3


def with_near_columns(question: str, table: Table) -> Table | None:
    """Return the table with the column that is meant by what nothing in it is called; None if that
    is none or several.
    """
    said = list(_not_understood(question, table))
    columns = [each for each in table.columns if len(" ".join(each.words)) >= SHORTEST]
    if len(said) != 1 or len(said[0]) > LONGEST_ASKED or len(columns) > MOST_COMPARED:
        return None
    nearest = _nearest(" ".join(said[0]), columns)
    if nearest is None:
        return None
    known = replace(nearest, near=frozenset(map(stem, said[0])))
    return replace(table, columns=[known if each == nearest else each for each in table.columns])


def _not_understood(question: str, table: Table) -> Iterator[list[str]]:
    """Yield the words beside one another that neither a column nor a row says."""
    asked = Asked.of(question)
    act_of(question, asked, table)
    conditions_of(asked, table)
    last = -1
    stretch: list[str] = []
    for at in asked.left(table):
        word = asked.words[at]
        if not word.isalpha() or len(word) < SHORTEST:
            continue
        if any(naming(word, each) for each in table.columns):
            continue
        if stretch and at > last + 1:
            yield stretch
            stretch = []
        stretch, last = [*stretch, word], at
    if stretch:
        yield stretch


def _nearest(said: str, columns: list[TableColumn]) -> TableColumn | None:
    names = [" ".join(each.words) for each in columns]
    found = sorted(zip(likeness(said, names), range(len(names)), strict=True), reverse=True)
    (best, at), (second, _), *_ = [*found, (0.0, -1), (0.0, -1)]
    return columns[at] if best >= NEAR and best - second >= MARGIN else None
