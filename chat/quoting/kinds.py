"""What kind of question is asked, and what answers it: by its wording, in four languages.

"Who?" is answered by what has a name in it, "how many?" by a figure, "how do I?" by steps and
commands, "which?" by a list. What answers scores a little more than what is only about the same.
"""

import re
from dataclasses import dataclass

from citations.index import index_terms
from citations.retrieval.units import UnitForm

FLAGS = re.IGNORECASE
# What may stand before a question: "and", "so", "y", "und", "et".
LEAD = r"^\W*(?:(?:and|but|so|then|ok|okay|y|pero|und|aber|et|mais)\b\W*)*"
FIGURE = re.compile(
    r"(?<![\w.])[$€£]?\d(?:[\d.,]*\d)?(?:\s?%)?|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen|half"
    r"|twice|once|hundred|thousand|million|billion|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez"
    r"|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|deux|trois|quatre|cinq|sept|huit|neuf|dix)\b",
    FLAGS,
)
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|enero|febrero|marzo|abril|mayo"
    r"|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|januar|februar|märz|mai|juni|juli"
    r"|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|décembre)"
)
DATE = re.compile(
    rf"\b{MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?(?:\s+\d{{4}})?\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:de\s+)?{MONTH}(?:\s+(?:de\s+)?\d{{4}})?\b"
    rf"|\b{MONTH}\s+\d{{4}}\b|\b(?:1[5-9]|20)\d\d\b|\b\d{{4}}-\d\d-\d\d\b"
    r"|\b\w+\s(?:day|week|month|year)s?\s(?:before|after|from|of)\b"
    r"|\b(?:\d+|two|three|four|five|six|seven|ten|thirty|sixty|ninety)\s+(?:business\s+)?"
    r"(?:hour|day|week|month|year)s?\b",
    FLAGS,
)
NAME = re.compile(
    r"\b[A-ZÀ-Þ][\w'’.-]+(?:\s(?:(?:de|von|van|der|la|del|of|the)\s)*[A-ZÀ-Þ][\w'’.-]*)+"
)
REASON = re.compile(
    r"\b(?:because|since|so that|in order to|due to|therefore|thus|reason|caused? by|as a result"
    r"|porque|debido|ya que|weil|damit|wegen|parce que|car|afin)\b",
    FLAGS,
)
DEFINITION = re.compile(
    r"^(?P<subject>[^.;:!?]{0,90}?)\b(?:means|refers to|is (?:an?|the|one)\b|are (?:an?|the)?\b"
    r"|stands for|is defined|is used (?:to|for)|provides an?|(?:lets|allows) (?:you|users|the)"
    r"|es (?:un|una|el|la)\b|significa|ist (?:ein|eine|der|die|das)\b"
    r"|bedeutet"
    r"|est (?:un|une|le|la)\b|désigne)",
    FLAGS,
)
# A name in full, with its letters in brackets behind it, or the other way round.
EXPANSION = re.compile(
    r"(?P<subject>(?:\b[A-Z][\w-]*\s){1,6}\([A-Z]{2}[\w.]{0,8}\b"
    r"|(?:\b[a-z][\w-]*\s){2,6}\([A-Z]{2}[\w.]{0,8}\)"
    r"|\b[A-Z]{2}[\w.]{0,8}\s\((?:[A-Z][\w-]*[\s)]){2,6})"
)
# "index: A collection of files": an entry of a glossary, or of a list of terms.
ENTRY = re.compile(r"^\W*(?P<subject>[^.:;!?\n]{1,60}):\s+\S", FLAGS)
# "To list the files, …": what is told is how to do it.
PURPOSE = re.compile(r"^\W*(?:in order )?(?:to|para|um|pour)\s(?P<subject>[^.,;:!?]{3,120})", FLAGS)
DUTY = re.compile(
    r"\b(?:must|may|shall|can(?:not)?|not|never|only|required?|allow(?:s|ed)?|permit(?:s|ted)?"
    r"|prohibited|always|no|debe|puede|no|nunca|solo|muss|darf|kann|nicht|nur|doit|peut|pas)\b",
    FLAGS,
)
# What holds where nothing else is said.
DEFAULT = re.compile(
    r"\bdefaults? ?(?:to|value|is|are|[:=(])|\bby default\b|[(\[,] ?default\b"
    r"|\b(?:por|par) d[eé]f\w+|\bpredeterminad\w+|\bstandard(?:wert|mäßig)",
    FLAGS,
)
# A path, an address on the web, or a folder that is named.
PLACE = re.compile(
    r"(?<![\w/.])(?:~|\.{1,2}|\$\w{1,40})?/[\w.+-]+|https?://"
    r"|\b(?:in|under|from|into|to|en|im|dans) (?:the |el |la |le )?(?:\w+ ){0,2}"
    r"(?:director(?:y|ies)|folders?|files?|carpeta|directorio|Verzeichnis|Ordner|dossier)\b",
    FLAGS,
)
VERDICT = re.compile(
    r"^\W*(?:a(?:nswer)?: )?(?:yes|no|nope|sí|no|ja|nein|jein|oui|non)\b\s*[,.:;!–—-]", FLAGS
)
STEP = re.compile(
    r"^\W*(?:\d+[.)]\s|(?:to|use|run|type|click|press|select|choose|open|enter|set|add|install"
    r"|create|go|call|execute|para|use|usa|ejecut\w+|um|verwenden|pour|utilisez)\b)",
    FLAGS,
)


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

    def is_said_by(self, text: str, asked: frozenset[str]) -> bool:
        """Tell whether the text holds what the question looks for: of a definition, its terms'."""
        if self.says is None or "subject" not in self.says.groupindex:
            return self.says is not None and self.says.search(text) is not None
        return any(
            asked <= set(index_terms(found["subject"])) for found in self.says.finditer(text)
        )


def kind_pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, FLAGS)


YES_OR_NO = kind_pattern(
    rf"{LEAD}(?:is|are|was|were|do|does|did|can|could|may|must|should|shall|will|would|has"
    r"|have|am|puedo|puede|debo|tengo|hay|es|está|kann|darf|muss|ist|sind|hat|peut|dois|est)\b"
)
WHAT_IS = kind_pattern(
    rf"{LEAD}(?:what(?:'s| is| are| does)|define|meaning of|qué (?:es|son|significa)"
    r"|was (?:ist|sind|bedeutet)|qu['’]est[- ]ce que?|que signifie)\b"
)
KINDS = (
    QuestionKind(
        "number",
        kind_pattern(
            r"\bhow (?:high|low|many|much|long|large|big|often|old|likely|far|deep|fast|soon)\b"
            r"|\bwhat (?:percent\w*|number|amount|rate|share|proportion|size|price|cost|version)\b"
            r"|\b(?:which|what) (?:\w+ )?(?:version|port|number)\b|\bcuánt\w*"
            r"|\b(?:max|maximum|biggest|largest|highest|longest|min|minimum|smallest|lowest)\b"
            r"|\bwie ?(?:viele?|hoch|lange|oft)\b"
            r"|\bcombien\b"
        ),
        FIGURE,
        0.25,
        frozenset([UnitForm.ROW]),
        is_answer=True,
    ),
    QuestionKind(
        "date",
        kind_pattern(
            r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|time)\b|\bhow long\b"
            r"|\bcuándo\b|\bwann\b|\bquand\b"
        ),
        DATE,
        0.25,
        is_answer=True,
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
        kind_pattern(rf"{LEAD}(?:who|whom|whose|qui[eé]n(?:es)?|wer|wem|wen|qui)\b|\bby whom\b"),
        NAME,
        0.2,
        is_answer=True,
    ),
    QuestionKind(
        "place",
        kind_pattern(
            rf"{LEAD}(?:where|dónde|wo|où)\b|\b(?:which|what) (?:file|folder|directory|path)\b"
        ),
        PLACE,
        0.15,
    ),
    QuestionKind(
        "reason",
        kind_pattern(rf"{LEAD}(?:why|how come|por qué|warum|wieso|weshalb|pourquoi)\b"),
        REASON,
        0.15,
    ),
    QuestionKind("definition", WHAT_IS, DEFINITION, 0.35),
    QuestionKind("name in full", WHAT_IS, EXPANSION, 0.35),
    QuestionKind("entry", WHAT_IS, ENTRY, 0.35),
    QuestionKind(
        "purpose",
        kind_pattern(
            rf"{LEAD}how (?:do|does|can|could|should|would|to)\b|{LEAD}(?:cómo|wie|comment)\b"
        ),
        PURPOSE,
        0.3,
    ),
    QuestionKind(
        "how to",
        kind_pattern(
            rf"{LEAD}how (?:do|does|can|could|should|would|to)\b|{LEAD}(?:cómo|wie|comment)\b"
            r"|\bsteps?\b|\bhello world\b|\bcommand\b|\bexample\b|\binstall\b|\bfix\b|\bshortcut\b"
            r"|\bcomando\b|\bbefehl\b|\bcommande\b"
        ),
        STEP,
        0.1,
        frozenset([UnitForm.CODE, UnitForm.ITEM]),
    ),
    QuestionKind(
        "list",
        kind_pattern(
            r"(?:(?<!\bi )(?<!\bwe )(?<!\bto )\blist|\b(?:which|what)) (?:(?:of )?(?:the|all|are)\b"
            r"|(?!(?:is|was|does|has|this)\b)\w+s\b)|\bname (?:the|all|some)\b"
            r"|\bqué \w+s\b|\bcuáles\b|\bwelche\b|\bquel(?:le)?s\b"
        ),
        forms=frozenset([UnitForm.ITEM]),
    ),
    QuestionKind(
        "yes or no",
        YES_OR_NO,
        DUTY,
        0.08,
    ),
    QuestionKind("yes or no, answered", YES_OR_NO, VERDICT, 0.25),
)
COMPARES = kind_pattern(
    r"\b(?:compar\w+|versus|vs|differen\w+|diff|better|best|worse|worst|mejor|peor|diferencia\w*"
    r"|vergleich\w*|unterschied\w*|différence\w*|meilleur\w*)\b"
)
# What a form that the question asks for counts.
FORM_WORTH = 0.15


def kinds_of(*wordings: str) -> list[QuestionKind]:
    """Return the kinds of a question, by any of its wordings."""
    return [kind for kind in KINDS if any(kind.asks.search(each) for each in wordings if each)]


def wording_worth(
    kinds: list[QuestionKind], text: str, form: UnitForm, asked: frozenset[str]
) -> float:
    """Return what a unit's wording and form count for questions of these kinds and terms."""
    said = max((kind.worth for kind in kinds if kind.is_said_by(text, asked)), default=0.0)
    fitting = any(form in kind.forms for kind in kinds)
    return said + FORM_WORTH * fitting
