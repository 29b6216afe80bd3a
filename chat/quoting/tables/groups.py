"""Groups: what is reckoned for each of the values of a column: "average price by region"."""

import re
from collections.abc import Mapping, Sequence

from chat.quoting.tables.asked import Asked
from chat.quoting.tables.conditions import same_values
from chat.quoting.tables.conditions.fitting import Condition
from chat.quoting.tables.extremes import CALENDAR
from chat.quoting.tables.naming import named_column, naming
from chat.quoting.tables.reading import Table, TableColumn, is_nothing
from chat.quoting.tables.wordings import MEASURES
from memory.text.words import stem

FOR_EACH = re.compile(
    r"\b(?:(?:broken down |grouped? |split )by|(?:for|of|in|at|on) (?:each|every)|each|every|per|by"
    r"|pro|je|nach|fur jede\w?|jede\w?|por cada|cada|por|pour chaque|par|chaque)$"
)
OF = frozenset(["of", "von", "der", "de", "des"])
PLURAL = ("s", "en")
# What may also divide one figure by another: "price per passenger".
DIVIDES = re.compile(r"\b(?:per|pro|je|por|par)$")


def grouped_by(asked: Asked, table: Table, *, is_ranked: bool) -> TableColumn | None:
    """Return for each value of which column the question wants a figure; its words are understood
    then. What is ranked "by weight" is not put together by it.
    """
    for at in range(1, len(asked.words)):
        before = FOR_EACH.search(" ".join(asked.words[:at]))
        if before is None:
            continue
        divides = is_ranked or DIVIDES.search(before.group()) is not None
        columns = [each for each in table.columns if _groups(each, divides=divides)]
        for end in (at + 2, at + 1):
            said = asked.words[at:end]
            column = named_column(said, columns) if len(said) == end - at else None
            if column and all(naming(word, column) for word in said):
                end += 2 * _is_of_rows(asked.words[end : end + 2], table)
                asked.open -= set(range(at - before.group().count(" ") - 1, end))
                return column
    return None


def _is_of_rows(said: Sequence[str], table: Table) -> bool:
    """Return whether the words only say of what a column is: "by type of job"."""
    if len(said) < 2 or said[0] not in OF or said[1].endswith(PLURAL):
        return False
    values = same_values((stem(said[1]),))
    return not any(
        naming(said[1], each) or not each.values.isdisjoint(values) for each in table.columns
    )


def _groups(column: TableColumn, *, divides: bool) -> bool:
    """Return whether rows can be put together by what the column says."""
    is_figure = column.is_of_figures and not CALENDAR.search(" ".join(column.words))
    return not column.is_of_days and not (is_figure and divides)


def compared_values(wanted: Sequence[Condition]) -> TableColumn | None:
    """Return the column of which several values are asked for: "of men and of women"."""
    columns = [each.column for each in wanted if each.sign == "=" and not each.column.is_of_days]
    several = [each for each in columns if columns.count(each) > 1]
    return several[0] if several else None


def rows_of_groups(column: TableColumn, rows: Sequence[int]) -> Mapping[str, list[int]]:
    """Return the rows of each value of the column; what is written small and large is one."""
    groups: dict[str, list[int]] = {}
    names: dict[str, str] = {}
    for at in rows:
        if not is_nothing(column.cells[at]):
            name = names.setdefault(column.cells[at].lower(), column.cells[at])
            groups.setdefault(name, []).append(at)
    return groups


def in_order(
    column: TableColumn, figures: Mapping[str, float], sign: int, *, is_ranked: bool
) -> Mapping[str, float]:
    """Return the groups' figures: the most first, if it is asked for; else of years and figures in
    their own order.
    """
    if column.is_of_figures and not is_ranked:
        return dict(sorted(figures.items(), key=lambda pair: column.value(pair[0]) or 0.0))
    return dict(sorted(figures.items(), key=lambda pair: -sign * pair[1]))


def adds_up(column: TableColumn) -> bool:
    """Return whether the sum of a column says something: its figures are whole, and no measures."""
    is_whole = all((column.value(cell) or 0.0).is_integer() for cell in column.filled)
    return is_whole and MEASURES.isdisjoint(column.words)
