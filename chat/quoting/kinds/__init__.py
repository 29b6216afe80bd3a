"""What kind of question is asked, and what answers it: by its wording, in four languages.

"Who?" is answered by what has a name in it, "how many?" by a figure, "how do I?" by steps and
commands, "which?" by a list. What answers scores a little more than what is only about the same.
"""

import re
from dataclasses import dataclass

from chat.quoting.kinds.questions import (
    COSTS,
    HOW,
    HOW_TO,
    LEAD,
    LISTED,
    MOST,
    OBLIGES,
    RECURS,
    WHAT_IF,
    WHAT_IS,
    WHEN,
    WHO_IS,
    WHO_MADE,
    WHY_CALLED,
    YES_OR_NO,
    kind_pattern,
)
from chat.quoting.kinds.wordings import (
    ANNOUNCEMENT,
    APPOSED,
    CONDITION,
    COUNT,
    DATE,
    DEFAULT,
    DEFINITION,
    DURATION,
    DUTY,
    ENTRY,
    EXPANSION,
    FIGURE,
    FLAGS,
    FREQUENCY,
    LOWER_BOUND,
    MADE_BY,
    NAME,
    NAMED_AFTER,
    OBLIGATION,
    OCCASION,
    PLACE,
    PRICE,
    PURPOSE,
    REASON,
    RECURRENCE,
    STEP,
    UPPER_BOUND,
    VERDICT,
    WAY,
    WHO_IT_IS,
)
from citations.index import index_terms
from citations.retrieval.units import UnitForm
from memory.text.words import stem, words


@dataclass(frozen=True)
class QuestionKind:
    """How a kind of question is worded, what its answers hold, and which forms they have."""

    name: str
    asks: re.Pattern[str]
    says: re.Pattern[str] | None = None
    worth: float = 0.0
    forms: frozenset[UnitForm] = frozenset()
    # Whether what it looks for is the answer itself, and can be set off.
    is_answer: bool = False

    def is_said_by(self, text: str, asked: frozenset[str], subject: frozenset[str]) -> bool:
        """Return whether the text holds what the question looks for: of a definition, its
        subject's; of a figure or a name, one that the question doesn't have itself.
        """
        if self.says is None:
            return False
        if "subject" in self.says.groupindex:
            return any(
                subject <= set(index_terms(found["subject"])) for found in self.says.finditer(text)
            )
        return any(
            not self.is_answer or not asked.issuperset(map(stem, words(found.group())))
            for found in self.says.finditer(text)
        )


KINDS = (
    QuestionKind(
        "number",
        kind_pattern(
            r"\bhow (?:high|low|many|much|long|large|big|often|old|likely|far|deep|fast|soon)\b"
            r"|\bwhat (?:percent\w*|number|amount|rate|share|proportion|size|price|cost|version)\b"
            r"|\b(?:which|what) (?:\w+ )?(?:version|port|number)\b|\bcuánt\w*"
            r"|\b(?:max|maximum|biggest|largest|highest|longest|min|minimum|smallest|lowest)\b"
            r"|\bcuant[oa]s?\b|\bcombien\b"
            r"|\bwie ?(?:viele?|hoch|lange?|oft|alt|groß|weit|teuer|schnell|schwer|tief|breit)\b"
            r"|\b(?:welche[rn]?|qué|quel(?:le)?) (?:version|versión|port|puerto|größe|taille|tamaño"
            r"|anzahl|nombre|número|prozentsatz|porcentaje|pourcentage)\b"
        ),
        FIGURE,
        0.25,
        frozenset([UnitForm.ROW]),
        is_answer=True,
    ),
    QuestionKind(
        "date",
        kind_pattern(
            r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|time)\b|\bsince when\b|\bseit wann\b"
            rf"|\bcuándo\b|{LEAD}cuando\b|\bwann\b|\bquand\b"
            r"|\b(?:welche[mnrs]?|qué|quel(?:le)?) (?:jahr|datum|tag|monat|año|fecha|día|mes|année"
            r"|date|jour|mois)\b"
        ),
        DATE,
        0.25,
        is_answer=True,
    ),
    QuestionKind(
        "duration",
        kind_pattern(
            r"\bhow (?:long|(?:much|many) (?:time|days|weeks|months|years|hours|minutes))\b"
            r"|\bwie ?lange?\b|\bcu[aá]nto (?:tiempo|dura)\b|\bcombien de temps\b"
        ),
        DURATION,
        0.35,
        is_answer=True,
    ),
    QuestionKind(
        "frequency",
        kind_pattern(
            r"\bhow (?:often|frequently|many times)\b|\bwie ?oft\b|\bcu[aá]ntas veces\b"
            r"|\bcon qu[eé] frecuencia\b|\bcombien de fois\b|\bquelle fréquence\b"
        ),
        FREQUENCY,
        0.3,
        is_answer=True,
    ),
    QuestionKind("upper bound", MOST, UPPER_BOUND, 0.4),
    QuestionKind(
        "lower bound",
        kind_pattern(
            r"\bmin(?:imum|imal\w*)?\b|\bat least\b|\bmindestens\b|\bmínim[oa]s?\b"
            r"|\bau minimum\b"
        ),
        LOWER_BOUND,
        0.4,
    ),
    QuestionKind(
        "default",
        kind_pattern(
            r"\bdefaults?\b|\b(?:por|par) d[eé]f\w+|\bpredeterminad\w+|\bstandard(?:wert|mäßig)"
        ),
        DEFAULT,
        0.2,
    ),
    QuestionKind(
        "person",
        kind_pattern(
            rf"{LEAD}(?:who[ms]?|who['’]s|whose|qui[eé]n(?:es)?|wer|wem|wen|wessen|qui)\b"
            r"|\bby whom\b"
        ),
        NAME,
        0.2,
        is_answer=True,
    ),
    QuestionKind(
        "place",
        kind_pattern(
            rf"{LEAD}(?:where|d[oó]nde|wo|où)\b|\b(?:which|what) (?:file|folder|directory|path)\b"
            r"|\b(?:welche[mnrs]?|qu[eé]|quel(?:le)?s?) (?:datei|ordner|verzeichnis|pfad|archivo"
            r"|fichero|carpeta|directorio|ruta|fichier|dossier|répertoire|chemin)\b"
        ),
        PLACE,
        0.15,
    ),
    QuestionKind(
        "reason",
        kind_pattern(rf"{LEAD}(?:why|how come|por qu[eé]|warum|wieso|weshalb|pourquoi)\b"),
        REASON,
        0.15,
    ),
    QuestionKind("recurrence", RECURS, RECURRENCE, 0.4),
    QuestionKind("author", WHO_MADE, MADE_BY, 0.35),
    QuestionKind("who it is", WHO_IS, WHO_IT_IS, 0.3),
    QuestionKind("who it is, apposed", WHO_IS, APPOSED, 0.3),
    QuestionKind("occasion", WHEN, OCCASION, 0.1),
    QuestionKind("naming", WHY_CALLED, NAMED_AFTER, 0.35),
    QuestionKind("definition", WHAT_IS, DEFINITION, 0.35),
    QuestionKind("name in full", WHAT_IS, EXPANSION, 0.35),
    QuestionKind("entry", WHAT_IS, ENTRY, 0.35),
    QuestionKind(
        "purpose",
        kind_pattern(HOW),
        PURPOSE,
        0.3,
    ),
    QuestionKind("how to", HOW_TO, STEP, 0.25, frozenset([UnitForm.CODE, UnitForm.ROW])),
    QuestionKind("way", HOW_TO, WAY, 0.1),
    QuestionKind(
        "list",
        kind_pattern(
            r"(?:(?<!\bi )(?<!\bwe )(?<!\bto )\blist|\b(?:which|what)) (?:(?:of )?(?:the|all|are)\b"
            r"|(?!(?:is|was|does|has|this)\b)\w+s\b)|\bname (?:the|all|some)\b"
            rf"|{LEAD}(?:the )?(?:\w+ )?(?:{LISTED})\b"
            r"|\bqué \w+s\b|\bcu[aá]les\b|\bquel(?:le)?s\b"
            r"|\bwelche (?:gibt|sind|hat|\w+(?:n|er|s)|\w+ (?:sind|werden|gibt|haben|brauch\w+))\b"
        ),
        ANNOUNCEMENT,
        0.16,
        forms=frozenset([UnitForm.ITEM]),
    ),
    QuestionKind(
        "yes or no",
        YES_OR_NO,
        DUTY,
        0.08,
    ),
    QuestionKind("obligation", OBLIGES, OBLIGATION, 0.2),
    QuestionKind("condition", WHAT_IF, CONDITION, 0.15),
    QuestionKind("price", COSTS, PRICE, 0.3),
    QuestionKind("yes or no, answered", YES_OR_NO, VERDICT, 0.25),
)
COMPARES = kind_pattern(
    r"\b(?:compar\w+|versus|vs|differen\w+|diff|better|best|worse|worst|mejor|peor|diferencia\w*"
    r"|vergleich\w*|unterschied\w*|différence\w*|meilleur\w*)\b"
    # "Are there more berths in Corvo or in Flores?"
    r"|\b(?:more|less|fewer|bigger|larger|smaller|higher|lower|longer|shorter|older|newer|younger"
    r"|faster|slower|heavier|lighter|cheaper|earlier|later|mehr|weniger|größer|kleiner|höher|älter"
    r"|jünger|länger|kürzer|schneller|más|menos|mayor|menor|plus|moins)\b"
    r"(?=(?!\s(?:than|als|que|de)\b)[^.?!]{1,80}?\b(?:or|oder|o|ou)\b)"
)
# What is counted comes last: "how many response headers", but "how many people uses it".
COUNTS = kind_pattern(
    r"\b(?:how many(?: (?!people|men|women|children|persons)[^\W\d_]{2,30}(?<!s)"
    r"(?= (?!(?:does|has|was|is|this|its)\b)[^\W\d_]{2,29}s\b))?"
    r"|wie ?viele?|cuánt[oa]s|combien de)\s+(?P<noun>[^\W\d_]{3,30})"
)
# So many letters of the noun are held against: "header", "headers".
COUNTED_LETTERS = 5
# What a form that the question asks for counts.
FORM_WORTH = 0.15


def kinds_of(*wordings: str) -> list[QuestionKind]:
    """Return the kinds of a question, by any of its wordings."""
    return [kind for kind in KINDS if any(kind.asks.search(each) for each in wordings if each)]


def counted(question: str) -> re.Pattern[str] | None:
    """Return what finds a figure of what the question asks to be counted: "13 response headers"."""
    asked = COUNTS.search(question)
    if asked is None:
        return None
    noun = re.escape(asked["noun"][:COUNTED_LETTERS])
    return re.compile(rf"{COUNT}[\s-](?:[\w-]{{1,30}}\s){{0,2}}{noun}", FLAGS)


def without_asking(question: str) -> str:
    """Return what a question is about, without the words that ask what it is or who made it."""
    return WHAT_IS.sub(" ", WHO_MADE.sub(" ", question))


def wording_worth(
    kinds: list[QuestionKind],
    text: str,
    form: UnitForm,
    asked: frozenset[str],
    subject: frozenset[str] | None = None,
) -> float:
    """Return what a unit's wording and form count for questions of these kinds, with these terms,
    about this subject, which else is all of them.
    """
    subject = asked if subject is None else subject
    said = max((kind.worth for kind in kinds if kind.is_said_by(text, asked, subject)), default=0.0)
    fitting = any(form in kind.forms for kind in kinds)
    return said + FORM_WORTH * fitting
