"""Lists in what was said, for "the second one", "both" and "which of them is best"."""

import re
from collections.abc import Iterator, Sequence

from memory.recall.rewriting.exchanges import Exchange
from memory.recall.rewriting.language.names import kind, names_in
from memory.text.citation_markers import without_markers
from memory.text.words import sentences

LOOKED_AT = 4  # exchanges
LONGEST_NAME = 6  # words
MOST_ITEMS = 8
SHORT = 60  # words
LONGEST_PAIR = 1_000  # characters at the end of a question
MOST_ENUMERATED = 40

# An item may be quoted.
_LINE = re.compile(r"^[ \t]*(?:>[ \t]*)?(?:[-*•]|\(?\d{1,2}[.)])[ \t]+(.+)$", re.MULTILINE)
_INLINE = re.compile(
    r"(?:^|\s)(?:\(\d\)|#\d|\d\))\s*[-–:]?\s*([^()#\n]+?)(?=\s*(?:\(\d\)|#\d|\d\)|$))"
)
_QUOTED = re.compile(r"“([^”]+)”")
_BLOCK = re.compile(r"^>[ \t]*\S", re.MULTILINE)
_NAME_ENDS = re.compile(
    r"(?<!\s)\s*[:–—(.;]|\s-\s|,\s|\s(?:is|are|was|were|encodes?|encode|es|son)\s"
)
_WORD = r"[^\W_][^\s,;:.!?()“”\"]*"
# A fourth word with a capital is of a name: "the Brewline 300 Pro".
_PART = rf"{_WORD}(?: {_WORD}){{0,2}}(?: [A-ZÀ-Þ][\w-]*)?"
# Only what a sentence announces as a list is one: "are A, B and C", "such as A and B".
_ENUMERATION = re.compile(
    r"(?:\b(?:are|include[sd]?|including|such as|namely|between|son|incluyen|como|entre)|:)\s+"
    # "There are two models, the one and the other": their number is none of them.
    r"(?:(?:two|three|four|five|\d) [^\W\d_]{2,30}[,:]\s+)?"
    rf"({_PART}(?:, {_PART}){{0,{MOST_ENUMERATED}}}),? (?:and|or|y|o|e|u) "
    rf"({_PART})(?=[\s,.;:!?”\"]|$)"
)
_PAIR = re.compile(
    r"(?:\b(?:between|compare|comparar?|compara|entre)\s(.+?)\s(?:and|with|to|y|con)\s"
    r"|[,:]\s(.+?)\s(?:or|o)\s|\b(?:is|are)\s(.+?)\s(?:vs\.?|versus)\s)(.+?)\W*$",
    re.IGNORECASE,
)
# "Which drugs are there?" is answered by an enumeration.
_ASKS_FOR_SEVERAL = re.compile(
    r"^\W*(?:(?:and|but|so|y)\W+)*(?:which|what|list|name|qué|cuáles)\s+"
    r"(?:are|were|son|the|(?!(?:does|is|was|has)\b)\w+s)\b",
    re.IGNORECASE,
)
_AND_ALSO = re.compile(r",? (?:and|or|y|e|o|&) |, ")
_DEFINES = re.compile(r"(?:\b(?:the|an?|el|la|un|una|this|each|every)\s|['‘\"])$", re.IGNORECASE)
# What a line is marked with: "[ ]", "✔".
_SIGNS = re.compile(r"^(?:\[[ xX]?\]\s*)?(?:(?![\"'“‘«(<#$@.+~/-])[\W_])*")
_ARTICLE = re.compile(r"^(?:the|a|an|either|both|el|la|los|las|un|una)\s", re.IGNORECASE)
_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|has|have|can|will|that|which|who|to|in|for|on|by|of|with|from|at)\b"
)
_SMALL = frozenset(
    "i you it they we he she is are was were not if as so to for in on at by from their its".split()
)


def last_list(exchanges: Sequence[Exchange]) -> tuple[list[str], int] | None:
    """Return the items of the newest list, and the position of the turn that holds it.

    What a sentence enumerates in passing counts last, and only in the newest answer.
    """
    for exchange in reversed(exchanges[-LOOKED_AT:]):
        found = listed(exchange)
        if found:
            return found, exchange.position
    mentioned = items(exchanges[-1])
    return (mentioned, exchanges[-1].position) if mentioned else None


def listed(exchange: Exchange) -> list[str]:
    """Return what the question sets side by side, or what the answer is a list of."""
    text, quoted, cited = _told(exchange)
    enumerated = _enumeration(text, quoted) if _ASKS_FOR_SEVERAL.match(exchange.query) else []
    several = (pair(exchange.searched), _lines(text), enumerated, _subjects(cited, quoted))
    return next((found[:MOST_ITEMS] for found in several if len(found) > 1), [])


def items(exchange: Exchange) -> list[str]:
    """Return the names of what an answer lists: lines, subjects of sentences or an enumeration."""
    text, quoted, cited = _told(exchange)
    in_passing = (_enumeration(text, quoted), _subjects(cited, quoted, codes=True))
    for found in (_lines(text), _subjects(cited, quoted), max(in_passing, key=len)):
        if len(found) > 1:
            return found[:MOST_ITEMS]
    return []


def _told(exchange: Exchange) -> tuple[str, list[str], str]:
    """Return the answer's text, its quoted sentences, and the text once more if it cites anything.

    What cites nothing may be of anything.
    """
    text = without_markers(exchange.spoken)
    cited = text if text != exchange.spoken else ""
    quoted = _quoted(text)
    if not quoted and _BLOCK.search(exchange.response):
        quoted = [text[start:end] for start, end in sentences(text)]
    return text, quoted, cited


def _lines(text: str) -> list[str]:
    named = _distinct(_name(line) for line in _LINE.findall(text) or _INLINE.findall(text))
    return [name for name in named if not _SMALL.intersection(name.lower().split())]


def _subjects(text: str, quoted: Sequence[str], *, codes: bool = False) -> list[str]:
    """Return what the sentences are about, if that is alike: people first, then terms.

    A quotation counts as a sentence. With `codes` it is genes and other single names.
    """
    prose = [] if quoted else [text[start:end] for start, end in sentences(text)]
    alike: dict[str, list[str]] = {"person": [], "term": [], "code": [], "word": []}
    for sentence in quoted or prose:
        for name, sort in _opening(sentence):
            # Without quotation marks, much is mentioned that nothing is said of.
            if quoted or (sort == "person" and sentence.startswith(name)):
                alike[sort].append(name)
    sorts = ("code", "word") if codes else ("person", "term")
    several = (found for sort in sorts if len(found := _distinct(alike[sort])) > 1)
    return next(several, [])


def _opening(sentence: str) -> list[tuple[str, str]]:
    """Return the first name of the sentence and the people named with it, with what they are."""
    found: list[tuple[str, str]] = []
    end = 0
    for name in names_in(sentence):
        start = sentence.index(name, end)
        if found and not _AND_ALSO.fullmatch(sentence[end:start]):
            break
        sort = kind(name)
        if sort == "full":
            sort = "term" if _DEFINES.search(sentence[:start]) else "person"
        if not found or sort == "person":
            found.append((name, sort))
        end = start + len(name)
    return found


def _quoted(text: str) -> list[str]:
    # Behind the last closing mark, each opening one would be followed to the end.
    return _QUOTED.findall(text[: text.rfind("”") + 1])


def _enumeration(text: str, quoted: Sequence[str]) -> list[str]:
    """Return the longest "A, B and C" of quotations or of a short answer.

    A long one holds many, and seldom the one that is meant.
    """
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


def pair(question: str) -> list[str]:
    """Return the two or more things that a question sets side by side."""
    match = _PAIR.search(question.strip()[-LONGEST_PAIR:])
    if match is None:
        return []
    *before, last = filter(None, match.groups())
    parts = [*re.split(r",\s", before[0]), last]
    short = [_ARTICLE.sub("", part).strip() for part in parts]
    return _distinct(part for part in short if 0 < len(part.split()) <= LONGEST_NAME)


def _name(line: str) -> str:
    """Return what a line of a list is about: its beginning, up to where it explains."""
    plain = _SIGNS.sub("", line.replace("**", "").replace("`", "").strip())
    name = _NAME_ENDS.split(plain, maxsplit=1)[0].strip()
    return " ".join(name.split()[:LONGEST_NAME])


def _distinct(names: Iterator[str] | Sequence[str]) -> list[str]:
    return list(dict.fromkeys(name for name in names if name))
