"""Of which kind of thing is asked, where only the question before said it: "and which is cheaper"
after "which printer …", "and how many came back" after "how many ships …". English, Spanish,
German and French.
"""

import re
from collections.abc import Sequence
from itertools import takewhile

from memory.recall.rewriting.exchanges import LIKELY, TOPIC_CARRIED, Exchange, Rewrite
from memory.recall.rewriting.language.languages import SMALL_WORDS, language_of
from memory.recall.rewriting.language.noun_phrases import the_verb
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.recall.rewriting.rules.again import ANDS, asked_before
from memory.text.reading import ReadText

LONGEST = 100  # characters: what asks no more than this
_OPENS = rf"^\W*(?:{ANDS}\W+)+"
_IS = (
    r"(?:is|was|are|were|has|had|have|can|could|does|do|did|will|would|should|must|may|ist|sind|war"
    r"|waren|hat|haben|hatte|hatten|wird|werden|wurden?|kann|können|darf|dürfen|soll|sollen|muss"
    r"|müssen|est|sont|était|étaient|a|ont|avait|peut|peuvent|doit|doivent)"
)
# "What happens" has no noun behind it, as "which" always has.
_MAY_STAND_ALONE = ("what ", "que ", "qué ")
_IS_WORD = re.compile(_IS, re.IGNORECASE)
# "Which needs less", "welche braucht weniger": a verb, with what it is measured by.
_DOES = (
    r"[^\W\d_]{2,20}(?:s|t)(?= (?:the |am |le |la )?(?:less|more|least|most|best|fewer|weniger|mehr"
    r"|wenigsten|meisten|besten|moins|plus|mieux)\b)"
)
_WHICH = re.compile(
    rf"{_OPENS}(?P<rest>(?:(?:which|what) ones?|lequel|laquelle|lesquel(?:le)?s|cu[aá]l(?:es)?"
    rf"|(?:which|welche[rs]?|quel(?:le)?s?)(?= (?:{_IS}|{_DOES})\b))\s+(?P<told>\S.*?))\W*$",
    re.IGNORECASE,
)
# "Which *printer* is", "was für eine", "que *muelle* tiene".
_OF_KIND = re.compile(
    r"^(?P<asks>\W*(?:[^\W\d_]{1,5} )?(?:which|what|welche[nmrs]?|quel(?:le)?s?|qu[eé]))\s+"
    r"(?P<noun>[^\W\d_][\w-]{2,40}(?: [^\W\d_][\w-]{2,40})?)",
    re.IGNORECASE,
)
# "How many ships were built *in 1999*".
_HOW_MANY = r"(?:how many|wie ?viele|combien|cu[aá]nt[oa]s)"
_COUNTED = re.compile(
    rf"^\W*(?P<asks>{_HOW_MANY}) (?P<of>d[e'’] ?)?(?P<noun>[^\W\d_]{{3,40}}) ", re.IGNORECASE
)
_WHEN = re.compile(
    r"\s(?:in|im|en|during|since|seit|depuis|durant|desde|durante|for) "
    r"(?:the |dem |der |le |la |el )?(?:[^\W\d_]+ )?(?:1[5-9]|20)\d\d\b",
    re.IGNORECASE,
)
# What is done, and no thing that is counted: "how many *came back*", "wie viele *sind* gesunken".
_DONE = re.compile(
    rf"{_OPENS}(?P<asks>{_HOW_MANY}) (?P<did>(?:{_IS}|[^\W\d_]{{2,20}}[^\W\d_eo]ed"
    r"|got|gets?|went|left|lost|won|came|made|took|died|fell|began|stayed|kept|broke"
    r"|[^\W\d_]{1,20}[^\W\d_s] (?:up|off|out|away|down|back|apart)"
    r"|fueron|eran|son|están|[^\W\d_]{2,20}(?:aron|ieron)"
    r"|starben|lebten|gingen|kamen|blieben|[^\W\d_]{3,20}ten sich"
    r"|se (?:sont|[^\W\d_]+)|en sont|n['’]ont)\b.*?)\W*$",
    re.IGNORECASE,
)


def which_of_the_kind(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Say which kind of thing is chosen from: "y cual cuesta menos" after "que muelle tiene"."""
    match, previous = _WHICH.match(question.text[:LONGEST]), exchanges[-1]
    asked = asked_before(previous)
    kind = _kind(asked) if match and len(question.text) <= LONGEST else ""
    if match is None or not kind or question.has_pronoun:
        return None
    return Rewrite(f"{kind} {match['told']}?", TOPIC_CARRIED, previous.positions, LIKELY)


def _kind(asked: str) -> str:
    """Return what is chosen from as it was asked for: "which laser printer"."""
    match = _OF_KIND.match(asked)
    if match is None:
        return ""
    named = _named(asked, match.start("noun"), match.end())
    return f"{match['asks']} {named}" if named else ""


def _named(asked: str, start: int, end: int) -> str:
    """Return the nouns at the place, up to the verb of the question."""
    language, verb = language_of(asked), the_verb(ReadQuestion(asked).tokens)
    at_most = 1 if language in ("es", "fr") else 2
    tokens = ReadText(asked[start:end]).tokens
    if asked[:start].lower().endswith(_MAY_STAND_ALONE) and _goes_on_small(asked[start:], language):
        return ""
    nouns = list(
        takewhile(
            lambda each: (
                each.stem
                and (verb is None or each.start + start < verb.start)
                and each.word not in SMALL_WORDS[language]
                and not _IS_WORD.fullmatch(each.text)
            ),
            tokens[:at_most],
        )
    )
    return asked[start : start + nouns[-1].end] if nouns else ""


def _goes_on_small(asked: str, language: str) -> bool:
    """Return whether the second word says that the first is a verb: "que pasa *si*", "what happens
    *in*", and not "what colour *is*".
    """
    second = ReadText(asked).tokens[1:2]
    small = bool(second) and second[0].word in (*SMALL_WORDS[language], "si", "if")
    return not second or (small and not _IS_WORD.fullmatch(second[0].text))


def how_many_do(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Say how many of what did something, and when, where only the question before said it."""
    match, previous = _DONE.match(question.text[:LONGEST]), exchanges[-1]
    counted = _COUNTED.match(asked_before(previous))
    if match is None or counted is None or len(question.text) > LONGEST or question.has_pronoun:
        return None
    when = _WHEN.search(asked_before(previous))
    further = when.group() if when and not _WHEN.search(question.text) else ""
    told = f"{match['asks']} {counted['of'] or ''}{counted['noun']} {match['did']}{further}?"
    return Rewrite(told, TOPIC_CARRIED, previous.positions, LIKELY)
