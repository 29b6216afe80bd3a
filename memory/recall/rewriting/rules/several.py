"""More of the same, and what points at several things: "the second one", "which is best"."""

import re
from collections.abc import Sequence

from memory.recall.rewriting.about import behind
from memory.recall.rewriting.exchanges import (
    LIKELY,
    MORE_OF_THE_SAME,
    REFERENCE_RESOLVED,
    SURE,
    Exchange,
    Rewrite,
)
from memory.recall.rewriting.language.names import names_read
from memory.recall.rewriting.language.noun_phrases import plural_of
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.recall.rewriting.rules.again import OPENS, and_name, bare_question
from memory.recall.rewriting.rules.amending import corrected, same_for
from memory.recall.rewriting.rules.fragments import and_thing
from memory.recall.rewriting.rules.in_turn import asked_in_turn, joined
from memory.recall.rewriting.rules.lists import last_list, listed
from memory.text.words import terms, words

MOST_OWN_WORDS = 5  # of a question that sets listed things against each other
TOPICS, MOST_COMPARED = 2, 4
LOOKED_AT = 3  # exchanges back, for things that were asked about in turn

_POLITE = r"(?:(?:can|could|would|will) you |please )?"
_MORE = re.compile(
    rf"^\W*(?:(?:ok|okay|and|but|so|hm+|interesting|cool|great|wow|y)\W+)*(?:{_POLITE}(?:show|tell|"
    r"give) me (?:some )?more(?: (?:details|information|info|about (?:it|that|this)))?|more(?: "
    r"details| information)?|say more|go on|continue|keep going|elaborate|expand(?: on (?:it|that|"
    rf"this))?|{_POLITE}explain(?: (?:it|that|this))?(?: (?:further|more|in (?:more|further) "
    r"detail))?|(?:what|anything) "
    r"else|(?:is|was) (?:that|this|it) (?:all|everything)|are there (?:any )?(?:more|others)"
    r"|ist das alles|noch (?:was|etwas|mehr)|(?:eso es|es eso) todo|"
    r"cuéntame más|dime más|muéstrame más|explica(?:lo|me)? (?:más|mejor)|más|sigue|"
    r"continúa|algo más)(?:\W+please|\W+por favor)?\W*$",
    re.IGNORECASE,
)
_COUNTS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "2": 2, "3": 3, "4": 4, "5": 5,
    "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5,
}  # fmt: skip
_ORDINALS = {
    "first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1,
    "primero": 0, "primera": 0, "primer": 0, "segundo": 1, "segunda": 1, "tercero": 2,
    "tercera": 2, "tercer": 2, "cuarto": 3, "cuarta": 3, "quinto": 4, "quinta": 4,
    "último": -1, "última": -1,
}  # fmt: skip
_NUMBERS = "|".join(_COUNTS)
_NTH = "|".join(_ORDINALS)
_THING = r"(?:ones?|options?|choices?|candidates?|items?|opci[oó]n|candidat[oa]s?)"
_SOME = re.compile(
    rf"\b(?:the|los|las) (?P<end>first|last|primer[oa]s|últim[oa]s) (?P<count>{_NUMBERS})\b"
    # "The first two marriages" are no items of a list.
    rf"(?: {_THING}|(?!\s+(?!is\b|has\b|was\b|does\b)\w+s\b))"
    rf"|\b(?:los|las) (?P<cuantos>{_NUMBERS}) (?P<lado>primer[oa]s|últim[oa]s)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    rf"\b(?:the|these|those|them|los|las|est[oa]s|es[oa]s) (?:{_NUMBERS})(?: {_THING})?(?=\W*$|\W+"
    r"(?:is|are|was|were|do|does)\b)|\b(?:all|both|each) of (?:them|these|those)\b|\bboth(?=\W*$|"
    r"\W+(?:is|are|was|were|have|of)\b)|(?<=\bdo )both\b|(?<=\bcompare )(?:them|those|these|both)"
    r"\b|\b(?:ambos|ambas|los dos|las dos)\b|\b(?<=compára)l[oa]s\b|\b(?<=between )(?:them|those"
    r"|these)\b"
    r"|(?<=\bvergleiche )(?:sie|beide|die beiden)\b|(?<=\bvergleich )(?:sie|beide|die beiden)\b",
    re.IGNORECASE,
)
_ONE = re.compile(
    rf"\b(?:the|el|la) (?P<nth>{_NTH})(?: {_THING}\b(?: of (?:them|these|those))?|(?=\W*$|,))"
    rf"|\b(?:the )?(?P<side>former|latter)\b|(?:\b(?:number|option|opción|no\.?|número) |#)"
    r"(?P<number>[1-9])\b",
    re.IGNORECASE,
)
# Behind an article: "the heavier" is one of two, and "the lender" is somebody.
_KNOWN_DEGREE = (
    r"(?:best|better|worst|worse|first|last|earlier|earliest|later|latest|(?:more|most|less|least)"
    r" \w+|mejor|peor|primero|antes|más \w+|(?:bigg|bright|cheap|clean|cold|dark|deep|dear"
    r"|easi|fast|hard|heavi|high|hott|larg|light|long|loud|low|near|new|old|poor|quick|quiet|rich"
    r"|saf|short|simpl|slow|small|soft|strong|tall|thick|thinn|warm|weak|wid|young)(?:er|est))"
)
_DEGREE = (
    rf"(?:{_KNOWN_DEGREE}"
    # "Heavier", "lightest"; and in German.
    r"|(?!(?:other|under|over|after|ever|never|rather|either|number|order|paper|water)\b)"
    r"[^\W\d_]{3,}(?:er|est))"
)
_AGAINST = re.compile(
    r"^\W*(?:(?:so|and|then|ok|okay|well|now|y|entonces)\W+)*(?:(?:which|who|cuál|quién)"
    rf"(?: {_THING})?(?: of (?:them|these|those)| de (?:ellos|ellas))?\s+(?:is|are|was|were|"
    rf"would be|comes?|came|happens?|es|son|viene|va)\s+(?:(?:the|el|la)\s+{_KNOWN_DEGREE}"
    rf"|{_DEGREE})\b|(?:which one|who)\s+(?:has|have|had|knows|needs|takes|costs|gets)\s+"
    r"(?:the\s+)?(?:more|most|less|least|fewer|fewest|better|best)\b"
    rf"|welche[rs]?(?: davon| von (?:beiden|ihnen))? (?:ist|war|sind|waren) {_DEGREE}\b"
    rf"|(?:(?:and|what about|y)\s+)?(?:the|el|la) {_KNOWN_DEGREE}(?: {_THING})?\W*$)",
    re.IGNORECASE,
)
_CHOOSES = re.compile(
    r"^\W*(?:(?:so|and|then|ok|okay|well|now)\W+)*which(?: one)?\s+(?:should|shall|would|do)\s+"
    r"(?:i|we|you)\s+(?:take|buy|choose|pick|use|get|go for|recommend|suggest|prefer)\W*$",
    re.IGNORECASE,
)
_OTHER = re.compile(
    rf"\b(?:the other(?: {_THING})?|d(?:er|ie|as|en) andere|(?:el otro|la otra)|l['’]autre)"
    r"(?=\W*$|\s+(?:is|are|was|were|has|have|do|does|did|can|will|take|takes|cost|costs|need|needs"
    r"|better|instead|ist|hat|kostet|es|tiene|cuesta)\b)",
    re.IGNORECASE,
)
_MEANT = re.compile(
    r"\W*(?:(?:no|nein|non|sorry|and|und|y|et|i|ich|meant?|meinte|what about|was ist mit)\W*)*",
    re.IGNORECASE,
)
_OF_THEM = re.compile(
    r"(?<=\bof )(?:them\b|(?:these|those)(?=\W*$|\s+(?:is|are|was|were|has|have|had|does|do|did|"
    r"can|could|will|would)\b))|(?<=\bde )ell[oa]s\b",
    re.IGNORECASE,
)
# "The max size of a cookie": that is what there are many of.
_HOW_MANY_OF = re.compile(r"\bhow many (?P<of>of (?:them|these|those))\b", re.IGNORECASE)
_OF_ONE = re.compile(
    r"\b(?:of|for|in) (?:an?|each|every|one) (?P<thing>[^\W\d_]{2,30})\b", re.IGNORECASE
)
_TABLE = "| --- |"
_COUNTED = re.compile(
    r"^\W*(?:(?:and|so)\W+)*how many (?P<what>[^\W\d_]{2,30}s|people|men|women|children)"
    r"(?:\s+(?:do|does|did|can|are|is|were|was|have|has|[^\W\d_]{2,20})\b)?"
    r"(?:\s+(?:on|in|at|of|for|to|with))?(?P<whose>(?:\s+[\w'’-]+){1,6}?)\W*$",
    re.IGNORECASE,
)
_COMPARES_THEM = re.compile(
    r"\bcompare (?:them|those|these|both|the two)\b|\bcompára?l[oa]s\b|\bvergleiche? (?:sie"
    r"|beide|die "
    r"beiden)\b|\b(?:difference|differences) between (?:them|those|the two|both)\b|\bdo both\b",
    re.IGNORECASE,
)
_WHO = re.compile(r"^\W*(?:(?:and|so|y)\W+)*(?:who|quién)\b", re.IGNORECASE)
_OFFERS = re.compile(r"\b(?:or|versus|vs|than|o|que)\b|:", re.IGNORECASE)


def more_of_the_same(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Search again for what was searched for, when only more of it is asked."""
    previous = exchanges[-1]
    if not _MORE.match(question.text) or not previous.searched:
        return None
    return Rewrite(previous.searched, MORE_OF_THE_SAME, previous.positions, SURE)


def points_at_items(question: str) -> bool:
    """Return whether the question points at items of a list by their number or order."""
    return any(each.search(question) for each in (_SOME, _WHOLE, _ONE))


def list_items(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Name the items that an ordinal, a number or "both" points at."""
    query = question.text
    matches = [match for each in (_SOME, _WHOLE, _ONE) if (match := each.search(query))]
    found = _in_turn(exchanges) if _COMPARES_THEM.search(query) else None
    found = found or (last_list(exchanges) if matches else None)
    if found is None:
        return None
    things, position = found
    for match in matches:
        if named := _named(match, things):
            told = joined(named, query)
            return _put(question, match, told, exchanges, position)
    return None


def _put(
    question: ReadQuestion,
    match: re.Match[str],
    named: str,
    exchanges: Sequence[Exchange],
    position: int,
) -> Rewrite:
    """Return the question with what is named in the place of what points at it."""
    before, behind = question.text[: match.start()], question.text[match.end() :]
    text = before + named + behind
    # "And the second one?", "no, the first".
    is_meant = before.strip() and _MEANT.fullmatch(before + behind) and not OPENS.match(text)
    named_alone = ReadQuestion(f"I meant {named}" if is_meant else text)
    rules = (and_name, same_for, corrected, and_thing)
    asked = next(filter(None, (rule(named_alone, exchanges) for rule in rules)), None)
    told = asked.query if asked else text
    return Rewrite(told, "list_item", (position,) if position else (), SURE)


def the_other(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Name the one of two things that the newest question didn't ask about: "the other one"."""
    match = _OTHER.search(question.text)
    if match is None:
        return None
    ends = range(len(exchanges), max(0, len(exchanges) - LOOKED_AT), -1)
    in_turn = next(filter(None, (_in_turn(exchanges[:end]) for end in ends)), None)
    things, position = in_turn or last_list(exchanges) or ([], 0)
    asked = exchanges[-1].asked_alone.stems
    left = [thing for thing in things if not asked.intersection(_own(thing, things))]
    if len(things) != 2 or len(left) != 1:
        return None
    (gone,) = set(things) - set(left)
    before = bare_question(exchanges[-1])
    beside = question.text[: match.start()] + question.text[match.end() :]
    if gone in before and _MEANT.fullmatch(beside):  # nothing else is asked of it
        told = f"{before.replace(gone, left[0], 1)}?"
        return Rewrite(told, "list_item", (position,) if position else (), SURE)
    return _put(question, match, left[0], exchanges, position)


def _own(thing: str, things: Sequence[str]) -> set[str]:
    """Return the words of a thing that none of the others has: of "Pro plan" it is "pro"."""
    others = {term for each in things if each != thing for term in terms(each)}
    return set(terms(thing)) - others


def _in_turn(exchanges: Sequence[Exchange]) -> tuple[list[str], int] | None:
    """Return what the same was asked of in turn, if nothing was listed since, and the turn."""
    things = asked_in_turn(exchanges)
    return (things, exchanges[-1].position) if len(things) > 1 else None


def _named(match: re.Match[str], things: Sequence[str]) -> list[str]:
    groups = match.groupdict()
    if end := groups.get("end") or groups.get("lado"):
        count = _COUNTS[(groups["count"] or groups["cuantos"]).lower()]
        return list(things[:count] if end.lower()[0] in "fp" else things[-count:])
    if side := groups.get("side"):
        return list(things[-2:][:1] if side.lower() == "former" else things[-1:])
    if nth := groups.get("nth"):
        index = _ORDINALS[nth.lower()]
        return [things[index]] if index < len(things) else []
    if number := groups.get("number"):
        return list(things[int(number) - 1 : int(number)])
    counts = [_COUNTS[word] for word in words(match.group()) if word in _COUNTS]
    two = 2 if re.search(r"both|amb[oa]s", match.group(), re.IGNORECASE) else len(things)
    return list(things[: counts[0] if counts else two])


def comparison(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Name what "which is better?" and "which comes first?" choose between."""
    query, own = question.text, question.content_words
    chooses = _CHOOSES.match(query)  # what was not set side by side is nothing to choose from
    if not (chooses or _AGAINST.match(query)) or _OFFERS.search(query) or len(own) > MOST_OWN_WORDS:
        return None
    # What stands in the row of a table is no choice.
    is_of_asked = chooses or _TABLE in exchanges[-1].response
    compared, position = ([], 0) if is_of_asked else _compared(exchanges)
    if len(compared) < 2:
        compared, position = _in_turn(exchanges) or ([], 0)
    if len(compared) < 2:
        return None
    choice = joined(compared, query, choice=True)
    text = f"{query.strip().rstrip('?.! ')}, {choice}?"
    return Rewrite(text, "list_item", (position,) if position else (), LIKELY)


def _compared(exchanges: Sequence[Exchange]) -> tuple[list[str], int]:
    """Return what was set side by side, listed in the newest answer, or named in turn."""
    previous = exchanges[-1]
    named = [name for each in reversed(exchanges) for name in names_read(each.question)[:1]]
    # The names that the newest questions were about, in their order.
    topics = list(dict.fromkeys(name for name in named if " " in name))[:TOPICS][::-1]
    found = listed(previous)
    # What the questions named in turn keeps their order.
    for several in (topics if set(found) == set(topics) else found, topics):
        if 1 < len(several) <= MOST_COMPARED:
            return several, previous.position
    older = last_list(exchanges)
    return older if older and len(older[0]) <= MOST_COMPARED else ([], 0)


def of_them(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Name the things of "which of them knows Python?"."""
    query, match = question.text, _OF_THEM.search(question.text)
    if match is None:
        return None
    if counted := _COUNTED.match(exchanges[-1].searched):  # "how many people sit on the board"
        told = f"{query[: match.start()]}the {counted['what']}{query[match.end() :]}"
        told = behind(told, counted["whose"].strip())
        return Rewrite(told, REFERENCE_RESOLVED, exchanges[-1].positions, LIKELY)
    if (asks := _HOW_MANY_OF.search(query)) and (each := _OF_ONE.search(exchanges[-1].searched)):
        told = f"{query[: asks.start('of')]}{plural_of(each['thing'])}{query[match.end() :]}"
        return Rewrite(told, REFERENCE_RESOLVED, exchanges[-1].positions, LIKELY)
    # A list may be of anything; who is asked for was asked about.
    found = _in_turn(exchanges) if _WHO.match(query) else None
    found = found or last_list(exchanges)
    if found is None:
        return None
    things, position = found
    told = joined(things, query)
    text = query[: match.start()] + told + query[match.end() :]
    return Rewrite(text, "list_item", (position,) if position else (), LIKELY)
