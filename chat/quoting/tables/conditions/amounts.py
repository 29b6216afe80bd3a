"""Amounts: what a question wants of columns of figures: "8 cylinders", "over 10 million people"."""

import re
from collections.abc import Iterator, Sequence

from chat.quoting.tables.asked import Asked
from chat.quoting.tables.conditions.fitting import COMPARE, Condition
from chat.quoting.tables.conditions.yes_or_no import says_yes_or_no
from chat.quoting.tables.naming import named_column, naming
from chat.quoting.tables.reading import Table, TableColumn
from chat.quoting.tables.wordings import (
    AFTER,
    BEFORE,
    BEHIND,
    BY_ADJECTIVE,
    COMPARISONS,
    NONE,
    TIMES,
)
from memory.text.words import STOP_WORDS

NUMBER = re.compile(r"\d+(?:\.\d+)?")
YEARS = range(1500, 2101)
# Words between a number and the name of its column.
NEAR = 3
BETWEEN = frozenset(["between", "from", "zwischen", "von", "entre", "de"])
AND = frozenset(["and", "und", "y", "et"])
OR = frozenset(["or", "oder", "o", "ou"])
OF_TIME = re.compile(rf"\b(?:{BEFORE}|{AFTER}|since|until|till|seit|bis|desde|hasta|depuis)$")
PERCENT = frozenset(["percent", "per cent", "prozent", "por ciento", "pour cent"])
RANGES = AND | {"to", "bis", "a"}


def of_figures(asked: Asked, table: Table) -> Iterator[Condition]:
    figures = [each for each in table.columns if each.is_of_figures and not says_yes_or_no(each)]
    has_days = any(each.is_of_days for each in table.columns)
    for at in [at for at in sorted(asked.open) if NUMBER.fullmatch(asked.words[at])]:
        if at not in asked.open:
            continue
        value, end = float(asked.words[at]), at + 1
        is_of_time = value in YEARS and OF_TIME.search(" ".join(asked.words[:at])) is not None
        if wide := _range_at(asked, at):
            found = _between(asked, at, *wide, figures)
            if found is not None:
                yield found
            continue
        if end < len(asked.words) and asked.words[end] in TIMES:
            value, end = value * TIMES[asked.words[end]], end + 1
        end += words_of_percent(asked.words[end : end + 2])
        first, last, sign, fitting = compared(asked, at, end, figures)
        column, place = _column_beside(asked, first, at, last, figures)
        if column is None and fitting:
            [*of_it] = [each for each in figures if re.search(fitting, " ".join(each.words))]
            column = of_it[0] if len(of_it) == 1 else None
        if column is None and sign != "=" and len(figures) == 1 and value not in YEARS:
            column = figures[0]
        if sign == "=" and column is not None and not _has(column, value):
            column = None  # "total precipitation 2015"
        if column is not None and value not in YEARS and _is_of_years(column):
            column = None  # "how many years was it above 8 percent"
        if column is not None and has_days and is_of_time and not _is_of_years(column):
            continue  # "highest price before 2007", which is no price
        years = _of_years(figures, value) if is_of_time else None
        if years is not None and column is not None and not _is_of_years(column):
            column, place = years, set()  # "accident rate since 1990", which is no rate
        if column is None and value in YEARS and end == at + 1:
            column, place = _of_years(figures, value), set()
        if column is not None:
            asked.open -= {*range(first, last), *place}
            yield compares(column, sign, value)


def _range_at(asked: Asked, at: int) -> tuple[int, float, float] | None:
    """Return where the range ends that a number begins, with both its ends: "5 to 6 million"."""
    said = asked.words
    if at + 2 >= len(said) or said[at + 1] not in RANGES or not NUMBER.fullmatch(said[at + 2]):
        return None
    if said[at + 1] in AND and (at == 0 or said[at - 1] not in BETWEEN):
        return None
    is_times = at + 3 < len(said) and said[at + 3] in TIMES
    times = TIMES[said[at + 3]] if is_times else 1.0
    low, high = float(said[at]), float(said[at + 2])
    return at + 3 + is_times, low * times if low < high else low, high * times


def _between(
    asked: Asked, at: int, end: int, low: float, high: float, figures: Sequence[TableColumn]
) -> Condition | None:
    first = at - (at > 0 and asked.words[at - 1] in BETWEEN)
    column, place = _column_beside(asked, first, at, end, figures)
    if column is None:
        return None
    asked.open -= {*range(first, end), *place}

    def holds(cell: str) -> bool:
        own = column.value(cell)
        return own is not None and low <= own <= high

    return Condition(column, ":", f"{low:.10g} – {high:.10g}", holds)


def compared(
    asked: Asked, at: int, end: int, columns: Sequence[TableColumn] = ()
) -> tuple[int, int, str, str]:
    """Return where the comparison with a number begins and ends, its sign, and the names of columns
    that an adjective is said of. A column may stand in between: "above magnitude 6".
    """
    first = at
    while at and at - first < NEAR and any(naming(asked.words[at - 1], each) for each in columns):
        at -= 1
    for begin in dict.fromkeys((first, at)):
        before = " ".join(asked.words[:begin])
        for pattern, sign in COMPARISONS:
            if found := pattern.search(before):
                said = found.group()
                fitting = BY_ADJECTIVE.get(said, ("", ""))[1]
                return begin - said.count(" ") - 1, end, sign, fitting
    behind = " ".join(asked.words[end:])
    for pattern, sign in BEHIND:
        if found := pattern.search(behind):
            return first, end + found.group().count(" ") + 1, sign, ""
    return first, end, "=", ""


def _column_beside(
    asked: Asked, first: int, at: int, last: int, columns: Sequence[TableColumn]
) -> tuple[TableColumn | None, set[int]]:
    """Return the column that is named within the comparison with the number at a place, or right
    behind it, or else nearest before it.
    """
    within = range(at - 1, first, -1)
    while last + 1 < len(asked.words) and is_another(asked.words[last : last + 2]):
        last += 2
    behind = range(last, min(last + NEAR, len(asked.words)))
    before = range(first - 1, max(first - 1 - 2 * NEAR, -1), -1)
    for places in (within, behind, before):
        for place in places:
            if NUMBER.fullmatch(asked.words[place]):
                break
            if asked.words[place] in STOP_WORDS:
                continue
            beside = [other for other in (place - 1, place, place + 1) if other in places]
            column = named_column([asked.words[other] for other in beside], columns)
            column = column or named_column([asked.words[place]], columns)
            if column is not None and naming(asked.words[place], column):
                return column, {other for other in beside if naming(asked.words[other], column)}
    return None, set()


def words_of_percent(said: Sequence[str]) -> int:
    """Return how many words say that the number before them is of a hundred."""
    return next((count for count in (1, 2) if " ".join(said[:count]) in PERCENT), 0)


def is_another(said: Sequence[str]) -> bool:
    """Return whether the words go on with another number: "4 or 6 cylinders"."""
    return said[0] in AND | OR and NUMBER.fullmatch(said[1]) is not None


def _has(column: TableColumn, value: float) -> bool:
    return any(column.value(cell) == value for cell in column.filled)


def _of_years(figures: Sequence[TableColumn], value: float) -> TableColumn | None:
    """Return the one column that holds nothing but years, and this one among them."""
    fitting = [each for each in figures if _has(each, value) and _is_of_years(each)]
    return fitting[0] if len(fitting) == 1 else None


def _is_of_years(column: TableColumn) -> bool:
    return all(column.value(cell) in (None, *YEARS) for cell in column.filled)


def compares(column: TableColumn, sign: str, value: float) -> Condition:
    """Return that the figures of a column are as far from a value as the sign says."""
    compare = COMPARE[sign]

    def holds(cell: str) -> bool:
        own = column.value(cell)
        return own is not None and compare(own, value)

    return Condition(column, sign, f"{value:.10g}" if value < 1e10 else f"{value:.0f}", holds)


def of_none(asked: Asked, table: Table) -> Iterator[Condition]:
    """Yield that there is none of a column of figures: "never had a hurricane"."""
    found = NONE.search(asked.text)
    if found is None:
        return
    at = asked.text.count(" ", 0, found.start())
    figures = [each for each in table.columns if each.is_of_figures]
    column, place = _column_beside(asked, at, at, at + 1, figures)
    if column is not None and min(place) > at and found.group() != "any":
        asked.open -= {at, *place}
        yield compares(column, "=", 0.0)
