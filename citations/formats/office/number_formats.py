"""Number formats: the text that a spreadsheet's cell shows for its number.

    1234.5 as `#,##0.00 "€"` is 1,234.50 €, 45000 as `dd.mm.yyyy` is 15.03.2023

Follows Excel where a format fixes the form. Where the form depends on the reader's country, dates
are ISO's.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from math import isfinite
from typing import NamedTuple

ISO, ISO_TIME = "yyyy-mm-dd", "yyyy-mm-dd hh:mm"
# Formats that files name by number only.
BUILT_IN = dict(enumerate(("", "0", "0.00", "#,##0", "#,##0.00")))
BUILT_IN |= {9: "0%", 10: "0.00%", 11: "0.00E+00", 48: "0.0E+0"}
BUILT_IN |= {15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 22: ISO_TIME}
BUILT_IN |= {18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss"}
BUILT_IN |= {45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss"}
BUILT_IN |= dict.fromkeys((37, 38), "#,##0;-#,##0") | dict.fromkeys((41, 42), "#,##0")
BUILT_IN |= dict.fromkeys((39, 40), "#,##0.00;-#,##0.00") | dict.fromkeys((43, 44), "#,##0.00")
BUILT_IN |= dict.fromkeys((14, *range(27, 32), 36, *range(50, 59)), ISO)
BUILT_IN |= dict.fromkeys((32, 33, 34, 35), "h:mm:ss")
# Day 0 of dates; Excel counts a 29 February 1900, which did not exist.
EPOCH, EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001 - a cell has no zone
LAST_DAY = 2_958_466
LONGEST = 200
MOST_DIGITS = 15
# Digits before and after the point, and those added by rounding.
EXACT = Context(prec=2 * MOST_DIGITS + 2, rounding=ROUND_HALF_UP)
GROUPS = re.compile(r"[0 ]+")  # of a telephone number or a code
TOKEN = re.compile(
    r"\"(?P<quoted>[^\"]*)\"|\\(?P<escaped>.)|(?P<pad>[_*]).|\[\$(?P<money>[^\]-]*)[^\]]*\]"
    r"|\[(?P<elapsed>h+|m+|s+)\]|(?P<bracket>\[[^\]]*\])|(?P<noon>AM/PM|A/P)|(?P<general>General)"
    r"|(?P<date>y+|m+|d+|h+|s+)|(?P<power>E[+-]0*)|(?P<number>[0#?][0#?,.]*|\.[0#?]+)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
# Months and days by their letters, and other parts of a date, as strftime names them.
PARTS = {"mmm": "%b", "mmmm": "%B", "ddd": "%a", "dddd": "%A", "d": "%d", "m": "%m", "s": "%S"}
PARTS |= {"yyyy": "%Y", "yyy": "%Y", "h": "%H"}
SECONDS = {"h": 3600, "m": 60, "s": 1}


class Token(NamedTuple):
    """A part of a format, and its kind."""

    kind: str
    text: str


def format_number(number: float, code: str, *, is_1904: bool = False) -> str:
    """Format a number as a cell shows it; return nothing for infinity or NaN."""
    if not isfinite(number):
        return ""
    sections = split_sections(code[:LONGEST])
    at = 1 if number < 0 and len(sections) > 1 else 2 if number == 0 and len(sections) > 2 else 0
    tokens, text = sections[at], ""
    kinds = {token.kind for token in tokens}
    if kinds & {"date", "elapsed"}:
        moment = find_moment(number, is_1904=is_1904)
        text = write_date(tokens, moment, number) if moment else ""
    else:
        text = write_number(tokens, -number if at == 1 else number)
    return " ".join(text.split()) or format_general(number)


@lru_cache(maxsize=1000)
def split_sections(code: str) -> Sequence[Sequence[Token]]:
    """Return the sections of a format, split at semicolons: for numbers, negative ones and 0."""
    found: list[list[Token]] = [[]]
    for match in TOKEN.finditer(code):
        kind = match.lastgroup or "other"
        if match[0] == ";":
            found.append([])
        elif kind != "bracket":
            found[-1].append(Token(kind, " " if kind == "pad" else match[kind]))
    return found


def format_general(number: float) -> str:
    """Format a number without a format: whole ones in full, others to ten digits."""
    is_whole = number == int(number) and abs(number) < 10**MOST_DIGITS
    return str(int(number)) if is_whole else f"{number:.10g}"


def write_number(tokens: Sequence[Token], number: float) -> str:
    """Return the number in its form, with the text around it."""
    forms = [token.text for token in tokens if token.kind == "number"]
    power = any(token.kind == "power" for token in tokens)
    hundreds = min(tokens.count(Token("other", "%")), MOST_DIGITS)
    shifted = float(f"{number * 100.0**hundreds:.{MOST_DIGITS}g}")
    if len(forms) > 1 and not power and number >= 0 and GROUPS.fullmatch(" ".join(forms)):
        return write_groups(tokens, f"{number:.0f}")
    # Digits in several places are fractions.
    if (len(forms) > 1 and not power) or not isfinite(shifted):
        return ""
    digits = write_digits(shifted, forms[0], is_power=power) if forms else ""
    words = {"number": digits, "power": "", "general": format_general(number)}
    return "".join(words.get(token.kind, token.text) for token in tokens)


def write_groups(tokens: Sequence[Token], digits: str) -> str:
    """Return the digits of a telephone number or a code in their groups."""
    sizes = [len(text) * (kind == "number") for kind, text in tokens]
    digits, words = digits.zfill(sum(sizes)), []
    for size, (_, text) in zip(reversed(sizes), reversed(tokens), strict=True):
        words.append(digits[-size:] if size else text)
        digits = digits[:-size] if size else digits
    return digits + "".join(reversed(words))


def write_digits(number: float, form: str, *, is_power: bool) -> str:
    """Return the number's digits, with decimals, groups and powers by its form."""
    bare = form.rstrip(",")
    whole, _, behind = bare.partition(".")
    behind = behind.replace(",", "")[:MOST_DIGITS]
    if is_power:
        return f"{number:.{len(behind)}E}"
    if abs(number) >= 10**MOST_DIGITS:
        return format_general(number)
    exact = Decimal(repr(number)) / 1000 ** (len(form) - len(bare))
    exact = exact.quantize(Decimal(1).scaleb(-len(behind)), context=EXACT)
    before, _, rest = f"{exact.copy_abs():{',' if ',' in whole else ''}f}".partition(".")
    fewest, most = whole.count("0"), len(behind.rstrip("#?"))
    before = before.zfill(min(fewest, MOST_DIGITS)) if fewest or before != "0" else ""
    rest = rest[:most] + rest[most:].rstrip("0")
    return "-" * (exact < 0) + before + (f".{rest}" if rest else "")


def find_moment(number: float, *, is_1904: bool) -> datetime | None:
    """Return the number's date and time, to the second, if its year has four digits."""
    if not 0 <= number < LAST_DAY:
        return None
    seconds = round(number * 86_400)
    if not is_1904 and number < 60:  # before the day that did not exist
        seconds += 86_400
    try:
        return (EPOCH_1904 if is_1904 else EPOCH) + timedelta(seconds=seconds)
    except OverflowError:
        return None


def write_date(tokens: Sequence[Token], moment: datetime, number: float) -> str:
    """Return the date or time in its form; fractions of a second are left out."""
    parts = [token.text.lower() for token in tokens if token.kind in ("date", "elapsed")]
    is_12 = any(token.kind == "noon" for token in tokens)
    words: list[str] = []
    place = 0
    for kind, text in tokens:
        if kind == "elapsed":
            words.append(str(round(number * 86_400) // SECONDS[text[0].lower()]))
        elif kind == "date":
            # An "m" means minutes after hours or before seconds.
            beside = "".join(part[0] for part in (*parts[max(place - 1, 0) : place], " "))
            is_time = "h" in beside or "s" in "".join(parts[place + 1 : place + 2])
            words.append(write_part(text.lower(), moment, is_time=is_time, is_12=is_12))
        elif kind == "noon":
            words.append(moment.strftime("%p"))
        elif kind != "number":
            words.append(text)
        place += kind in ("date", "elapsed")
    return "".join(words)


def write_part(text: str, moment: datetime, *, is_time: bool, is_12: bool) -> str:
    """Return a part of a date: yyyy, mmm, dd, hh."""
    unit = text[0]
    form = PARTS.get(text) or PARTS.get(unit) or "%y"
    if unit == "m" and is_time and len(text) < 3:
        form = "%M"
    elif unit == "h" and is_12:
        form = "%I"
    elif text == "mmmmm":
        return moment.strftime("%B")[0]
    found = moment.strftime(form)
    return found.lstrip("0") or "0" if text in tuple("dmhs") else found
