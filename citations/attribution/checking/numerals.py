"""Numerals: keys of numbers, dates and units, independent of their spelling.

"Fifteenth", "15th" and "15" are `#15`; "two million" is `#2000000`; "March" and "marzo" are `@3`;
"2020-03-15" has the three keys of "15 March 2020"; "per cent" and "%" are `percent`.
"""

import re

# "-" where a language has no such word, or an ambiguous one.
_CARDINALS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty",
    "cero - dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
    " dieciseis diecisiete dieciocho diecinueve veinte",
    "null - zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn"
    " sechzehn siebzehn achtzehn neunzehn zwanzig",
    "- - deux trois quatre - six sept huit neuf dix onze douze treize quatorze quinze seize",
)
_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
    " thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth",
)
_TENS = "thirty forty fifty sixty seventy eighty ninety"


def _number_words(lists: tuple[str, ...]) -> dict[str, int]:
    return {
        word: value for listed in lists for value, word in enumerate(listed.split()) if word != "-"
    }


CARDINALS, ORDINALS = _number_words(_CARDINALS), _number_words(_ORDINALS)
SMALL = CARDINALS | ORDINALS
SMALL |= {word: 30 + 10 * at for at, word in enumerate(_TENS.split())}
# "5 million", and directly after the figure "$5m".
TIMES = {
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "millions": 1_000_000,
    "billion": 1_000_000_000,
    "mil": 1_000,
    "millones": 1_000_000,
    "millionen": 1_000_000,
    "milliarden": 1_000_000_000,
    "m": 1_000_000,
    "bn": 1_000_000_000,
    "k": 1_000,
}
_MONTHS = (
    "january jan enero janvier januar",
    "february feb febrero fevrier februar",
    "march mar marzo mars marz",
    "april apr abril avril",
    "mayo mai",  # "may" is also a verb
    "june jun junio juin juni",
    "july jul julio juillet juli",
    "august aug agosto aout",
    "september sept sep septiembre septembre",
    "october oct octubre octobre oktober",
    "november nov noviembre novembre",
    "december dec diciembre decembre dezember",
)
MONTHS = {word: f"@{at}" for at, words in enumerate(_MONTHS, 1) for word in words.split()}
UNITS = {
    "%": "percent", "pct": "percent", "porcentaje": "percent", "prozent": "percent",
    "$": "dollar", "€": "euro", "£": "pound", "km": "kilometres", "kg": "kilograms",
    "meter": "metres", "meters": "metres", "kilometers": "kilometres",
}  # fmt: skip

_DATE = re.compile(
    r"(?P<y>\d{4})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})"
    r"|(?P<day>\d{1,2})[-/.](?P<month>\d{1,2})[-/.](?P<year>\d{4})"
)
_GROUPS = re.compile(r"(?<=\d)[.,](?=\d{3}(?:[.,]|$))")
_LONGEST = 18  # digits; a longer number is a name


def number_keys(written: str) -> list[str]:
    """Return the key of a number in digits, or the three keys of a date in digits."""
    if (found := _DATE.fullmatch(written)) and (keys := _date_keys(found)):
        return keys
    if len(written) > _LONGEST:
        return [f"#{written}"]
    # A single group after a point may be a fraction: "1.500".
    has_groups = "," in written or written.count(".") > 1
    plain = _GROUPS.sub("", written) if has_groups else written
    try:
        return [make_key(float(plain.replace(",", ".")))]
    except ValueError:
        return [f"#{written}"]


def _date_keys(found: re.Match[str]) -> list[str]:
    year, month, day = (
        int(found[iso] or found[other])
        for iso, other in (("y", "year"), ("m", "month"), ("d", "day"))
    )
    if month > 12:
        month, day = day, month
    return [f"#{day}", f"@{month}", f"#{year}"] if 1 <= month <= 12 and 1 <= day <= 31 else []


def make_key(value: float) -> str:
    """Return the key of a number."""
    return f"#{value:.10g}"


def is_number(key: str) -> bool:
    return key[0] in "#@"
