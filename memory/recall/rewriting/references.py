"""References to earlier turns: a table of patterns for English and Spanish, and their resolution.

Patterns are matched without accents. The first reference that resolves gives the rewrite.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memory.recall.rewriting.composing import (
    drop_and,
    exchange_thing,
    join_items,
    strip_end,
)
from memory.recall.rewriting.exchanges import (
    ASKED_FURTHER,
    LIKELY,
    LIST_ITEM,
    MORE_OF_THE_SAME,
    REFERENCE_RESOLVED,
    SURE,
    TOPIC_CARRIED,
    Exchange,
    Rewrite,
)
from memory.recall.rewriting.lists import find_last_list, find_listed_items, list_recent_names
from memory.recall.rewriting.names import find_names_in_tokens, find_people
from memory.recall.rewriting.questions import PRONOUNS, ReadQuestion
from memory.text.words import detect_language, extract_terms, split_words

Resolve = Callable[[re.Match[str], ReadQuestion, Sequence[Exchange]], Rewrite | None]
LONGEST = 160  # characters: a longer question is independent of its conversation
MOST_COMPARED, MOST_OWN_WORDS = 4, 5  # items of a choice, content words of its question

_AND = r"^\W*(?:(?:and|but|so|then|ok|okay|well|now|yes|sure|y|pero|entonces|vale|bueno|si)\b\W*)*"
_END = r"(?:\W+please|\W+por favor)?\W*$"
_THING = r"(?:ones?|options?|choices?|candidates?|items?|opcion(?:es)?|candidat[oa]s?)"
_COUNTS = {"two": 2, "three": 3, "four": 4, "dos": 2, "tres": 3, "cuatro": 4}
_COUNT = rf"(?P<count>[2-9]|{'|'.join(_COUNTS)})"
_ORDINALS = {
    name: at
    for names, at in (
        ("first primero primera primer former", 0),
        ("second segundo segunda", 1),
        ("third tercero tercera tercer", 2),
        ("fourth cuarto cuarta", 3),
        ("fifth quinto quinta", 4),
        ("last latter ultimo ultima", -1),
    )
    for name in names.split()
}
_NTH = r"(?P<nth>first|second|third|fourth|fifth|last|former|latter)"
_ENESIMO = r"(?P<nth>primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|ultim[oa])"
_OPENS = (
    r"^\W*(?:(?:(?:and|but|so|ok|y|pero)\b\W*)+(?:(?:what|how) about\s+|que (?:tal|pasa con)\s+)?"
    r"|(?:what|how) about\s+|que (?:tal|pasa con)\s+)"
)
_DEGREE = (
    r"(?:best|better|worst|worse|first|last|top|(?:more|most|less|least) \w+|[a-z]{3,}(?<!oth)est"
    r"|(?!other|under|over|after|number|order|either|never)[a-z]{3,}er|earlier)"
)
_GRADO = r"(?:mejor|peor|primero|primera|antes|(?:mas|menos) \w+)"


@dataclass(frozen=True)
class Reference:
    """A pattern of references to earlier turns, in each language, and its resolution."""

    english: str
    spanish: str
    resolve: Resolve

    def find(self, text: str) -> re.Match[str] | None:
        return re.search(self.english, text) or re.search(self.spanish, text)


def resolve_reference(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Return the rewrite of a question with a reference in the table, or None."""
    if len(question.text) > LONGEST:
        return None
    text = _fold(question.text)
    found = ((each, each.find(text)) for each in REFERENCES)
    rewrites = (each.resolve(match, question, exchanges) for each, match in found if match)
    return next(filter(None, rewrites), None)


def points_at_items(question: str) -> bool:
    """Return whether the question refers to items of a list by their order or number."""
    resolvers = (_name_item, _name_several)
    return any(each.find(_fold(question)) for each in REFERENCES if each.resolve in resolvers)


def _fold(text: str) -> str:
    """Return the text in lower case without accents, of the same length."""
    return "".join(unicodedata.normalize("NFD", letter)[0].lower()[:1] for letter in text)


def _repeat_search(_: re.Match[str], __: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite:
    return Rewrite(exchanges[-1].searched, MORE_OF_THE_SAME, exchanges[-1].positions, SURE)


def _ask_why(
    match: re.Match[str], question: ReadQuestion, exchanges: Sequence[Exchange]
) -> Rewrite | None:
    previous = exchanges[-1]
    joins = "¿y por qué" if detect_language(question.text) == "es" else f"and {match['asks']}"
    asked = strip_end(previous.asked)
    told = f"{asked[:1].upper()}{asked[1:]}, {joins}?"
    return Rewrite(told, ASKED_FURTHER, previous.positions, LIKELY)


def _name_item(
    match: re.Match[str], question: ReadQuestion, exchanges: Sequence[Exchange]
) -> Rewrite | None:
    items, position = find_last_list(exchanges)
    groups = match.groupdict()
    at = int(groups["number"]) - 1 if groups.get("number") else _ORDINALS[groups["nth"]]
    return _replace(match, question, exchanges, items[at : at + 1 or None], position)


def _name_several(
    match: re.Match[str], question: ReadQuestion, exchanges: Sequence[Exchange]
) -> Rewrite | None:
    items, position = (
        _find_choices(exchanges) if "compar" in match.string else find_last_list(exchanges)
    )
    groups = match.groupdict()
    count = groups.get("count")
    both = re.search(r"both|ambos|ambas", match.group())
    most = _COUNTS.get(count) or int(count) if count else 2 if both else len(items)
    several = items[-most:] if re.search(r"last|ultim", match.group()) else items[:most]
    return _replace(match, question, exchanges, several, position) if len(several) > 1 else None


def _name_choice(
    _: re.Match[str], question: ReadQuestion, exchanges: Sequence[Exchange]
) -> Rewrite | None:
    items, position = _find_choices(exchanges)
    asks_itself = re.search(r"\b(?:or|than|o|que)\b|:", question.text)
    says_much = len(question.content_words) > MOST_OWN_WORDS
    if asks_itself or says_much or not 1 < len(items) <= MOST_COMPARED:
        return None
    told = f"{strip_end(question.text)}, {join_items(items, question.text, choice=True)}?"
    return Rewrite(told, LIST_ITEM, (position,) if position else (), LIKELY)


def _repeat_rule(
    _: re.Match[str], question: ReadQuestion, exchanges: Sequence[Exchange]
) -> Rewrite | None:
    previous = exchanges[-1]
    asked = drop_and(strip_end(previous.asked.rpartition(": ")[2]))
    if set(extract_terms(asked)) <= set(question.terms):
        return None
    names = reversed(find_names_in_tokens(question))
    asked = next(filter(None, (exchange_thing(asked, name) for name in names)), asked)
    told = f"{strip_end(question.text)}: {asked[:1].lower()}{asked[1:]}?"
    return Rewrite(told, TOPIC_CARRIED, previous.positions, LIKELY)


def _ask_of_another(
    match: re.Match[str], question: ReadQuestion, exchanges: Sequence[Exchange]
) -> Rewrite | None:
    previous = exchanges[-1]
    thing = question.text[match.start("thing") : match.end("thing")].strip()
    if not PRONOUNS.isdisjoint(split_words(thing)):
        return None
    exchanged = exchange_thing(strip_end(previous.asked), thing)
    return (
        Rewrite(f"{exchanged}?", TOPIC_CARRIED, previous.positions, LIKELY) if exchanged else None
    )


def _name_person(
    match: re.Match[str], question: ReadQuestion, exchanges: Sequence[Exchange]
) -> Rewrite | None:
    for exchange in reversed(exchanges):
        people = [*find_people(exchange.sought), *find_people(exchange.answer)]
        if person := next((name for name in people if " " in name), ""):
            told = question.text[: match.start()] + person + question.text[match.end() :]
            return Rewrite(told, REFERENCE_RESOLVED, exchange.positions, LIKELY)
    return None


REFERENCES = (
    # "tell me more"
    Reference(
        rf"{_AND}(?:(?:can|could|would) you )?(?:please )?(?:(?:tell|show|give) me (?:some )?more"
        r"(?: (?:details|information|about (?:it|that|this|them)))?|more(?: details| information)?"
        rf"|say more|continue|elaborate|(?:what|anything) else|explain (?:further|more)){_END}",
        rf"{_AND}(?:cuenta(?:me)? mas|di(?:me)? mas|muestra(?:me)? mas|mas(?: detalles)?"
        rf"|continua|(?:algo|que) mas|explica(?:lo|me)? (?:mas|mejor)){_END}",
        _repeat_search,
    ),
    # "why?"
    Reference(
        rf"{_AND}(?P<asks>why(?: not)?|how come)(?: (?:is|was) (?:that|this|it)(?: so)?)?{_END}",
        rf"{_AND}(?P<asks>por que(?: no)?)(?: es eso)?{_END}",
        _ask_why,
    ),
    # "compare those 3", "the first two", "which of them"
    Reference(
        rf"\bthe (?:first|last) {_COUNT}(?: {_THING}|(?=\W*$))"
        r"|(?<=\bcompare )(?:them|those|these|both)\b(?: \d)?|(?<=\bof )(?:them|these|those)\b"
        r"|\b(?:both|(?:all|both|each) of (?:them|these|those))(?=\W*$|\W+(?:is|are|was|were)\b)",
        rf"\bl[oa]s (?:primer[oa]s |ultim[oa]s )?{_COUNT}(?: primer[oa]s| ultim[oa]s|(?=\W*$))"
        r"|(?<=compara)(?:l[oa]s\b| es[oa]s\b)(?: \d)?|(?<=\bde )ell[oa]s\b|\bamb[oa]s\b",
        _name_several,
    ),
    # "the second one", "#1"
    Reference(
        rf"\bthe {_NTH}(?: {_THING}\b(?: of (?:them|these|those))?|(?=\W*$))"
        r"|(?:#|\b(?:number|option) )(?P<number>[1-9])\b",
        rf"\b(?:el|la) {_ENESIMO}(?: {_THING}\b|(?=\W*$))|\b(?:opcion|numero) (?P<number>[1-9])\b",
        _name_item,
    ),
    # "which comes first?", "the best one"
    Reference(
        rf"{_AND}(?:which|who)(?: {_THING})? (?:is|are|was|comes?|came|happens?|has|costs?)"
        rf" (?:the )?{_DEGREE}\b|\bthe (?:best|top|worst|[a-z]{{3,}}est)(?: {_THING}|(?=\W*$))",
        rf"{_AND}(?:cual|quien)(?: {_THING})? (?:es|son|va|viene|tiene) (?:el |la )?{_GRADO}\b"
        rf"|\b(?:el|la) (?:mejor|peor)(?: {_THING}|(?=\W*$))",
        _name_choice,
    ),
    # "same rule?"
    Reference(
        r"\bsame (?:rule|thing|question|condition|limit|deadline)s?\b|\bapply too\b"
        r"|\b(?:is|does) (?:that|this|it) also (?:apply|true|the case)\b",
        r"\bmism[oa] (?:regla|norma|pregunta|plazo|cosa)\b|\btambien (?:vale|se aplica)\b"
        r"|\b(?:vale|se aplica) (?:eso )?tambien\b",
        _repeat_rule,
    ),
    # "what about ovarian cancer?", "BRCA2?"
    Reference(
        rf"{_OPENS}(?P<thing>\w[^?.!,;:]{{0,60}}?)\W*$",
        r"^\W*(?P<thing>\w*\d\w*)\W*$",
        _ask_of_another,
    ),
    # "this candidate"
    Reference(
        r"\b(?:this|that|the same) (?:candidate|person|applicant)\b",
        r"\b(?:est[ea]|es[ea]|l[ao] mism[ao]) (?:candidat[oa]|persona)\b|\b(?:el|ella)(?=\W*$)",
        _name_person,
    ),
)


def _find_choices(exchanges: Sequence[Exchange]) -> tuple[list[str], int]:
    """Return the items that the newest exchange compares or lists, or the newest names."""
    newest = exchanges[-1]
    for several in (find_listed_items(newest), list_recent_names(exchanges, 2)):
        if 1 < len(several) <= MOST_COMPARED:
            return several, newest.position
    return find_last_list(exchanges)


def _replace(
    match: re.Match[str],
    question: ReadQuestion,
    exchanges: Sequence[Exchange],
    items: Sequence[str],
    position: int,
) -> Rewrite | None:
    """Return the question with the items in place of the match."""
    if not items:
        return None
    before, behind = question.text[: match.start()], question.text[match.end() :]
    space = " " if before[-1:].isalpha() else ""
    told = f"{before}{space}{join_items(items, question.text)}{behind}"
    named = ReadQuestion(told)
    again = _find_other(named, exchanges) if len(items) == 1 else None
    return Rewrite(again or told, LIST_ITEM, (position,) if position else (), SURE)


def _find_other(question: ReadQuestion, exchanges: Sequence[Exchange]) -> str:
    """Return "and B?" as the previous question about B."""
    other = next(each for each in REFERENCES if each.resolve is _ask_of_another)
    match = other.find(_fold(question.text))
    found = other.resolve(match, question, exchanges) if match else None
    return found.query if found else ""
