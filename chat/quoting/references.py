"""References: which numbered part of a document a question names: "section 4.2", "§ 3 Abs. 5"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory.text.words import STOP_WORDS, stem, terms, words

# What a part is called that others stand in, and what stands in them.
WHOLE = (
    r"sections?|sec\.?|articles?|art\.?|chapters?|clauses?|parts?|rules?|annex|appendix|schedule|§§?"
    r"|amendments?"
    r"|abschnitt|artikel|kapitel|teil|anhang|paragraph(?:en)?|paragraf|secci[oó]n|art[ií]culo"
    r"|cap[ií]tulo|cl[aá]usula|anexo|chapitre|partie|annexe"
)
PART = (
    r"subsections?|subparagraph|para\.?|points?|items?|absatz|abs\.?|satz|ziffer|ziff\.?|nummer|nr\.?"
    r"|punkt|buchstabe|lit\.?|apartado|p[aá]rrafo|alin[eé]a"
)
NUMBER = (
    r"(?:\d{1,3}[a-z]?(?:\.\d{1,3}){0,5}|[A-Z]{1,3}\.\d{1,3}(?:\.\d{1,3}){0,4}|[ivx]{2,6}|[vx]"
    r"|[IVX]{1,6}|[A-H])(?![\w-]|\.\d)"
)
# "The fifth amendment", "14th amendment", "der dritte Abschnitt": its number before its word.
ORDINALS = (
    r"first|erste[mnrs]?|primer[oa]?|premi(?:er|ère)",
    r"second|zweite[mnrs]?|segund[oa]|deuxième",
    r"third|dritte[mnrs]?|tercer[oa]?|troisième",
    r"fourth|vierte[mnrs]?|cuart[oa]|quatrième",
    r"fifth|fünfte[mnrs]?|quint[oa]|cinquième",
    r"sixth|sechste[mnrs]?|sext[oa]|sixième",
    r"seventh|siebte[mnrs]?|séptim[oa]|septième",
    r"eighth?|achte[mnrs]?|octav[oa]|huitième",
    r"nine?th|neunte[mnrs]?|noven[oa]|neuvième",
    r"tenth|zehnte[mnrs]?|décim[oa]|dixième",
    *"eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth".split(),
    *"nineteenth twentieth".split(),
)
TWENTY = 20
ORDINAL = re.compile(
    r"(?<![\w-])(?:(?P<figure>\d{1,3})(?:st|nd|rd|th|e|è?me)|(?P<twenty>twenty[ -])?(?:"
    + "|".join(f"(?P<n{at}>{each})" for at, each in enumerate(ORDINALS, start=1))
    + rf"))\s{{1,2}}(?P<word>{WHOLE})(?![\w-])",
    re.IGNORECASE,
)
# "(1)(b)"; a year in brackets is none.
BRACKETED = re.compile(r"\(\s?(\d{1,2}|[a-z]{1,4})\s?\)", re.IGNORECASE)
NAMED = re.compile(
    rf"(?<!\w)(?:(?P<whole>(?i:{WHOLE}))|(?P<part>(?i:{PART})))\s{{0,2}}(?P<number>{NUMBER})"
)
# "what is in 1.13": no version, and no figure.
BARE = re.compile(r"(?<![\w.,$€£%-])\d{1,2}(?:\.\d{1,3}){1,4}(?![\w%]|[.,-]\d|\s?%)")
# What such a question may say beside the name of the document.
BESIDE = frozenset(
    map(
        stem,
        words(
            """
            what does do is are whats say says said state states tell read reads mean means about
            in under of from the text wording quote cite show give me please exactly full whole
            content contents cover deal regulate according now then and also which can you
            document license licence agreement contract terms law act standard policy statute
            was steht sagt besagt regelt bestimmt lautet wortlaut heisst heißt im in der die das
            den dem des von laut nach zitiere zeig zeige mir bitte genau inhalt lizenz vertrag
            gesetz satzung ordnung und
            qué que dice dicen establece contiene el la los las de del en según texto licencia
            contrato ley y
            dit disent prévoit contient le les l du des selon texte licence contrat loi et ce
            """
        ),
    )
)
WORD_OF_NUMBERS = {"i": 1, "v": 5, "x": 10}
FEWEST_ALIKE = 4
SHORTEST_INITIALS = 2


@dataclass(frozen=True)
class PartReference:
    """A part that a question names: what it is called, its number, and which parts of it."""

    word: str
    number: str
    parts: tuple[str, ...] = ()
    # The stems of what else the question says, beside that it asks what the part says.
    beside: frozenset[str] = frozenset()

    @property
    def is_deep(self) -> bool:
        """Whether the number tells by itself that it is one of a part: "4.2"."""
        return "." in self.number


def part_named(question: str) -> PartReference | None:
    """Return the part that the question names, if it names one."""
    question = ORDINAL.sub(_number_behind, question)
    found = list(NAMED.finditer(question))
    main = next((each for each in found if each["whole"]), None) or next(iter(found), None)
    if main is None:
        bare = BARE.search(question)
        return _reference(question, "", bare.group(), []) if bare else None
    parts = [each["number"].lower() for each in found if each["part"] and each is not main]
    word = main["whole"] or main["part"]
    return _reference(question, word.lower().rstrip("."), main["number"], parts)


def _number_behind(ordinal: re.Match[str]) -> str:
    """Return "amendment 5" for "fifth amendment"."""
    if ordinal["figure"]:
        return f"{ordinal['word']} {ordinal['figure']}"
    own = next(at for at, _ in enumerate(ORDINALS, start=1) if ordinal[f"n{at}"])
    return f"{ordinal['word']} {own + TWENTY * bool(ordinal['twenty'])}"


def _reference(question: str, word: str, number: str, parts: list[str]) -> PartReference:
    bracketed = [each.lower() for each in BRACKETED.findall(question)]
    rest = BARE.sub(" ", BRACKETED.sub(" ", NAMED.sub(" ", question)))
    said = frozenset(terms(rest)) - BESIDE - {stem(each) for each in STOP_WORDS}
    return PartReference(word, number.lower(), (*parts, *bracketed), said)


def calls_by(said: frozenset[str], *names: str) -> bool:
    """Return whether all that is said calls a document of these names: by words of them, by other
    forms of those, or by the first letters of several: "mpl".
    """
    own = {each for name in names for each in terms(name)}
    initials = {each for name in names for each in _initials(words(name))}
    return all(
        each in own or each in initials or any(_is_form(each, name) for name in own)
        for each in said
    )


def _is_form(said: str, name: str) -> bool:
    least = max(FEWEST_ALIKE, min(len(said), len(name)) - 2)
    return said[:least] == name[:least] and abs(len(said) - len(name)) < FEWEST_ALIKE


def _initials(said: list[str]) -> Iterator[str]:
    """Yield the first letters of words in a row: of each row that begins at any of them."""
    letters = "".join(each[0] for each in said[:12])
    for at in range(len(letters)):
        for end in range(at + SHORTEST_INITIALS, len(letters) + 1):
            yield letters[at:end]


def number_alike(one: str, other: str) -> bool:
    """Return whether two numbers are the same: "IV" is "4"."""
    return one.lower() == other.lower() or (_value(one) > 0 and _value(one) == _value(other))


def _value(number: str) -> int:
    """Return the value of a number of one part, Roman ones too; 0 if it is none."""
    if number.isascii() and number.isdecimal():
        return int(number)
    if not number or not set(number.lower()) <= WORD_OF_NUMBERS.keys():
        return 0
    values = [WORD_OF_NUMBERS[letter] for letter in number.lower()]
    following = [*values[1:], 0]
    return sum(own if own >= after else -own for own, after in zip(values, following, strict=True))
