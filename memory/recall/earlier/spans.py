"""Questions about what was said in a span of time, or in one conversation, with no subject named.

"What did we talk about last week?" names no subject that anything could be found by: it is asked
for by when. "Before" is in this conversation, unless it has only begun. In English, Spanish, German
and French, read without accents and marks.
"""

import re
from datetime import date, timedelta
from enum import StrEnum

from memory.recall.earlier.stretch import COUNTS, Stretch
from memory.text.words import words

# What is longer is about something.
LONGEST = 120
_FURTHEST = 999  # units back


class Which(StrEnum):
    """One of the earlier conversations, or the newest of them, each."""

    FIRST = "first"
    LAST = "last"
    NEWEST = "newest"


_TALK = r"(?:conversation|chat|session)"
_GESPRAECH = r"(?:gesprach|chat|unterhaltung)"
_CONVERSACION = r"(?:conversacion|charla|sesion|chat)"
# Of a span its unit, and so many of them back.
_SPANS = {
    ("day", 0): r"(?:(?:earlier|already|before|so far) )?today|this (?:morning|afternoon)"
    r"|heute(?: (?:schon|fruher|vorher|morgen|fruh|vormittag|bisher))?"
    r"|hoy(?: (?:antes|mas temprano))?|esta (?:manana|tarde)"
    r"|(?:plus tot )?aujourd hui|ce matin|cet apres midi",
    ("day", 1): r"yesterday|last night|gestern(?: abend)?|ayer|anoche|hier(?: soir)?",
    ("day", 2): r"the day before yesterday|vorgestern|anteayer|antes de ayer|avant hier",
    ("week", 0): r"(?:earlier )?this week|(?:in )?diese[rn]? woche|esta semana|cette semaine",
    ("week", 1): r"last week|la semana pasada|(?:in der )?(?:letzten?|vorigen?|vergangenen?) woche"
    r"|la semaine (?:derniere|passee)",
    ("month", 0): r"(?:earlier )?this month|(?:in )?diese[nm] monat|este mes|ce mois(?: ci)?",
    ("month", 1): r"last month|el mes pasado|(?:im )?(?:letzten|vorigen) monat"
    r"|le mois (?:dernier|passe)",
}
_WEEKDAYS = (
    r"monday|montag|lunes|lundi",
    r"tuesday|dienstag|martes|mardi",
    r"wednesday|mittwoch|miercoles|mercredi",
    r"thursday|donnerstag|jueves|jeudi",
    r"friday|freitag|viernes|vendredi",
    r"saturday|samstag|sonnabend|sabado|samedi",
    r"sunday|sonntag|domingo|dimanche",
)
_ON_A_DAY = r"(?:on |last |am |(?:am )?letzten |el |le )?(?P<weekday>{})(?: (?:pasado|dernier))?"
_NUMBERS = "zwei drei vier funf sechs sieben deux trois quatre cinq sept huit"
_COUNTS = COUNTS | {
    **dict(zip(_NUMBERS.split(), (2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 7, 8), strict=True)),
    **dict.fromkeys(("ein", "einer", "einem", "une", "an"), 1),
}
_UNITS = {
    "day": "days?|tag(?:en)?|dias?|jours?",
    "week": "weeks?|wochen?|semanas?|semaines?",
    "month": "months?|monat(?:en)?|mes(?:es)?|mois",
}
_COUNT = rf"(\d{{1,3}}|{'|'.join(_COUNTS)})"
_UNIT = f"({'|'.join(_UNITS.values())})"
_AGO = re.compile(rf"{_COUNT} {_UNIT} ago|(?:vor|hace|il y a) {_COUNT} {_UNIT}")
_OF_ONE = {
    Which.FIRST: rf"(?:in )?(?:our|my|the) (?:very )?first {_TALK}|the first time"
    rf"|en (?:nuestra|mi|la) primera {_CONVERSACION}|la primera vez"
    rf"|(?:in )?(?:unserem|unser|meinem|im|in dem) ersten {_GESPRAECH}|beim ersten mal"
    rf"|dans (?:notre|ma|la) premiere {_TALK}|la premiere fois",
    Which.LAST: rf"(?:the )?last time|(?:in )?(?:our|my|the) (?:last|previous) {_TALK}"
    rf"|la ultima vez|en (?:nuestra|mi|la) ultima {_CONVERSACION}"
    rf"|(?:in )?(?:unserem|meinem|im|unserer|der) letzten {_GESPRAECH}|(?:beim )?letzte[sn]? mal"
    rf"|dans (?:notre|ma|la) derniere {_TALK}|la derniere fois",
    Which.NEWEST: rf"in (?:our|my|the) (?:earlier|other|previous|past|last) {_TALK}s"
    rf"|en (?:nuestras|mis|las) (?:otras |ultimas )?{_CONVERSACION}(?:es|s)(?: anteriores)?"
    rf"|in (?:unseren|meinen|den) (?:fruheren|anderen|letzten) (?:gesprachen|chats|unterhaltungen)"
    rf"|dans (?:nos|mes|les) (?:autres |dernieres )?{_TALK}s(?: precedentes)?",
}
_BEFORE = (
    "before|earlier|previously|so far|until now|antes|hasta ahora|vorher|vorhin|fruher|bisher"
    "|avant|jusqu ici|auparavant"
)
_TELL = r"(?:(?:please|so|and|ok(?:ay)?|can you|could you|tell me|remind me|und|y|et|sag mir) )*"
_ASKED = [
    re.compile(wording)
    for wording in (
        rf"{_TELL}(?:what (?:did|have|had) (?:we|i)(?: already)? (?:talk(?:ed)?(?: about)?"
        r"|discuss(?:ed)?|speak about|spoken about|ask(?:ed)?(?: you)?(?: about)?|say|said|do|done"
        r"|cover(?:ed)?|look(?:ed)? at)|what were we (?:talking|speaking) about"
        r"|what we (?:talked about|discussed|said)) (?P<when>.+)",
        rf"{_TELL}(?:de )?que (?:hablamos|dijimos|discutimos|vimos|(?:te )?pregunte"
        r"|(?:hemos|he) (?:hablado|dicho|visto|preguntado)) (?P<when>.+)",
        rf"{_TELL}(?:woruber|uber was|was|wovon) (?:haben wir|hab ich|habe ich)(?: dich| dir)?"
        r" (?P<when>.+) (?:gesprochen|geredet|besprochen|gesagt|gefragt|diskutiert)",
        rf"{_TELL}(?:de quoi|qu est ce que|qu|que) (?:avons nous|nous avons|on a|a t on|j ai|ai je"
        r"|est ce qu on a|est ce que nous avons|est ce que j ai)"
        r" (?:parle|discute|dit|demande|vu)(?: ensemble)? (?P<when>.+)",
        rf"{_TELL}(?:on a|nous avons) parle de quoi (?P<when>.+)",
    )
]


def asked_span(question: str, today: date, *, is_first: bool = False) -> Stretch | Which | None:
    """Return when that was said which the question asks for, if it asks for no subject; `is_first`
    if nothing was asked in its conversation yet.
    """
    if len(question) > LONGEST:
        return None
    said = " ".join(words(question.replace("'", " ").replace("’", " ")))
    for asked in _ASKED:
        if found := asked.fullmatch(said):
            when = found["when"]
            if re.fullmatch(_BEFORE, when):
                return Which.NEWEST if is_first else None
            which = (each for each, named in _OF_ONE.items() if re.fullmatch(named, when))
            return next(which, None) or _stretch(when, today)
    return None


def apart_from_when(subject: str, today: date) -> tuple[str, Stretch | None]:
    """Return what is left of a subject before the time that it ends with, and that time."""
    said = subject.split()
    for at in range(1, len(said)):
        behind = " ".join(words(" ".join(said[at:]).replace("’", " ")))
        if when := _stretch(behind, today):
            return " ".join(said[:at]), when
    return subject, None


def _stretch(when: str, today: date) -> Stretch | None:
    """Return the span of time that the words name, counted from that day."""
    for (unit, back), named in _SPANS.items():
        if re.fullmatch(named, when):
            return Stretch(unit, today).moved(unit, -back)
    for at, names in enumerate(_WEEKDAYS):
        if re.fullmatch(_ON_A_DAY.format(names), when):
            return Stretch("day", today - timedelta(days=(today.weekday() - at) % 7 or 7))
    if ago := _AGO.fullmatch(when):
        number, named = (each for each in ago.groups() if each)
        unit = next(unit for unit, names in _UNITS.items() if re.fullmatch(names, named))
        back = _COUNTS.get(number) or int(number)
        return Stretch(unit, today).moved(unit, -min(back, _FURTHEST))
    return None
