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
MONTHS = (
    "January February March April May June July August September October November December".split()
)
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
# What follows 1899-12-30 by so many days: Excel counts a 29 February 1900 that never was.
EPOCH, EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001 - a cell has no zone
LAST_DAY = 2_958_466
LONGEST = 200
MOST_DIGITS = 15
# Before the point and behind it, and those that rounding adds.
EXACT = Context(prec=2 * MOST_DIGITS + 2, rounding=ROUND_HALF_UP)
TOKEN = re.compile(
    r"(?P<quoted>\"[^\"]*\")|\\(?P<escaped>.)|(?P<pad>[_*].)|(?P<money>\[\$[^\]]*\])"
    r"|(?P<elapsed>\[(?:h+|m+|s+)\])|(?P<bracket>\[[^\]]*\])|(?P<noon>AM/PM|A/P)"
    r"|(?P<general>General)|(?P<date>y+|m+|d+|h+|s+)|(?P<power>E[+-]0*)|(?P<number>[0#?][0#?,.]*|\.[0#?]+)"
    r"|(?P<text>@)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)\]")


class Token(NamedTuple):
    """A part of a format, and what it is."""

    kind: str
    text: str


class FormatSection(NamedTuple):
    """What holds for some numbers: of one sign, or where a condition holds."""

    tokens: Sequence[Token]
    condition: tuple[str, float] | None

    @property
    def is_date(self) -> bool:
        return any(token.kind in ("date", "elapsed", "noon") for token in self.tokens)


def shown(number: float, code: str, *, is_1904: bool = False) -> str:
    """Return what a cell of the format shows for the number; a file may hold what is none."""
    if not isfinite(number):
        return ""
    section, value = chosen(number, sections_of(code[:LONGEST]))
    if section is None:
        return general(number)
    if section.is_date:
        moment = moment_of(number, is_1904=is_1904)
        return written_date(section.tokens, moment, number) if moment else general(number)
    return written_number(section.tokens, value) or general(number)


@lru_cache(maxsize=1000)
def sections_of(code: str) -> tuple[FormatSection, ...]:
    """Return the sections of a format, which semicolons part."""
    found: list[list[Token]] = [[]]
    for match in TOKEN.finditer(code):
        kind = match.lastgroup or "other"
        if kind == "other" and match[0] == ";":
            found.append([])
        else:
            found[-1].append(Token(kind, match[kind]))
    return tuple(FormatSection(tokens, condition_of(tokens)) for tokens in found)


def condition_of(tokens: Sequence[Token]) -> tuple[str, float] | None:
    brackets = (CONDITION.fullmatch(token.text) for token in tokens if token.kind == "bracket")
    found = next(filter(None, brackets), None)
    return (found[1], float(found[2])) if found else None


def chosen(number: float, sections: Sequence[FormatSection]) -> tuple[FormatSection | None, float]:
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
    if number == int(number) and abs(number) < 10**MOST_DIGITS:
        return str(int(number))
    return f"{number:.10g}"


# --- Numbers --------------------------------------------------------------------------------------


def written_number(tokens: Sequence[Token], number: float) -> str:
    """Return the number in its form, with what stands around it."""
    forms = [token.text for token in tokens if token.kind == "number"]
    power = next((token.text for token in tokens if token.kind == "power"), "")
    hundreds = sum(token == ("other", "%") for token in tokens)
    shifted = float(f"{number * 100.0 ** min(hundreds, MOST_DIGITS):.{MOST_DIGITS}g}")
    number = shifted if isfinite(shifted) else number
    is_fraction = ("other", "/") in tokens
    # "###-####": each form has its own digits, which only telephone numbers use.
    digits = spread(number, forms) if len(forms) > 1 and not (is_fraction or power) else []
    words: list[str] = []
    for token in tokens:
        if token.kind == "number":
            if digits:
                words.append(digits.pop(0))
            elif forms:
                words.append(general(number) if is_fraction else written(number, forms[0], power))
                forms = []
        elif not (is_fraction and token == ("other", "/")):
            words.append(literal(token, number))
    return " ".join("".join(words).split())


def literal(token: Token, number: float) -> str:
    """Return what a token adds that has no digits."""
    match token.kind:
        case "quoted":
            return token.text.strip('"')
        case "money":
            return token.text[2:-1].split("-")[0]
        case "pad":
            return " "
        case "escaped" | "other":
            return token.text
        case "general":
            return general(number)
    return ""


def written(number: float, form: str, power: str) -> str:
    """Return the digits: so many behind the point, in groups of three, by thousands or powers."""
    bare = form.rstrip(",")
    whole, _, behind = bare.partition(".")
    behind = behind.replace(",", "")[:MOST_DIGITS]
    if power:
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


def spread(number: float, forms: Sequence[str]) -> list[str]:
    """Return the digits of each form of one number, the last ones to the last."""
    digits, parts = f"{abs(number):.0f}", []
    for form in reversed(forms[1:]):
        width = len(form)
        parts.append(digits[-width:].zfill(form.count("0")))
        digits = digits[:-width]
    return [digits.zfill(min(forms[0].count("0"), MOST_DIGITS)), *reversed(parts)]


# --- Dates ----------------------------------------------------------------------------------------


def moment_of(number: float, *, is_1904: bool) -> datetime | None:
    """Return the day and time that the number stands for, to the second, if the year has four
    digits.
    """
    if not 0 <= number < LAST_DAY:
        return None
    seconds = round(number * 86_400)
    if not is_1904 and number < 60:  # before the day that never was
        seconds += 86_400
    try:
        return (EPOCH_1904 if is_1904 else EPOCH) + timedelta(seconds=seconds)
    except OverflowError:
        return None


def written_date(tokens: Sequence[Token], moment: datetime, number: float) -> str:
    """Return the date or time in its form."""
    has_noon = any(token.kind == "noon" for token in tokens)
    words = []
    for at, token in enumerate(tokens):
        if token.kind == "date":
            words.append(
                date_part(token.text.lower(), moment, is_12=has_noon, is_time=is_time(tokens, at))
            )
        elif token.kind == "elapsed":
            unit = token.text[1].lower()
            words.append(str(int(round(number * 86_400) // {"h": 3600, "m": 60, "s": 1}[unit])))
        elif token.kind == "noon":
            words.append("PM" if moment.hour > 11 else "AM")
        elif token.kind != "number":  # fractions of a second
            words.append(literal(token, number))
    return " ".join("".join(words).split())


def is_time(tokens: Sequence[Token], at: int) -> bool:
    """Return whether an "m" is of minutes: behind hours, or before seconds."""
    units = [
        token.text.strip("[]")[0].lower() for token in tokens if token.kind in ("date", "elapsed")
    ]
    place = sum(token.kind in ("date", "elapsed") for token in tokens[:at])
    return "h" in units[max(place - 1, 0) : place] or "s" in units[place + 1 : place + 2]


def date_part(text: str, moment: datetime, *, is_12: bool, is_time: bool) -> str:
    """Return a part of a date: yyyy, mmm, dd, hh."""
    unit, width = text[0], len(text)
    if unit == "y":
        return f"{moment.year}" if width > 2 else f"{moment.year % 100:02}"
    if unit == "m" and not is_time and width > 2:
        name = MONTHS[moment.month - 1]
        return name[:1] if width == 5 else name[:3] if width == 3 else name
    if unit == "d" and width > 2:
        return DAYS[moment.weekday()][: 3 if width == 3 else None]
    hour = (moment.hour - 1) % 12 + 1 if is_12 else moment.hour
    value = {"d": moment.day, "h": hour, "s": moment.second}
    number = value.get(unit, moment.minute if is_time else moment.month)
    return f"{number:0{min(width, 2)}}"
