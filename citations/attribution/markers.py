"""Markers: the forms in which a model names the passages that it was offered.

[1], [1][2], [1, 2], [1-3], [^1], 【3】, 【3†source】, [Passage 3] and (Passage 3); and the line of
sources under an answer. Every pattern matches a bounded stretch.
"""

import re
from collections.abc import Collection

# Maximum length of a marker, and of a line of sources.
LONGEST, LONGEST_LINE = 120, 1000
# Words by which a model names a passage.
NAMES = (
    "passage passages source sources doc docs document documents ref refs reference references"
    " citation citations pasaje pasajes fuente fuentes quelle quellen extrait extraits"
).split()
_NAME = rf"(?:{'|'.join(sorted(NAMES, key=len, reverse=True))})"
_LEAD = r"(?:see|cf|siehe|vgl|ver|voir)\.?[ \t]{1,3}"
_GAP = r"[ \t.#:]{0,3}"
_NUMBER = r"\^?\d{1,3}"
_ITEM = rf"{_NUMBER}(?:[ \t]?[-–—][ \t]?{_NUMBER})?"
_AND = r"(?:and|or|und|oder|y|o|et|ou|e)"
_BETWEEN = rf"(?:[ \t]?[,;&/][ \t]?(?:{_AND}[ \t]{{1,3}})?|[ \t]{{1,3}}{_AND}[ \t]{{1,3}})"
_ITEMS = rf"{_ITEM}(?:{_BETWEEN}(?:{_NAME}{_GAP})?{_ITEM})*"
_REST = r"(?:(?::\d{1,3})?†[^\]】］)\[【［(\n]{0,80}|[,:][ \t]?pp?\.[ \t]?\d{1,4}(?:[-–]\d{1,4})?)?"
SQUARE = re.compile(
    rf"[\[【［][ \t]?(?:{_LEAD})?(?:{_NAME}{_GAP})?(?P<items>{_ITEMS}){_REST}[ \t]?[\]】］]", re.I
)
ROUND = re.compile(
    rf"\([ \t]?(?:{_LEAD})?{_NAME}{_GAP}(?P<items>{_ITEMS}){_REST}[ \t]?\)", re.IGNORECASE
)
# In quotations, which may be of a document with other brackets.
PLAIN = re.compile(rf"\[(?P<items>\^?\d{{1,3}}(?:[ \t]?[,;][ \t]?{_NUMBER})*)\]")
OPENING = "[【［("
ROUNDED = str.maketrans("[]", "()")
# The beginning of a marker that may be completed by more text.
_UNFINISHED = re.compile(
    rf"[\[【［(][ \t]?(?:[^\W\d_]{{0,10}}|(?:(?:{_LEAD})?{_NAME}|{_LEAD}|[\^\d])"
    rf"[^\]】］)\[【［(\n]{{0,{LONGEST}}})",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(\d{1,3})(?:[ \t]?[-–—][ \t]?\^?(\d{1,3}))?")

# The line under an answer that introduces its sources.
_SOURCE_WORDS = (*NAMES, "referencias", "références", "belege", "citas", "bibliography")
_SOURCE_WORD = rf"(?:{'|'.join(sorted(_SOURCE_WORDS, key=len, reverse=True))})"
_USED = r"(?:[ \t]{1,3}(?:used|cited|consulted))?"
SOURCES = re.compile(
    rf"(?:[#*_ \t]{{0,10}}{_SOURCE_WORD}{_USED}[*_]{{0,3}}[ \t]{{0,3}}[:：][*_]{{0,3}}"
    rf"|(?:#{{1,6}}[ \t]{{1,3}}|[*_]{{2,3}}){_SOURCE_WORD}{_USED}[*_]{{0,3}}[ \t]{{0,3}}(?=\n|\Z))",
    re.IGNORECASE,
)
_FIRST_WORD = re.compile(r"[#*_ \t]{0,10}([^\W\d_]{0,16})")
_SOURCES_UNFINISHED = re.compile(r"(?:[ \t]{1,3}[a-z]{0,9})?[*_]{0,3}[ \t]{0,3}", re.IGNORECASE)
# An entry of a list of sources, which begins with a marker.
ENTRY = re.compile(
    rf"(?:[-*+•][ \t]{{0,3}}|\d{{1,2}}[.)][ \t]{{1,3}})?[*_]{{0,2}}(?:{SQUARE.pattern})", re.I
)
# A whole entry with its labels unbracketed.
UNBRACKETED = re.compile(rf"[ \t]{{0,8}}(?:{_NAME}{_GAP})?(?P<items>{_ITEMS})[ \t.]{{0,8}}", re.I)
ONLY_SIGNS = re.compile(r"(?:[\W_]|\b(?:and|und|y|et)\b)*", re.IGNORECASE)


def parse_labels(items: str, offered: Collection[int]) -> tuple[list[int], int]:
    """Return the offered labels that a marker names, in order, and the number of unknown ones."""
    labels: list[int] = []
    others = 0
    for match in _RANGE.finditer(items):
        first = int(match[1])
        last = int(match[2]) if match[2] else first
        named = [label for label in sorted(offered) if first <= label <= last]
        if last < first:
            named = [label for label in (first, last) if label in offered]
        labels += named
        others += not named
    return list(dict.fromkeys(labels)), others


def may_become_marker(text: str) -> bool:
    """Return whether more text could complete this, from its bracket on, to a marker."""
    return len(text) <= LONGEST and _UNFINISHED.fullmatch(text) is not None


def may_name_sources(text: str) -> bool:
    """Return whether more text could complete this to the heading of sources."""
    first = _FIRST_WORD.match(text)
    if first is None or len(text) > LONGEST:
        return False
    word, rest = first[1].casefold(), text[first.end() :]
    if not rest:
        return any(name.startswith(word) for name in _SOURCE_WORDS)
    return word in _SOURCE_WORDS and _SOURCES_UNFINISHED.fullmatch(rest) is not None


def strip_marks(line: str) -> tuple[str, list[str]]:
    """Return the line without its markers, and the labels of each."""
    found: list[str] = []

    def take(match: re.Match[str]) -> str:
        found.append(match["items"])
        return ""

    for form in (SQUARE, ROUND):
        line = form.sub(take, line)
    # The remaining brackets must not form a new marker.
    return (line.translate(ROUNDED) if found else line), found
