"""Notation: how the cells of a column write figures and days, which one cell alone may not tell.

"39.613" is less than forty beside "28.8", and more than thirty thousand beside "1.204.300"; "03/12"
is in December where another cell says "25/12".
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from citations.formats.dates import MONTH, NUMBERS

DAY_VALUE = re.compile(r"(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?!\d)")
# "25/12/2021 10:00", "1.2.2021", "1/8/90".
NUMBERED_DAY = re.compile(r"(\d\d?)([-/.])(\d\d?)\2(\d{4}|\d\d(?=\D|$))(?!\d)")
NAMED_DAYS = (
    re.compile(
        rf"(?:\w{{2,10}},? )?(?P<day>\d\d?)(?:st|nd|rd|th|\.)?[ -](?:of |de )?"
        rf"(?P<month>{MONTH})\.?,?[ -](?:del? )?(?P<year>\d{{4}})\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:\w{{2,10}},? )?(?P<month>{MONTH})\.?[ -](?P<day>\d\d?)(?:st|nd|rd|th)?,?[ -]"
        r"(?P<year>\d{4})\b",
        re.IGNORECASE,
    ),
)
# "1e+05" is how programs write large ones.
VALUE = re.compile(
    r"[<>~≈]?\s?(?:[$€£]|US\$)?\s?([-−]?\d(?:[\d.,'’]{0,20}\d)?)(E[-+]?\d{1,2})?\s?\D{0,12}$",
    re.IGNORECASE,
)
SEPARATORS = re.compile(r"[.,'’]")
FRACTION = re.compile(r"[.,](?=\d{1,2}$|\d{4,}$)")
SIGNS = ".,"
THOUSAND = 3  # digits behind a mark
MONTHS = 12
# Years of two digits from here on are of the century before.
OF_LAST_CENTURY = 70


@dataclass(frozen=True)
class Notation:
    """How figures and days are written: the sign of decimals, and whether days come first; empty
    and None where nothing tells.
    """

    decimal: str = ""
    day_first: bool | None = None

    @classmethod
    def of(cls, cells: Iterable[str]) -> "Notation":
        """Return what the cells tell of it."""
        told = list(cells)
        figures = [match[1] for cell in told if (match := VALUE.match(cell.strip()))]
        is_decimal = [any(_is_decimal(sign, each) for each in figures) for sign in SIGNS]
        sign = (
            next((sign for sign, only in zip(SIGNS, is_decimal, strict=True) if only), "")
            if sum(is_decimal) == 1
            else ""
        )
        return cls(
            sign,
            _is_day_first([match for cell in told if (match := NUMBERED_DAY.match(cell.strip()))]),
        )

    def or_else(self, other: "Notation") -> "Notation":
        """Return it, with what it doesn't tell from the other."""
        day_first = other.day_first if self.day_first is None else self.day_first
        return Notation(self.decimal or other.decimal, day_first)

    def day(self, cell: str) -> date | None:
        """Return the day that a cell says."""
        text = cell.strip()
        if found := DAY_VALUE.match(text):
            return _date(*map(int, found.groups()))
        for form in NAMED_DAYS:
            if found := form.match(text):
                named = NUMBERS[found["month"].lower()]
                return _date(int(found["year"]), named, int(found["day"]))
        found = NUMBERED_DAY.match(text)
        if found is None or self.day_first is None:
            return None
        first, second = int(found[1]), int(found[3])
        day, month = (first, second) if self.day_first else (second, first)
        return _date(_year(found[4]), month, day)

    def figure(self, cell: str) -> float | None:
        """Return the figure that a cell says."""
        found = VALUE.match(cell.strip())
        if found is None:
            return None
        text = found[1].replace("−", "-")
        whole, fraction = text, ""
        if self.decimal and text.count(self.decimal) < 2:
            whole, _, fraction = text.partition(self.decimal)
        elif parts := FRACTION.split(text, maxsplit=1):
            whole, fraction = parts[0], "".join(parts[1:])
        figure = f"{SEPARATORS.sub('', whole)}.{SEPARATORS.sub('', fraction) or 0}"
        return float(f"{figure}{found[2] or ''}")

    def value(self, cell: str) -> float | None:
        """Return the figure or the day, to be compared with others of its column."""
        day = self.day(cell)
        return float(day.toordinal()) if day else self.figure(cell)


UNTOLD = Notation()


def value_of(cells: Sequence[str]) -> float | None:
    """Return the figure or the day that the first cell holds, as far as it tells by itself."""
    return UNTOLD.value(cells[0]) if cells else None


def _is_decimal(sign: str, figure: str) -> bool:
    """Return whether the sign can only be that of decimals: not that of thousands."""
    whole, found, behind = figure.lstrip("-−").partition(sign)
    if not found or not behind.isdecimal():
        return False
    others = set(SIGNS) & set(whole)
    return bool(others) or len(behind) != THOUSAND or len(whole) > THOUSAND or whole == "0"


def _is_day_first(found: Sequence[re.Match[str]]) -> bool | None:
    firsts, seconds = [int(each[1]) for each in found], [int(each[3]) for each in found]
    if max(firsts, default=0) > MONTHS:
        return True
    if max(seconds, default=0) > MONTHS:
        return False
    return True if any(each[2] == "." for each in found) else None


def _year(said: str) -> int:
    return (
        int(said) if len(said) > 2 else int(said) + (1900 if int(said) >= OF_LAST_CENTURY else 2000)
    )


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
