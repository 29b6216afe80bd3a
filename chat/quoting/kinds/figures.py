"""Figures, times and names asked for, and whether what is quoted tells one at all.

Who asks what the ferry costs is not answered by a sentence on the ferry without a figure, nor by
how many cars it carries; who asks why it is called so, by what else is said of it.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from re import Pattern

from chat.quoting.kinds import COUNTED_LETTERS, COUNTS
from chat.quoting.kinds.alike import alike
from chat.quoting.kinds.questions import WHY_CALLED, kind_pattern
from chat.quoting.kinds.wordings import COUNT, DATE, DURATION, FIGURE, FREQUENCY, NAME, NAMED_AFTER
from citations.formats.blocks import CELLS
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
        r"\bhow (?:high|low|many|much|large|big|often|old|far|deep|fast|hot|cold|heavy|wide|tall)\b"
        r"|\b(?:what|which) (?:percent\w*|number|amount|size)\b"
        r"|\bwie ?(?:viele?|hoch|oft|alt|weit|groß|schwer|heiß|schnell)\b|\bcu[aá]nt\w*|\bcombien\b"
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
# A price has a currency, or who doesn't pay, whatever other figures stand around.
PRICE = FigureKind(
    kind_pattern(
        r"\b(?:what|how (?:much|high)|(?:do|does|did|will) (?:it|this|that|the)|is there an?)\b"
        r"[^?]{0,60}?\b(?:costs?|price|fees?|charge|salary|paid)\b|\bhow expensive\b"
        r"|\bhow much (?:is|are) (?:one|an?|each)\b"
        r"|\bkostet\b|\bwas kosten\b|\bwie teuer\b"
        r"|\b(?:wie hoch ist|was ist|welche[rn]?) (?:der |die )?(?:preis|gebühr)\w*"
        r"|\bcuesta\w*|\bcu[aá]l es el (?:precio|coste|costo)\b"
        r"|\bcombien co[uû]te\w*|\bquel est le (?:prix|tarif|coût)\b"
    ),
    (
        kind_pattern(
            r"[$€£¥]\s?\d[\d.,]*|\d[\d.,]*\s?[€£%]"
            # "Price: 12", and a row under a column of prices.
            r"|\b(?:prices?|costs?|fees?|Preis\w*|Gebühr\w*|precios?|prix)\b"
            r"(?:\W{1,5}|[^\n]{0,200}\n[^\n|]{0,80}\|[^\n]{0,200}?)\d[\d.,]*"
            r"|\b(?:usd|eur|euros?|dollars?|cents?|pounds?|franc\w*|pesos?|yen|chf|gbp"
            r"|free|charged?|charges|paid|pay|no (?:fee|cost)s?|gratis|kostenlos|kostenfrei"
            r"|bezahl\w*|gratuit\w*|pag\w{1,5}|pay(?:er|é|ant)\w*)\b"
        ),
    ),
)
# How long something takes or holds; and how long it is, with what that is measured in.
LENGTH = FigureKind(
    kind_pattern(
        r"\bhow long\b|\bwie ?lange?\b|\bcu[aá]nto (?:tiempo|tarda|dura)\w*|\bcombien de temps\b"
    ),
    (
        DURATION,
        DATE,
        FREQUENCY,
        kind_pattern(
            r"\d\s?(?:[mck]?m|[kmg]b|ft|inch\w*|feet|foot|miles?|met(?:er|re)s?|kilomet\w+|metros?"
            r"|bytes?|bits?|characters?|letters?|words?|lines?|pages?|[hsd]|ms|min|Zeichen|Wörter"
            r"|Seiten?|Zeilen?|caracteres|palabras|páginas?|caractères|mots|lignes)\b"
            r"|\d[\w ()]{1,40}\b(?:long|in length|lang|largo)\b"
            r"|\b(?:(?:milli)?seconds|minutes|hours|days|weeks|months|years|until|forever|always"
            r"|unlimited|indefinit\w+|immediate\w*|permanent\w*|as long as|bis|solange|immer|ewig"
            r"|unbegrenzt|sofort|hasta|siempre|mientras|ilimitad\w+|jusqu\w*|toujours|tant que"
            r"|immédiat\w*)\b"
        ),
    ),
)
TELEPHONE = FigureKind(
    kind_pattern(r"\b(?:(?:tele)?phone number|Telefonnummer|teléfono|numéro de téléphone)\b"),
    # Said to be one, or written as one is: numbers of companies, orders and accounts are others.
    (
        kind_pattern(
            r"\b(?:(?:tele)?(?:ph|f)on\w{0,8}|t[ée]l[ée]?\w{0,6}|mobil\w*|handy|cell|m[óo]vil|portable"
            r"|(?:hot|help)line|call\w*|dial|fax|ruf\w*|anruf\w*|llam\w*|appel\w*)\b"
            r"[^\d\n]{0,40}\d[\d ()/.–-]{1,20}\d"
        ),
        kind_pattern(r"\+\d[\d ()/.–-]{5,20}\d|\(0?\d{2,5}\) ?\d[\d /–-]{2,12}\d"),
        kind_pattern(
            r"(?<![\d./–-])(?:0\d{1,5} ?[/–-] ?\d[\d –-]{3,12}\d|0\d{1,4}(?: \d{2,4}){2,5}"
            r"|(?:1[ .–-]?)?\d{3,4}[ .–-]\d{3}[ .–-]\d{3,4}|\d{3}[.–-]\d{4})\b(?![./–-]\d)"
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
# Beside figures: why something is called as it is, and who makes it, which names tell.
NAMING = FigureKind(WHY_CALLED, (NAMED_AFTER,))
MAKER = FigureKind(
    kind_pattern(
        r"\bwho(?:['’]?s)?\b[^?]{0,20}?\b(?:maintain\w*|wr[oi]te\w*|written|created?|creator|made"
        r"|develop\w*|invent\w*|found(?:ed|er)|design\w*|authors?|authored)\b"
    ),
    (
        NAME,
        kind_pattern(
            r"[\w.+-]{1,40}@[\w-]{1,40}\.\w|\bby \w{2,}|\b(?:team|project|developers?|company"
            r"|community|contributors?|volunteers?|maintainers?|organi[sz]ation|foundation|group|authors?)\b"
        ),
    ),
)
# People are told by what they do: "five experienced contributors".
PEOPLE = kind_pattern(r"people|persons|personen|leute|personas|gente|personnes|gens")
PERSONS = kind_pattern(
    rf"{COUNT}[\s-](?:[\w-]{{1,30}}\s){{0,2}}(?:\w{{2,30}}(?:ers|ors|ists|ees|men|innen|eurs|ores)"
    r"|students|residents|inhabitants|participants|clients|patients|parents|guests|adults|children"
    r"|kids|staff)\b"
)
# Where what is told of one thing may end, and what is told of another begins.
SENTENCES = re.compile(r"(?<=[.!?:;])\s+|\n")
KINDS = (AMOUNT, PRICE, LENGTH, TELEPHONE, TIME, DAY, NAMING, MAKER)


def asks_figure(question: str) -> bool:
    """Return whether the question asks for a figure or a time, or for a count of something."""
    return COUNTS.search(question) is not None or any(each.asks.search(question) for each in KINDS)


def lacks_figure(question: str, text: str) -> bool:
    """Return whether the question asks for a figure or a time, and the text has none of that sort
    but those of the question, or doesn't name what is to be counted.
    """
    asked = {stem(word) for word in words(question)}
    count = COUNTS.search(question)
    is_abroad = language_of(text) not in ("", language_of(question))
    if count and not is_abroad and not tells_count(count["noun"], question, text, asked):
        return True
    return any(kind.asks.search(question) and not tells(kind, text, asked) for kind in KINDS)


def tells_count(noun: str, question: str, text: str, asked: set[str]) -> bool:
    """Return whether the text names what is to be counted, by that word with an amount beside it,
    or by another one for it; of people columns may be called anything ("Cases").
    """
    said = [*SENTENCES.split(text), ""]
    cells = {word for one in said if CELLS.strip() in one for word in words(one)}
    if PEOPLE.fullmatch(noun) and (cells or PERSONS.search(text)):
        return True
    if stem(noun.lower()) in map(stem, cells) or alike(noun.lower(), cells):
        return True
    own = noun[:COUNTED_LETTERS].lower()
    return any(
        own in one.lower() and tells(AMOUNT, f"{one}\n{next_one}", asked)
        for one, next_one in pairwise(said)
    )


def tells(kind: FigureKind, text: str, asked: set[str]) -> bool:
    """Return whether the text has a figure of the sort that isn't asked with."""
    return any(
        not asked.issuperset(map(stem, words(found.group())))
        for pattern in kind.tells
        for found in pattern.finditer(text)
    )
