"""How counts, sums, means and comparisons are worded, in four languages.

Questions are read as their words in small letters, without accents, with one space between them.
"""

import re

_NUMBER_OF = r"(?:number|count) of|anzahl(?: der| von)?|numero de|nombre de"
COUNT = re.compile(
    rf"\b(?:how many|{_NUMBER_OF}|count(?: the)?|wie ?viele|cuant[oa]s|combien de)\b"
)
SUM = re.compile(
    r"\b(?:(?:in )?total(?: of| number of| amount of)?|sum(?: of)?|altogether|all together|combined"
    r"|overall|insgesamt|summe(?: der)?|gesamt|en total|suma(?: de)?|au total|somme des?)\b"
)
MEAN = re.compile(
    r"\b(?:average|avg|mean|on average|durchschnitt(?:lich\w*)?|im schnitt|mittelwert|promedio"
    r"|en promedio|moyenne|en moyenne)\b"
)
# Of which so many different ones are counted.
SORTS = re.compile(
    r"\b(?:(?:different|distinct|unique|various|verschiedenen?|diferentes|differente?s)\b"
    r"(?: (?:types?|kinds?|sorts?|arten|tipos)\b)?|types?|kinds?|sorts?|arten|tipos)"
    r"(?: (?:of|de)\b)?"
)
# What is asked for as a share of others, and not as it is counted: "accident rate", "per 1000".
RATE = re.compile(r"\b(?:rates?|ratio|quote|tasa|taux)\b")
PER_SO_MANY = re.compile(
    r"\b(?:per|pro|je|por(?: cada)?|pour|in every|for every)"
    r" (?P<number>\d+|hundred|thousand|hundert|tausend|mil|mille)\b"
    r"(?: (?:people|persons|inhabitants|personen|einwohner|personas|habitantes|habitants))?"
)
IN_DIGITS = {"hundred": "100", "hundert": "100"} | dict.fromkeys(
    ("thousand", "tausend", "mil", "mille"), "1000"
)
# What a column is called whose figures are shares of others.
OF_RATES = frozenset(
    "rate rates ratio share percent percentage pct perc per pro je por par quote anteil prozent"
    " tasa porcentaje taux pourcentage".split()
)
# What stands in most rows, or in the fewest.
COMMONEST = re.compile(
    r"\b(?:most|least) (?:common|frequent|often)(?:ly)?\b|\bcommonest\b|\bhaufigste\w?\b"
    r"|\bmas (?:comun|frecuente)s?\b|\bplus (?:courante?|frequente?)s?\b"
)
# A comparison that was not understood, or is none with a number.
COMPARING = frozenset(
    "more less fewer over above under below than before after since until least mehr weniger uber"
    " unter mas menos plus moins".split()
)
# What else is asked of the row that is told: "the fastest time, and who ran it".
AND_OF_IT = re.compile(
    r"(?<=\w )(?:and|und|y|et)"
    r" (?:who|which|what|when|where|whose|wer|wann|wo|quien|cuando|qui|quand)\b"
    r"(?: \w+){0,4}$"
)
# Who asks says what they did with it: "how much rent did i pay".
OF_US = re.compile(r"\b(?:did|do|have|had) (?:i|we|you|they) (?!more\b|less\b)(?P<act>[a-z]+)\b")
# Over all of the rows, in whatever words: "over all the years".
OVER_ALL = re.compile(
    r"\b(?:over|across|through|uber|en|sur|durante|pendant) (?:all|the|alle|todos|tous|toutes)"
    r"(?: (?:of|the|die|los|las|les))* (?:years?|jahre|anos|ans|annees|months|monate|meses|mois)\b"
)
# The most of it is asked for as a number: "highest number of accidents".
NUMBER_OF = re.compile(rf"\b(?:{_NUMBER_OF})\b")
# How much one is before another, in words before what it is of, and which of them is.
DIFFERENCE = re.compile(
    r"\b(?:how (?:much|many) (?:more|less|fewer)|(?:whats? )?(?:is |the )*difference"
    r" (?:in|of|between)|wie ?viele? (?:mehr|weniger)|unterschied (?:bei|zwischen|der)"
    r"|cuant[oa]s? (?:mas|menos)|diferencia (?:de|entre)|combien de (?:plus|moins)"
    r"|difference (?:de|entre)|(?:more|less|mehr|weniger)(?= (?!than )(?:\w+ ){1,4}(?:or|oder) ))\b"
)
OF_ALL = re.compile(r"most|least|fewest|meisten?|wenigsten?|mas|menos|plus|moins")
# "Do women earn less than men on average" asks for what both earn.
RATHER_THAN = re.compile(
    r"\b(?:more|less|fewer|higher|lower|older|younger|heavier|lighter|longer|shorter|mehr|weniger"
    r"|mas|menos|plus|moins) (?:than|als|que)\b"
)
THAN = re.compile(r"\b(?:than|als)\b")
SHARE = re.compile(
    r"\b(?<!\d )(?:(?:what|which|welcher|que|quel(?:le)?) )?(?:percent(?:age)?|share|proportion"
    r"|fraction|anteil|prozentsatz|porcentaje|pourcentage)(?: (?:of|der|von|de|des))?\b"
    r"|\b(?:wie ?viel|how (?:much|many)) (?:prozent|percent)(?: (?:of|der))?\b"
)
# What a list is asked for with.
LISTS = re.compile(
    r"\b(?:which|who|list|show|find|names? of|welche\w?|wer|que|cuales|quels?|quelles?)\b"
)
# What this doesn't reckon: for each, shares, changes, and all that is negated.
BEYOND = re.compile(
    r"\b(?:each|every|per|percent\w*|percentage|share|proportion|ratio|median|why|how (?:do|to|can)"
    r"|not|(?:do|does|did|is|are|was|were|has|have|ca)n ?t|without|no(?! \d)|never|except|excluding"
    r"|difference|increase|decrease|change|correlation|trend|jede\w?|pro|prozent|ohne|nicht|warum"
    r"|kein\w*|nie|sin|cada|ningun\w?|nunca|sans|chaque|pourquoi|aucune?|jamais"
    r"|second|third|2nd|3rd)\b"
)
HOW_MUCH = re.compile(r"^(?:how much|wie ?viel|cuanto|combien)\b(?! more| less| mehr| weniger)")
NONE = re.compile(r"\b(?:never|no|without|zero|any|kein\w*|nie|ningun\w?|nunca|aucune?|jamais)\b")
MORE = (
    r"more than|over|above|greater than|bigger than|higher than|larger than|exceeding|mehr als|uber"
    r"|mas de|plus de"
)
AT_LEAST = r"at least|minimum|from|since|mindestens|ab|seit|al menos|desde|au moins|depuis"
LESS = (
    r"less than|fewer than|under|below|smaller than|lower than|weniger als|unter|menos de"
    r"|moins de"
)
AT_MOST = r"at most|up to|maximum|until|hochstens|bis|como maximo|hasta|au plus|jusqu a"
BEFORE, AFTER = r"before|earlier than|vor|antes de|avant", r"after|later than|nach|despues de|apres"
# "Older than 80" says which column, too.
BY_ADJECTIVE = {
    r"older than": (">", r"age|alter|edad"),
    r"younger than": ("<", r"age|alter|edad"),
    r"heavier than": (">", r"weight|wt|mass|kg|lbs|gewicht|peso"),
    r"lighter than": ("<", r"weight|wt|mass|kg|lbs|gewicht|peso"),
    r"longer than": (">", r"length|duration|lange|dauer"),
    r"shorter than": ("<", r"length|height|duration|lange|dauer"),
    r"taller than": (">", r"height|grosse|hohe"),
    r"faster than": (">", r"speed|velocity"),
    r"slower than": ("<", r"speed|velocity"),
    r"cheaper than": ("<", r"price|cost|fee|preis"),
    r"more expensive than": (">", r"price|cost|fee|preis"),
}
COMPARISONS = (
    (re.compile(rf"\b(?:{MORE}|{AFTER})$"), ">"),
    (re.compile(rf"\b(?:{AT_LEAST})$"), "≥"),
    (re.compile(rf"\b(?:{LESS}|{BEFORE})$"), "<"),
    (re.compile(rf"\b(?:{AT_MOST})$"), "≤"),
    *((re.compile(rf"\b{words}$"), sign) for words, (sign, _) in BY_ADJECTIVE.items()),
)
BEHIND = (
    (re.compile(r"^(?:or more|or above|or over|or older|and up|oder mehr|o mas|ou plus)\b"), "≥"),
    (re.compile(r"^(?:or less|or fewer|or below|or under|oder weniger|o menos|ou moins)\b"), "≤"),
)
TIMES = {
    **dict.fromkeys(("k", "thousand", "tausend", "mil", "mille"), 1e3),
    **dict.fromkeys(("million", "millions", "mio", "mn", "millionen", "millones"), 1e6),
    **dict.fromkeys(("billion", "billions", "bn", "milliarden", "milliards"), 1e9),
}
MONTHS = tuple(
    frozenset(names.split())
    for names in (
        "jan january januar enero janvier",
        "feb february februar febrero fevrier",
        "mar march marz marzo mars",
        "apr april abril avril",
        "may mai mayo",
        "jun june juni junio juin",
        "jul july juli julio juillet",
        "aug august agosto aout",
        "sep sept september septiembre septembre",
        "oct october oktober octubre octobre",
        "nov november noviembre novembre",
        "dec december dezember diciembre decembre",
    )
)
# Words that may stand in such a question and say nothing of the rows.
BESIDE = frozenset(
    """
    there here have has had having got get gets with whose where that this these those one ones
    them it its they their rows row entries entry records record lines items people person
    persons things table sheet file csv xlsx data dataset list show find give tell name names
    please all whole long big high many much years old year value values number case cases time
    total live lives living lived work works working worked happen
    happened occur occurred exist listed recorded made billed invoiced charged bill
    make makes do does did done weigh cost costs found come comes belong contain contains
    degrees numbers figures zahlen daten datos donnees between vs versus compared compare and or by
    ever only just exactly equal equals both said given has held received rate rates level status
    gibt es hat haben mit zeilen einzige werte sind war waren wurde wurden wieviel hoch gross welche
    welcher welches welchen welchem bekommen erhalten quote noch hay tienen tiene con filas y tasa
    avec ont lignes taux il el la los las le les der die das von in den quel quelle quels quelles
    cual cuales
    """.split()
)
# Of these words those that say nothing of the rows only where a column is called so.
MEASURING = frozenset(["cost", "costs", "weigh"])
# Verbs that say little of themselves.
VERBS = frozenset(
    "is are was were has have had do did sind ist waren hat haben es son est sont".split()
)
# What is measured of each row, and would mean nothing if it were added up.
MEASURES = frozenset(
    "rate ratio age price mean average avg percent percentage score rating index income salary wage"
    " pay temperature temp speed height weight mass length width depth size mortality mpg year gdp"
    " mag magnitude rank alter preis gehalt einkommen temperatur edad precio prix".split()
)
