"""Figures and times asked for, and whether what is quoted tells one at all.

Who asks what the ferry costs is not answered by a sentence on the ferry without a figure.
"""

from dataclasses import dataclass
from re import Pattern

from chat.quoting.kinds import COUNTED_LETTERS, COUNTS, kind_pattern
from chat.quoting.wordings import DATE, DURATION, FIGURE, FREQUENCY
from citations.languages import language_of
from memory.text.words import stem, words


@dataclass(frozen=True)
class FigureKind:
    """What asks for a figure of a sort, and what tells one."""

    asks: Pattern[str]
    tells: tuple[Pattern[str], ...]


# "Free of charge" and "both" are amounts without a figure, "until the spring" is a time.
AMOUNT = FigureKind(
    kind_pattern(
        r"\bhow (?:high|low|many|much|long|large|big|often|old|far|deep|fast)\b"
        r"|\b(?:what|which) (?:percent\w*|number|amount|price|size)\b"
        r"|\bwhat (?:do|does|did|would)\b[^?]{1,80}?\bcosts?\b"
        r"|\bwie ?(?:viele?|hoch|lange|oft|alt|weit|groß)\b|\bkostet\b|\bcuánt\w*|\bcombien\b"
    ),
    (
        FIGURE,
        DURATION,
        FREQUENCY,
        kind_pattern(
            r"\b(?:one|single|both|none|unlimited|any number|free|no (?:limit|maximum|minimum)"
            r"|as (?:many|much|long)|until|forever|eleven|twelve|fifteen|twenty|thirty|forty|fifty"
            r"|unbegrenzt|kostenlos|beide|bis|ilimitad\w+|gratis|ambos|hasta|gratuit\w*|jusqu)\b"
        ),
    ),
)
TIME = FigureKind(
    kind_pattern(r"\bwhen (?:is|are|was|were|do|does|did|will)\b|\bwann\b|\bcuándo\b|\bquand\b"),
    (
        FIGURE,
        DATE,
        DURATION,
        FREQUENCY,
        kind_pattern(
            r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|noon|midnight|spring|summer|autumn"
            r"|winter|after|before|until|once|during|when(?:ever)?|if|always|never|immediately"
            r"|nach|vor|bis|während|wenn|sobald|immer|nie|mittags?|sommer|después|antes|hasta"
            r"|durante|cuando|siempre|nunca|mediodía|verano|après|avant|pendant|lorsque|toujours"
            r"|jamais|midi|été)\b"
        ),
    ),
)
DAY = FigureKind(
    kind_pattern(
        r"\b(?:what|which) (?:year|date|month)\b|\bwelche[mns]? (?:Jahr|Monat|Datum)\b"
        r"|\bqué (?:año|mes|fecha)\b|\bquelle (?:année|date)\b"
    ),
    (FIGURE, DATE),
)


def asks_figure(question: str) -> bool:
    """Tell whether the question asks for a figure or a time, or for a count of something."""
    kinds = (AMOUNT, TIME, DAY)
    return COUNTS.search(question) is not None or any(each.asks.search(question) for each in kinds)


def lacks_figure(question: str, text: str) -> bool:
    """Tell whether the question asks for a figure or a time, and the text has none but those of
    the question, or doesn't name what is to be counted.
    """
    asked = {stem(word) for word in words(question)}
    count = COUNTS.search(question)
    is_abroad = language_of(text) not in ("", language_of(question))
    if count and not is_abroad and count["noun"][:COUNTED_LETTERS].lower() not in text.lower():
        return True
    return any(
        kind.asks.search(question) and not tells(kind, text, asked) for kind in (AMOUNT, TIME, DAY)
    )


def tells(kind: FigureKind, text: str, asked: set[str]) -> bool:
    """Tell whether the text has a figure of the sort that isn't asked with."""
    return any(
        not asked.issuperset(map(stem, words(found.group())))
        for pattern in kind.tells
        for found in pattern.finditer(text)
    )
