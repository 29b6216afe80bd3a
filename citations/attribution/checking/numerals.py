"""Numerals: numbers, dates and units are one key however they are written.

"Fifteenth", "15th" and "15" are `#15`; "two million" is `#2000000`; "March" and "marzo" are `@3`;
"2020-03-15" is the three keys of "15 March 2020"; "per cent" and "%" are `percent`.
"""

import re

_ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen""".split()
_ORDINALS = """zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh
    twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth""".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
# Small numbers of some other languages, without accents; what also means something else is out.
_ABROAD = {
    "es": "cero - dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
    " dieciseis diecisiete dieciocho diecinueve veinte",
    "es ordinal": "- primero segundo tercero cuarto quinto sexto septimo octavo noveno decimo",
    "es feminine": "- primera segunda tercera cuarta quinta sexta septima octava novena decima",
    "fr": "- - deux trois quatre - six sept huit neuf dix onze douze treize quatorze quinze seize",
    "de": "null - zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn"
    " funfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
    "de ordinal": "- erste zweite dritte vierte funfte sechste siebte achte neunte zehnte elfte"
    " zwolfte dreizehnte vierzehnte funfzehnte sechzehnte",
    "pt": "- - dois tres quatro cinco seis sete oito nove dez - doze treze catorze quinze"
    " dezesseis dezessete dezoito dezenove vinte",
    "it": "- - due tre quattro cinque sei sette otto nove dieci undici dodici tredici"
    " quattordici quindici sedici diciassette diciotto diciannove venti",
}


def _numbered(*lists: list[str]) -> dict[str, int]:
    return {word: value for listed in lists for value, word in enumerate(listed) if word != "-"}


_LISTED = {name: listed.split() for name, listed in _ABROAD.items()}
CARDINALS = _numbered(_ONES, *(listed for name, listed in _LISTED.items() if " " not in name))
ORDINALS = _numbered(_ORDINALS, *(listed for name, listed in _LISTED.items() if " " in name))
SMALL = CARDINALS | ORDINALS
SMALL |= {word: value for value, word in zip(range(20, 100, 10), _TENS, strict=True)}
SMALL |= {word[:-1] + "ieth": value for word, value in SMALL.items() if word in _TENS}
SMALL |= {"once": 1, "twice": 2, "thrice": 3, "decimoquinto": 15, "veinte": 20, "treinta": 30}
TIMES = {
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "trillion": 1_000_000_000_000,
    "mil": 1_000,
    "millon": 1_000_000,
    "millones": 1_000_000,
    "millionen": 1_000_000,
    "millions": 1_000_000,
    "milliarden": 1_000_000_000,
    "dozen": 12,
}
# A letter behind a figure: $5m, 3bn, 10k.
SHORT = {"k": 1_000, "m": 1_000_000, "mn": 1_000_000, "bn": 1_000_000_000}

_MONTHS = (
    "january jan enero janvier januar janeiro gennaio",
    "february feb febrero fevrier februar fevereiro febbraio",
    "march mar marzo mars marz marco",
    "april apr abril avril aprile",
    "mayo mai maggio maio",
    "june jun junio juin juni junho giugno",
    "july jul julio juillet juli julho luglio",
    "august aug agosto aout",
    "september sept sep septiembre septembre setembro settembre",
    "october oct octubre octobre oktober outubro ottobre",
    "november nov noviembre novembre novembro",
    "december dec diciembre decembre dezember dezembro dicembre",
)
MONTHS = {word: f"@{at}" for at, words in enumerate(_MONTHS, 1) for word in words.split()}
MAY = "may"  # a month only beside a figure, or else a verb

_UNITS = """percent % pct porcentaje prozent
    dollar dollars usd $ us$ dolares
    euro euros eur €
    pound pounds gbp £ lb lbs
    kilometre kilometres kilometer kilometers km kilometros
    metre metres meter meters metros
    centimetre centimetres centimeter centimeters cm
    millimetre millimetres millimeter millimeters mm
    mile miles mi millas
    foot feet ft
    inch inches
    kilogram kilograms kg kilos kilo
    gram grams gramos
    milligram milligrams mg
    litre litres liter liters
    hour hours hr hrs h horas
    minute minutes min mins minutos
    day days dia dias
    month months mes meses
    year years yr yrs ano anos
    week weeks semana semanas
    celsius °c
    fahrenheit °f"""
UNITS = {word: line.split()[0] for line in _UNITS.splitlines() for word in line.split()}

_ISO = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})$")
_SLASHED = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})$")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?$")
_POINTED = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?$")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)?")
LONGEST = 18  # digits; what is longer is a name


def figure(written: str) -> float | None:
    """Return the value of a number in digits, with the points and commas of either habit."""
    if len(written) > LONGEST:
        return None
    if _THOUSANDS.match(written):
        return float(written.replace(",", ""))
    if _POINTED.match(written) and (written.count(".") > 1 or "," in written):
        return float(written.replace(".", "").replace(",", "."))
    return float(written.replace(",", ".")) if _FIGURE.fullmatch(written) else None


def key_of(value: float) -> str:
    """Return the key of a number."""
    return f"#{value:.10g}"


def date_keys(written: str) -> list[str]:
    """Return the keys of a date in digits, or none if it is no date."""
    if found := _ISO.match(written):
        year, month, day = map(int, found.groups())
    elif found := _SLASHED.match(written):
        day, month, year = map(int, found.groups())
        if month > 12:
            day, month = month, day
    else:
        return []
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return []
    return [f"#{day}", f"@{month}", f"#{year}"]


def is_number(key: str) -> bool:
    return key[0] in "#@"
