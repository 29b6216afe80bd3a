"""Lists in what was said, for "the second one", "both" and "which of them is best"."""

import re
from collections.abc import Iterator, Sequence

from memory.markers import without_markers
from memory.recall.rewriting.exchanges import Exchange
from memory.recall.rewriting.names import names_in

LOOKED_AT = 4  # exchanges
LONGEST_NAME = 6  # words
MOST_ITEMS = 8
SHORT = 60  # words

_LINE = re.compile(r"^[ \t]*(?:[-*•]|\(?\d{1,2}[.)])[ \t]+(.+)$", re.MULTILINE)
_INLINE = re.compile(
    r"(?:^|\s)(?:\(\d\)|#\d|\d\))\s*[-–:]?\s*([^()#\n]+?)(?=\s*(?:\(\d\)|#\d|\d\)|$))"
)
_QUOTED = re.compile(r"“([^”]+)”")
_NAME_ENDS = re.compile(r"\s*[:–—(.;]|\s-\s|,\s|\s(?:is|are|was|were|encodes?|encode|es|son)\s")
_WORD = r"[^\W_][^\s,;:.!?()“”\"]*"
_PART = rf"{_WORD}(?: {_WORD}){{0,2}}"
# Only what a sentence announces as a list is one: "are A, B and C", "such as A and B".
_ENUMERATION = re.compile(
    r"(?:\b(?:are|include[sd]?|including|such as|namely|between|son|incluyen|como|entre)|:)\s+"
    rf"({_PART}(?:, {_PART})*),? (?:and|or|y|o|e|u) ({_PART})(?=[\s,.;:!?”\"]|$)"
)
_PAIR = re.compile(
    r"(?:\b(?:between|compare|comparar?|compara|entre)\s(.+?)\s(?:and|with|to|y|con)\s"
    r"|[,:]\s(.+?)\s(?:or|o)\s|\b(?:is|are)\s(.+?)\s(?:vs\.?|versus)\s)(.+?)\W*$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|a|an|either|both|el|la|los|las|un|una)\s", re.IGNORECASE)
_CLAUSE = re.compile(r"\b(?:is|are|was|were|has|have|can|will|that|which|who|to|in|for|on|by)\b")
_SMALL = frozenset(
    "i you it they we he she is are was were not if as so to for in on at by from their its".split()
)


def last_list(exchanges: Sequence[Exchange]) -> tuple[list[str], int] | None:
    """Return the items of the newest list, and the position of the turn that holds it."""
    for exchange in reversed(exchanges[-LOOKED_AT:]):
        for found in (_pair(exchange.standalone or exchange.query), items(exchange.response)):
            if len(found) > 1:
                return found, exchange.position
    return None


def items(response: str) -> list[str]:
    """Return the names of what an answer lists: lines, quotations or an enumeration."""
    text = without_markers(response)
    for found in (_lines(text), _quotations(text), _enumeration(text)):
        if len(found) > 1:
            return found[:MOST_ITEMS]
    return []


def pair(question: str) -> list[str]:
    """Return the two or more things that a question sets side by side."""
    return _pair(question)


def _lines(text: str) -> list[str]:
    named = _distinct(_name(line) for line in _LINE.findall(text) or _INLINE.findall(text))
    return [name for name in named if not _SMALL.intersection(name.lower().split())]


def _quotations(text: str) -> list[str]:
    """Return what each quoted sentence begins with, if those are names."""
    firsts = (names_in(quoted)[:1] for quoted in _QUOTED.findall(text))
    return _distinct(name for first in firsts for name in first)


def _enumeration(text: str) -> list[str]:
    """Return the longest "A, B and C" of quotations or of a short answer.

    A long one holds many, and seldom the one that is meant.
    """
    quoted = " ".join(_QUOTED.findall(text))
    if not quoted and len(text.split()) > SHORT:
        return []
    best: list[str] = []
    for match in _ENUMERATION.finditer(text):
        last = _CLAUSE.split(match.group(2))[0].strip()
        found = _distinct(filter(None, [*match.group(1).split(", "), last]))
        if any(_SMALL.intersection(item.lower().split()) for item in found):
            continue
        best = found if len(found) > len(best) else best
    return best


def _pair(question: str) -> list[str]:
    match = _PAIR.search(question.strip())
    if match is None:
        return []
    *before, last = filter(None, match.groups())
    parts = [*re.split(r",\s", before[0]), last]
    short = [_ARTICLE.sub("", part).strip() for part in parts]
    return _distinct(part for part in short if 0 < len(part.split()) <= LONGEST_NAME)


def _name(line: str) -> str:
    """Return what a line of a list is about: its beginning, up to where it explains."""
    plain = line.replace("**", "").replace("`", "").strip()
    name = _NAME_ENDS.split(plain, maxsplit=1)[0].strip()
    return " ".join(name.split()[:LONGEST_NAME])


def _distinct(names: Iterator[str] | Sequence[str]) -> list[str]:
    return list(dict.fromkeys(name for name in names if name))
