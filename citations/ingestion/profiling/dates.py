"""Publication dates stated in a text: a day, month or year in ISO 8601."""

import re

MONTHS = (
    "january enero januar janvier janeiro gennaio ocak",
    "february febrero februar février fevereiro febbraio şubat",
    "march marzo märz mars março mart",
    "april abril avril aprile nisan",
    "may mayo mai maio maggio mayıs",
    "june junio juni juin junho giugno haziran",
    "july julio juli juillet julho luglio temmuz",
    "august agosto août ağustos",
    "september septiembre septembre setembro settembre eylül",
    "october octubre oktober octobre outubro ottobre ekim",
    "november noviembre novembre novembro kasım",
    "december diciembre dezember décembre dezembro dicembre aralık",
)
NUMBERS = {name: at for at, names in enumerate(MONTHS, 1) for name in names.split()}
NUMBERS |= {name[:3]: at for at, names in enumerate(MONTHS, 1) for name in names.split()[:1]}
MONTH = "|".join(sorted(NUMBERS, key=len, reverse=True))
YEAR = r"(?P<year>1[5-9]\d\d|20\d\d)"
DAY = r"(?P<day>[0-3]?\d)"
FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b{YEAR}-(?P<number>[01]\d)-{DAY}\b",
        rf"\b(?P<month>{MONTH})\.?\s+{DAY}(?:st|nd|rd|th)?,?\s+{YEAR}\b",
        rf"\b{DAY}(?:st|nd|rd|th|er|º|\.)?\s+(?:de\s+|of\s+)?(?P<month>{MONTH})\.?,?"
        rf"\s+(?:del?\s+)?{YEAR}\b",
        rf"\b(?P<month>{MONTH})\.?,?\s+(?:de\s+|of\s+)?{YEAR}\b",
    )
)
COPYRIGHT = re.compile(r"(?:©|\(c\)|copyright)(?P<rest>[^\n]{0,80})", re.IGNORECASE)
COPIED_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
LABELS = (
    r"(?:dated?|published|released?|ratified|revised|updated|modified|version|edition|fecha|publicado"
    r"|actualizado|datum|stand|veröffentlicht|publié|ended|as of|data)\b"
)
BETWEEN = r"(?:(?:on|in|of|the|at|am|vom|den|le|el|du|as|to|date|\w{2,10}day|v?[\d.]+)[,;]?\s+)*"
# Directly before a date, or at the beginning of its line, as with the name of an editor between.
LABEL = re.compile(
    rf"\b{LABELS}[\s:,;|*—–-]*{BETWEEN}[(\[]?$"
    rf"|(?:^|\n|[.;] )\W*(?:last\s+)?(?!dated? of (?!issue|publication|release)){LABELS}"
    r"(?![^.\n]*\b(?:is|was|are|ist|es|est)\b)[^.\n]{0,40}$",
    re.IGNORECASE,
)
# Maximum number of words beside a date that stands alone, of first lines, and of a line's
# characters.
WORDS_BESIDE, FIRST_LINES, LONGEST_LINE = 3, 15, 120


def find_stated_date(text: str) -> str:
    """Return the date that the beginning of a work states as its own, or nothing.

    A labelled date is preferred, then one that stands alone in the first lines, then the last year
    of a copyright. Other dates in a text are those of its subject.
    """
    found = [
        (match.start(), match.end(), iso)
        for form in FORMS
        for match in form.finditer(text)
        if (iso := format_date(match))
    ]
    labelled = [each for each in found if LABEL.search(text[max(each[0] - 60, 0) : each[0]])]
    top = sum(map(len, text.splitlines(keepends=True)[:FIRST_LINES]))
    alone = [each for each in found if each[0] < top and stands_alone(text, each[0], each[1])]
    if labelled or alone:
        return min(labelled or alone, key=lambda each: (each[0], -len(each[2])))[2]
    copied = " ".join(each["rest"] for each in COPYRIGHT.finditer(text))
    return max(COPIED_YEAR.findall(copied), default="")


def stands_alone(text: str, start: int, end: int) -> bool:
    """Return whether a date has its line nearly for itself."""
    before = text[max(start - LONGEST_LINE, 0) : start].rpartition("\n")[2]
    beside = before + text[end : end + LONGEST_LINE].partition("\n")[0]
    return len(beside.split()) <= WORDS_BESIDE and not beside.rstrip().endswith(".")


def format_date(match: re.Match[str]) -> str:
    parts = match.groupdict()
    month = NUMBERS.get((parts.get("month") or "").lower()) or int(parts.get("number") or 0)
    if not 1 <= month <= 12:
        return ""
    day = int(parts.get("day") or 0)
    whole = f"{parts['year']}-{month:02}"
    return f"{whole}-{day:02}" if 1 <= day <= 31 else whole
