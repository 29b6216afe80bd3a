"""Number formats: what a cell of a spreadsheet shows for its number.

    1234.5 as `#,##0.00 "€"` is 1,234.50 €, 45000 as `dd.mm.yyyy` is 15.03.2023

As Excel draws it where a format names a form; where it leaves the form to the reader's own country,
dates are ISO's.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from math import isfinite
from typing import NamedTuple

ISO, ISO_TIME = "yyyy-mm-dd", "yyyy-mm-dd hh:mm"
# Those that files name by a number only.
BUILT_IN = dict(enumerate(("", "0", "0.00", "#,##0", "#,##0.00")))
BUILT_IN |= {9: "0%", 10: "0.00%", 11: "0.00E+00", 48: "0.0E+0"}
BUILT_IN |= {15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 22: ISO_TIME}
BUILT_IN |= {18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss"}
BUILT_IN |= {45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss"}
BUILT_IN |= dict.fromkeys((37, 38), "#,##0;-#,##0") | dict.fromkeys((41, 42), "#,##0")
BUILT_IN |= dict.fromkeys((39, 40), "#,##0.00;-#,##0.00") | dict.fromkeys((43, 44), "#,##0.00")
BUILT_IN |= dict.fromkeys((14, *range(27, 32), 36, *range(50, 59)), ISO)
BUILT_IN |= dict.fromkeys((32, 33, 34, 35), "h:mm:ss")
# The formats of months and days by their letters, as strftime names them: always English here.
NAMES = {"mmm": "%b", "mmmm": "%B", "ddd": "%a", "dddd": "%A"}
# What follows 1899-12-30 by so many days: Excel counts a 29 February 1900 that never was.
EPOCH, EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001 - a cell has no zone
LAST_DAY = 2_958_466
LONGEST = 200
MOST_DIGITS = 15
# Before the point and behind it, and those that rounding adds.
EXACT = Context(prec=2 * MOST_DIGITS + 2, rounding=ROUND_HALF_UP)
TOKEN = re.compile(
    r"\"(?P<quoted>[^\"]*)\"|\\(?P<escaped>.)|(?P<pad>[_*]).|\[\$(?P<money>[^\]-]*)[^\]]*\]"
    r"|\[(?P<elapsed>h+|m+|s+)\]|(?P<bracket>\[[^\]]*\])|(?P<noon>AM/PM|A/P)|(?P<general>General)"
    r"|(?P<date>y+|m+|d+|h+|s+)|(?P<power>E[+-]0*)|(?P<number>[0#?][0#?,.]*|\.[0#?]+)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)\]")
SECONDS = {"h": 3600, "m": 60, "s": 1}


class Token(NamedTuple):
    """A part of a format, and what it is."""

    kind: str
    text: str


class FormatSection(NamedTuple):
    """What holds for some numbers: of one sign, or where a condition holds."""

    tokens: Sequence[Token]
    condition: tuple[str, float] | None

    def count(self, *kinds: str) -> int:
        return sum(token.kind in kinds for token in self.tokens)


def shown(number: float, code: str, *, is_1904: bool = False) -> str:
    """Format a number as a cell of the format shows it; the value may be no number."""
    if not isfinite(number):
        return ""
    section, value = choose_section(number, sections_of(code[:LONGEST]))
    if section is None:
        return general(number)
    if section.count("date", "elapsed", "noon"):
        moment = moment_of(number, is_1904=is_1904)
        return written_date(section, moment, number) if moment else general(number)
    return written_number(section, value) or general(number)


@lru_cache(maxsize=1000)
def sections_of(code: str) -> tuple[FormatSection, ...]:
    """Return the sections of a format, which semicolons part."""
    found: list[list[Token]] = [[]]
    conditions: list[tuple[str, float] | None] = [None]
    for match in TOKEN.finditer(code):
        kind = match.lastgroup or "other"
        if match[0] == ";":
            found.append([])
            conditions.append(None)
        elif condition := CONDITION.fullmatch(match[0]):
            conditions[-1] = condition[1], float(condition[2])
        elif kind != "bracket":
            found[-1].append(Token(kind, match[kind]))
    return tuple(map(FormatSection, found, conditions))


def choose_section(
    number: float, sections: Sequence[FormatSection]
) -> tuple[FormatSection | None, float]:
    """Return the section for the number, and the number that it draws; the second has no sign."""
    for section in sections:
        if section.condition and holds(number, *section.condition):
            return section, number
    plain = [section for section in sections if section.condition is None]
    if not plain or all(token.kind == "general" for token in plain[0].tokens):
        return None, number
    if number < 0 and len(plain) > 1:
        return plain[1], -number
    return plain[2 if number == 0 and len(plain) > 2 else 0], number


def holds(number: float, sign: str, limit: float) -> bool:
    less, equal = number < limit, number == limit
    return (less and "<" in sign) or (equal and "=" in sign) or (number > limit and ">" in sign)


def general(number: float) -> str:
    """Return a number without a format: whole ones as they are, others to ten digits."""
    is_whole = number == int(number) and abs(number) < 10**MOST_DIGITS
    return str(int(number)) if is_whole else f"{number:.10g}"


def literal(token: Token, number: float) -> str:
    """Return the text that a token without digits adds."""
    if token.kind == "general":
        return general(number)
    return " " if token.kind == "pad" else token.text


def written_number(section: FormatSection, number: float) -> str:
    """Return the number in its form, with what stands around it."""
    forms = [token.text for token in section.tokens if token.kind == "number"]
    power = any(token.kind == "power" for token in section.tokens)
    hundreds = min(section.tokens.count(Token("other", "%")), MOST_DIGITS)
    shifted = float(f"{number * 100.0**hundreds:.{MOST_DIGITS}g}")
    number = shifted if isfinite(shifted) else number
    # Digits in several places: fractions, and the groups of telephone numbers.
    if len(forms) > 1 and not power:
        return general(number)
    digits = written(number, forms[0], is_power=power) if forms else ""
    words = [
        digits if token.kind == "number" else literal(token, number)
        for token in section.tokens
        if token.kind != "power"
    ]
    return " ".join("".join(words).split())


def written(number: float, form: str, *, is_power: bool) -> str:
    """Return the digits: so many behind the point, in groups of three, by thousands or powers."""
    bare = form.rstrip(",")
    whole, _, behind = bare.partition(".")
    behind = behind.replace(",", "")[:MOST_DIGITS]
    if is_power:
        return f"{number:.{len(behind)}E}"
    if abs(number) >= 10**MOST_DIGITS:
        return general(number)
    exact = Decimal(repr(number)) / 1000 ** (len(form) - len(bare))
    exact = exact.quantize(Decimal(1).scaleb(-len(behind)), context=EXACT)
    before, _, rest = f"{exact.copy_abs():{',' if ',' in whole else ''}f}".partition(".")
    fewest, most = whole.count("0"), len(behind.rstrip("#?"))
    before = before.zfill(min(fewest, MOST_DIGITS)) if fewest or before != "0" else ""
    rest = rest[:most] + rest[most:].rstrip("0")
    return "-" * (exact < 0) + before + (f".{rest}" if rest else "")


def moment_of(number: float, *, is_1904: bool) -> datetime | None:
    """Return the moment that the number stands for, to the second, if its year has four digits."""
    if not 0 <= number < LAST_DAY:
        return None
    seconds = round(number * 86_400)
    if not is_1904 and number < 60:  # before the day that never was
        seconds += 86_400
    try:
        return (EPOCH_1904 if is_1904 else EPOCH) + timedelta(seconds=seconds)
    except OverflowError:
        return None


def written_date(section: FormatSection, moment: datetime, number: float) -> str:
    """Return the date or time in its form; fractions of a second are left out."""
    units = [token.text[0].lower() for token in section.tokens if token.kind in ("date", "elapsed")]
    words: list[str] = []
    place = 0
    for token in section.tokens:
        if token.kind == "elapsed":
            words.append(str(round(number * 86_400) // SECONDS[units[place]]))
        elif token.kind == "date":
            # An "m" is of minutes behind hours, or before seconds.
            is_time = "h" in units[max(place - 1, 0) : place] or "s" in units[place + 1 : place + 2]
            unit = "minute" if is_time and units[place] == "m" else units[place]
            is_12 = section.count("noon") > 0
            words.append(date_part(unit, token.text.lower(), moment, is_12=is_12))
        elif token.kind == "noon":
            words.append("PM" if moment.hour > 11 else "AM")
        elif token.kind != "number":
            words.append(literal(token, number))
        place += token.kind in ("date", "elapsed")
    return " ".join("".join(words).split())


def date_part(unit: str, text: str, moment: datetime, *, is_12: bool) -> str:
    """Return a part of a date: yyyy, mmm, dd, hh."""
    if unit == "y":
        return f"{moment.year}" if len(text) > 2 else f"{moment.year % 100:02}"
    if unit in "md" and len(text) > 2:
        return moment.strftime(NAMES.get(text, "%B"))[: 1 if text == "mmmmm" else None]
    hour = (moment.hour - 1) % 12 + 1 if is_12 else moment.hour
    value = {"d": moment.day, "h": hour, "m": moment.month, "s": moment.second}
    return f"{value.get(unit, moment.minute):0{min(len(text), 2)}}"
