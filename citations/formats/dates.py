"""Dates of a work, as texts say them: a day, a month or a year, as ISO 8601 writes it."""

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
COPYRIGHT = re.compile(rf"(?:©|\(c\)|copyright)\D{{0,30}}(?:\d{{4}}\s?[-–,]\s?)?{YEAR}", re.I)
LABEL = re.compile(
    r"(?:date|dated|published|released?|ratified|revised|updated|version|edition|fecha|publicado"
    r"|datum|stand|veröffentlicht|publié|ended|as of|data)\b[^.\n]{0,40}$",
    re.IGNORECASE,
)


def stated_date(text: str) -> str:
    """Return the date that the beginning of a work states, or nothing.

    At best it is one that is said to be the work's, else the first; else the year of a copyright.
    """
    found = [
        (match.start(), iso)
        for form in FORMS
        for match in form.finditer(text)
        if (iso := iso_of(match))
    ]
    labelled = [each for each in found if LABEL.search(text[max(each[0] - 60, 0) : each[0]])]
    if found:
        return min(labelled or found, key=lambda each: (each[0], -len(each[1])))[1]
    copied = COPYRIGHT.search(text)
    return copied["year"] if copied else ""


def iso_of(match: re.Match[str]) -> str:
    parts = match.groupdict()
    month = NUMBERS.get((parts.get("month") or "").lower()) or int(parts.get("number") or 0)
    if not 1 <= month <= 12:
        return ""
    day = int(parts.get("day") or 0)
    whole = f"{parts['year']}-{month:02}"
    return f"{whole}-{day:02}" if 1 <= day <= 31 else whole
