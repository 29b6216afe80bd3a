"""Relative dates become dates: "last month" means nothing to a library a year later.

What hangs on the day of the question ("last month", "hace dos semanas") is counted from that day.
What hangs on a date in the conversation ("the day before", "that year") is counted from the one
that was named last. The date is put behind the words, which stay; where none was named, nothing
is. English and Spanish.
"""

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from memory.recall.rewriting.about import apart, behind
from memory.recall.rewriting.exchanges import Exchange, Rewrite

REASON = "date_resolved"
LOOKED_AT = 3  # exchanges, for a date that was named
MOST = 8  # in a question

ENGLISH = """January February March April May June July August September October November
December""".split()
SPANISH = """enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre
diciembre""".split()
MONTHS = {
    name.lower(): number for names in (ENGLISH, SPANISH) for number, name in enumerate(names, 1)
}
WEEKDAYS = {
    name: number
    for names in (
        "monday tuesday wednesday thursday friday saturday sunday",
        "lunes martes miércoles jueves viernes sábado domingo",
    )
    for number, name in enumerate(names.split())
}
COUNTS = {
    word: number
    for words in (
        "a two three four five six seven eight nine ten eleven twelve",
        "un dos tres cuatro cinco seis siete ocho nueve diez once doce",
    )
    for number, word in enumerate(words.split(), 1)
} | {"one": 1, "una": 1}
UNITS = {
    "día": "day",
    "semana": "week",
    "mes": "month",
    "trimestre": "quarter",
    "año": "year",
}
SHIFTS = {
    **dict.fromkeys("last previous preceding prior before pasado pasada anterior".split(), -1),
    **dict.fromkeys("this that este esta ese esa".split(), 0),
    **dict.fromkeys(
        ["next", "following", "after", "siguiente", "próximo", "próxima", "que viene"], 1
    ),
}
DAYS_AWAY = {
    "the day before yesterday": -2,
    "the day after tomorrow": 2,
    "yesterday": -1,
    "today": 0,
    "tomorrow": 1,
    "anteayer": -2,
    "pasado mañana": 2,
    "ayer": -1,
    "hoy": 0,
    "mañana": 1,
}

SPANISH_WORDS = {*UNITS, *list(WEEKDAYS)[7:], "hace", "hoy", "ayer", "anteayer", "mañana"}

_UNIT = r"(?P<unit>day|week|month|quarter|year)"
_LONGER = r"(?P<unit>week|month|quarter|year)"
_UNIDAD = r"(?P<unit>día|semana|mes|trimestre|año)"
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(COUNTS)})"
_ENDS = r"(?=\s*(?:[?.!,;)]|$))"
# What they hang on: the day of the question, or the date that was named last.
FROM_TODAY = [
    rf"(?<!\bthe )\b(?P<shift>last|this|next) {_LONGER}\b(?! of\b|['’])",
    rf"\b{_COUNT} {_UNIT}s? (?P<ago>ago)\b",
    rf"\b{_COUNT} {_UNIT}s? from now\b",
    rf"(?<!\bthe )\b(?P<shift>last|next) (?P<weekday>{'|'.join(list(WEEKDAYS)[:7])})\b",
    rf"\b(?:el|la) {_UNIDAD} (?P<shift>pasad[oa]|próxim[oa]|que viene)\b",
    rf"\b(?:el|la) (?P<shift>próxim[oa]) {_UNIDAD}\b",
    rf"\b(?P<shift>est[ea]) {_UNIDAD}\b",
    rf"\b(?P<ago>hace) {_COUNT} {_UNIDAD}(?:e?s)?\b",
    rf"\bel (?P<weekday>{'|'.join(list(WEEKDAYS)[7:])}) (?P<shift>pasado|próximo|que viene)\b",
    rf"(?<!\bla )\b(?P<away>{'|'.join(DAYS_AWAY)})\b(?!['’])",
]
FROM_NAMED = [
    rf"\bthe {_UNIT} (?P<shift>before|after){_ENDS}",
    rf"\bthe (?P<shift>previous|preceding|prior|following|next) {_UNIT}\b(?! of\b)",
    rf"\b(?P<shift>that) {_UNIT}{_ENDS}",
    rf"\b(?:el|la) {_UNIDAD} (?P<shift>anterior|siguiente){_ENDS}",
    rf"\b(?P<shift>es[ea]) {_UNIDAD}{_ENDS}",
]
_TODAY = [re.compile(pattern, re.IGNORECASE) for pattern in FROM_TODAY]
_NAMED = [re.compile(pattern, re.IGNORECASE) for pattern in FROM_NAMED]

_MONTH = rf"(?P<month>{'|'.join(MONTHS)})"
_YEAR = r"(?P<year>1[5-9]\d\d|2[01]\d\d)"
_DAY = r"(?P<day>[0-3]?\d)"
DATES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_YEAR}-(?P<number>[01]\d)-{_DAY}\b",
        rf"\b{_DAY}(?:st|nd|rd|th)? (?:of |de )?{_MONTH},? (?:de )?{_YEAR}\b",
        rf"\b{_MONTH} {_DAY}(?:st|nd|rd|th)?,? {_YEAR}\b",
        rf"\b{_MONTH},? (?:de )?{_YEAR}\b",
        rf"\b{_YEAR}\b",
    )
]
FINEST = ["day", "week", "month", "quarter", "year"]


@dataclass(frozen=True)
class Stretch:
    """A stretch of time: the day, week, month, quarter or year that the date lies in."""

    unit: str
    day: date

    def moved(self, unit: str, by: int) -> "Stretch":
        """Return the stretch so many units away; raises OverflowError or ValueError far away."""
        if unit in ("day", "week"):
            days = by * (7 if unit == "week" else 1)
            return Stretch(unit, self.day + timedelta(days=days))
        months = self.day.year * 12 + self.day.month - 1
        months += by * {"month": 1, "quarter": 3, "year": 12}[unit]
        year, month = divmod(months, 12)
        last = monthrange(year, month + 1)[1]
        return Stretch(unit, date(year, month + 1, min(self.day.day, last)))

    @property
    def first(self) -> date:
        """The first of its days."""
        if self.unit == "week":
            return self.day - timedelta(days=self.day.weekday())
        months = {"month": self.day.month, "quarter": self.day.month - (self.day.month - 1) % 3}
        is_day = self.unit == "day"
        return self.day if is_day else self.day.replace(month=months.get(self.unit, 1), day=1)

    @property
    def last(self) -> date:
        """The last of its days."""
        return Stretch(self.unit, self.first).moved(self.unit, 1).day - timedelta(days=1)

    def worded(self, *, spanish: bool) -> str:
        """Return the stretch as a document would write it."""
        of, months = (" de ", SPANISH) if spanish else (" ", ENGLISH)
        month = months[self.day.month - 1]
        if self.unit == "week":
            between = " a " if spanish else " to "
            ends = (Stretch("day", day) for day in (self.first, self.last))
            return between.join(day.worded(spanish=spanish) for day in ends)
        return {
            "day": f"{self.day.day}{of}{month}{of}{self.day.year}",
            "month": f"{month}{of}{self.day.year}",
            "quarter": f"Q{(self.day.month + 2) // 3} {self.day.year}",
            "year": str(self.day.year),
        }[self.unit]


def resolve_dates(standalone: Rewrite, exchanges: Sequence[Exchange], today: date) -> Rewrite:
    """Return the question with dates behind the words that stand for them.

    `today` is the day of the question where the person is.
    """
    asked, about = apart(standalone.query)
    text = asked
    found = sorted(_matches(text), key=lambda found: found[0].start())
    for match, is_named in reversed(found[:MOST]):
        begin = named_last(text[: match.start()], exchanges) if is_named else Stretch("day", today)
        meant = begin and _meant(match, begin)
        if meant and not text.startswith(" (", match.end()):
            spanish = not SPANISH_WORDS.isdisjoint(match.group().lower().split())
            end = match.end()
            text = f"{text[:end]} ({meant.worded(spanish=spanish)}){text[end:]}"
    if text == asked:
        return standalone
    text = behind(text, about)
    kept = standalone.reason in ("first_question", "stands_alone", "nothing_to_carry")
    return replace(standalone, query=text, reason=REASON if kept else standalone.reason)


def named_last(before: str, exchanges: Sequence[Exchange]) -> Stretch | None:
    """Return the date that was named last: in the question so far, then turn by turn.

    Of a turn it is the last of its question, or else the first of its answer.
    """
    if own := list(dates_in(before)):
        return own[-1]
    for exchange in reversed(exchanges[-LOOKED_AT:]):
        if asked := list(dates_in(exchange.standalone or exchange.query)):
            return asked[-1]
        if answered := next(dates_in(exchange.response), None):
            return answered
    return None


def dates_in(text: str) -> Iterator[Stretch]:
    """Yield the dates that the text names, in order, each as finely as it is named."""
    found: dict[int, Stretch] = {}
    taken: set[int] = set()  # the places of characters
    for pattern in DATES:
        for match in pattern.finditer(text):
            places = range(*match.span())
            if taken.isdisjoint(places) and (named := _date_of(match)):
                found[match.start()] = named
                taken.update(places)
    yield from (found[at] for at in sorted(found))


def _date_of(match: re.Match[str]) -> Stretch | None:
    parts = match.groupdict()
    number = parts.get("number")
    month = int(number) if number else MONTHS.get((parts.get("month") or "").lower(), 0)
    unit = "day" if parts.get("day") else "month" if month else "year"
    try:
        return Stretch(unit, date(int(parts["year"]), month or 1, int(parts.get("day") or 1)))
    except ValueError:  # 31 February
        return None


def _matches(text: str) -> Iterator[tuple[re.Match[str], bool]]:
    taken: set[int] = set()
    for is_named, patterns in ((False, _TODAY), (True, _NAMED)):
        for match in (match for pattern in patterns for match in pattern.finditer(text)):
            places = range(*match.span())
            if taken.isdisjoint(places):
                taken.update(places)
                yield match, is_named


def _meant(match: re.Match[str], begin: Stretch) -> Stretch | None:
    """Return what the words mean, counted from there; None if that isn't named finely enough."""
    parts = {name: value.lower() for name, value in match.groupdict().items() if value}
    shift = SHIFTS.get(parts.get("shift", ""), 0)
    try:
        if away := parts.get("away"):
            return begin.moved("day", DAYS_AWAY[away])
        if weekday := parts.get("weekday"):
            # The next such weekday or the last, which is never the day itself.
            ahead = (WEEKDAYS[weekday] - begin.day.weekday()) % 7
            return begin.moved("day", (ahead or 7) if shift > 0 else ahead - 7)
        unit = UNITS.get(parts["unit"], parts["unit"])
        if FINEST.index(begin.unit) > FINEST.index(unit):
            return None
        if count := parts.get("count"):
            number = COUNTS.get(count) or int(count)
            return begin.moved(unit, -number if "ago" in parts else number)
        return begin.moved(unit, shift)
    except (ValueError, OverflowError):  # thousands of years away
        return None
