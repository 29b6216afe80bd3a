"""Days: what a question wants of columns of days and of months: "in 2012", "from may to july"."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from chat.quoting.tables.asked import Asked
from chat.quoting.tables.conditions.amounts import NUMBER, YEARS, compared, compares
from chat.quoting.tables.conditions.fitting import COMPARE, Condition
from chat.quoting.tables.reading import Table, TableColumn
from chat.quoting.tables.wordings import MONTHS
from memory.text.words import words

MONTH_NAMES = frozenset(["month", "monat", "mes", "mois"])
DAY_NAMES = frozenset(["day", "tag", "dia", "jour"])
NAMED_MONTHS = frozenset().union(*MONTHS)
MONTH = rf"(?:{'|'.join(sorted(NAMED_MONTHS, key=len, reverse=True))})"
YEAR = r"(?: \d{4})?"
# "June to August", "between June 2019 and May 2020", and "Jun-Aug", which has no word in between.
FROM_MONTH_TO_MONTH = re.compile(
    rf"\b(?:(?:between|zwischen|entre) (?P<low>{MONTH}{YEAR}) (?:and|und|y|et)"
    rf"|(?:(?:from|von|vom|ab|de|desde|du) )?(?P<first>{MONTH}{YEAR})"
    rf" ?(?:to|until|till|through|thru|bis|a|hasta|jusqu a|au)?)"
    rf" (?P<last>{MONTH}{YEAR})\b"
)
A_YEAR = 12


def of_days(asked: Asked, table: Table) -> Iterator[Condition]:
    """Yield what is wanted of the one column of days or months: "in 2012", "from may to july"."""
    days = [each for each in table.columns if each.is_of_days]
    yield from _of_months(asked, table, days)
    if len(days) != 1:
        yield from _of_month_numbers(asked, table)
        return
    yield from _of_whole_day(asked, days[0])
    for at in sorted(asked.open):
        word = asked.words[at]
        if is_year([word]):
            first, last, sign, _ = compared(asked, at, at + 1)
            asked.open -= set(range(first, last))
            yield _of_year(days[0], sign, int(word))
        elif month := _month_of(word):
            beside = [
                to for to in (at - 1, at + 1) if to in asked.open and _is_day(asked.words[to])
            ]
            is_said = bool(beside) or (at and asked.words[at - 1] in ("in", "im", "en", "on", "of"))
            is_said = is_said or is_year(asked.words[at + 1 : at + 2])
            if is_said:
                asked.open -= {at, *beside[:1]}
                yield _of_month(days[0], word, month, [asked.words[to] for to in beside[:1]])


def _of_months(asked: Asked, table: Table, days: Sequence[TableColumn]) -> Iterator[Condition]:
    """Yield that a month is from one to another, of the days, or of the names or numbers of months
    that the table has.
    """
    found = FROM_MONTH_TO_MONTH.search(asked.text)
    if found is None:
        return
    first = asked.text.count(" ", 0, found.start())
    places = range(first, first + found.group().count(" ") + 1)
    months = _numbered(table, MONTH_NAMES, A_YEAR)
    named = [each for each in table.columns if _is_of_month_names(each)]
    column = next(iter([*([months] if months else []), *named, *days]), None)
    if column is None or not asked.open.issuperset(places):
        return
    months_of = _number if column is months else _named if column in named else _dated
    low, high = (found["low"] or found["first"]).split(), found["last"].split()
    # "January to March 2001" leaves its year to what is wanted of years.
    has_years = len(low) == len(high) == len(["may", "2020"])
    asked.open -= set(places[: len(places) - (len(high) - 1) * (not has_years)])
    yield _from_to(column, low, high, months_of, has_years=has_years)


# What a cell says of its month: which one, and that since the year 0, if it tells a year.
MonthOf = Callable[[TableColumn, str], tuple[int, int]]


def _number(column: TableColumn, cell: str) -> tuple[int, int]:
    return int(column.value(cell) or 0), 0


def _named(_: TableColumn, cell: str) -> tuple[int, int]:
    return next((month for word in words(cell) if (month := _month_of(word))), 0), 0


def _dated(column: TableColumn, cell: str) -> tuple[int, int]:
    found = column.day(cell)
    return (found.month, found.year * A_YEAR + found.month) if found else (0, 0)


def _from_to(
    column: TableColumn,
    low: Sequence[str],
    high: Sequence[str],
    month_of: MonthOf,
    *,
    has_years: bool,
) -> Condition:
    first, last = _month_of(low[0]), _month_of(high[0])
    begin, end = (int(each[-1]) * A_YEAR if has_years else 0 for each in (low, high))

    def holds(cell: str) -> bool:
        month, whole = month_of(column, cell)
        if whole and has_years:
            return begin + first <= whole <= end + last
        is_within = first <= month <= last if first <= last else month >= first or month <= last
        return month > 0 and is_within

    return Condition(column, ":", f"{' '.join(low)} – {' '.join(high)}", holds)


def _is_of_month_names(column: TableColumn) -> bool:
    """Return whether each cell begins with a month: "January", "Jan 2024"."""
    said = [words(cell) for cell in column.filled]
    return bool(said) and all(each and each[0] in NAMED_MONTHS for each in said)


def _of_month_numbers(asked: Asked, table: Table) -> Iterator[Condition]:
    """Yield the month that a column of figures has as its number, and the day of it in another."""
    months, days = _numbered(table, MONTH_NAMES, 12), _numbered(table, DAY_NAMES, 31)
    if months is None:
        return
    for at in sorted(asked.open):
        month = _month_of(asked.words[at])
        if month and month in map(months.value, months.filled):
            asked.open.discard(at)
            yield compares(months, "=", month)
            beside = [
                to for to in (at - 1, at + 1) if to in asked.open and _is_day(asked.words[to])
            ]
            if days and beside:
                asked.open.discard(beside[0])
                yield compares(days, "=", float(asked.words[beside[0]].rstrip("stndrh")))


def _numbered(table: Table, names: frozenset[str], most: int) -> TableColumn | None:
    """Return the column of these names whose figures are places in a year or a month."""
    found = [
        each
        for each in table.columns
        if each.is_of_figures
        and not names.isdisjoint(each.words)
        and all(each.value(cell) in (None, *range(1, most + 1)) for cell in each.filled)
    ]
    return found[0] if len(found) == 1 else None


def is_year(said: Sequence[str]) -> bool:
    return bool(said) and NUMBER.fullmatch(said[0]) is not None and float(said[0]) in YEARS


def _month_of(word: str) -> int:
    return next((at for at, names in enumerate(MONTHS, start=1) if word in names), 0)


def _of_month(column: TableColumn, said: str, month: int, days: Sequence[str]) -> Condition:
    day = int(days[0].rstrip("stndrh")) if days else 0

    def holds(cell: str) -> bool:
        found = column.day(cell)
        return found is not None and found.month == month and day in (0, found.day)

    return Condition(column, "=", f"{said} {day}" if day else said, holds)


def _is_day(word: str) -> bool:
    day = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", word)
    return day is not None and 1 <= int(day[1]) <= 31


def _of_year(column: TableColumn, sign: str, year: int) -> Condition:
    compare = COMPARE[sign]

    def holds(cell: str) -> bool:
        found = column.day(cell)
        return found is not None and compare(found.year, year)

    return Condition(column, sign, str(year), holds)


def _of_whole_day(asked: Asked, column: TableColumn) -> Iterator[Condition]:
    """Yield what is wanted of days that are written in figures: "on 2012-04-30", "on 30/4/2012"."""
    for at in range(len(asked.words) - 2):
        said = asked.words[at : at + 3]
        is_open = asked.open.issuperset(range(at, at + 3))
        day = column.day("-".join(said)) if is_open and all(map(str.isdecimal, said)) else None
        if day is not None:
            first, last, sign, _ = compared(asked, at, at + 3)
            asked.open -= set(range(first, last))
            yield _compares_days(column, sign, day)


def _compares_days(column: TableColumn, sign: str, day: date) -> Condition:
    compare, wanted = COMPARE[sign], day.toordinal()

    def holds(cell: str) -> bool:
        found = column.day(cell)
        return found is not None and compare(found.toordinal(), wanted)

    return Condition(column, sign, day.isoformat(), holds)
