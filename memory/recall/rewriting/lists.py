"""Lists in earlier turns, for "the second one", "compare those" and "which is best"."""

import re
from collections.abc import Iterable, Sequence

from memory.recall.rewriting.exchanges import Exchange
from memory.recall.rewriting.names import find_names, find_names_in_tokens
from memory.text.citation_markers import strip_markers
from memory.text.words import find_sentences

LOOKED_AT = 4  # exchanges
LONGEST_NAME, MOST_ITEMS = 6, 8  # words, items
LONGEST_PAIR = 1_000  # characters at the end of a question

_LINE = re.compile(r"^[ \t]*(?:>[ \t]*)?(?:[-*•]|\(?\d{1,2}[.)])[ \t]+(.+)$", re.MULTILINE)
# The first cell of a table's row; the dashes below the titles are no row.
_ROW = re.compile(r"^\|[ \t]*([^|\s-][^|\n]*?)[ \t]*\|", re.MULTILINE)
_NAME_ENDS = re.compile(r"\s*[:–—(.;|]|\s-\s|,\s|\s(?:is|are|was|were|es|son)\s")
_MARKS = re.compile(r"^(?:\[[ xX]?\]\s*)?[*`“\"\s]*|[*`”\"]+")
_PART = r"[^\W_][^\s,;:.!?()“”\"]*(?: [^\W_][^\s,;:.!?()“”\"]*){0,3}"
# "The drugs are A, B and C", "options such as A and B".
_ENUMERATION = re.compile(
    r"(?:\b(?:are|includes?|including|such as|namely|son|incluyen|como)|:)\s+"
    rf"({_PART}(?:, {_PART}){{0,{MOST_ITEMS}}}),? (?:and|or|y|o|e|u) ({_PART})(?=[\s,.;:!?”\"]|$)"
)
_PAIR = re.compile(
    r"(?:\b(?:between|compare|comparar?|compara|entre)\s(.+?)\s(?:and|with|to|y|con)\s"
    r"|[,:]\s(.+?)\s(?:or|o)\s)(.+?)\W*$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|an?|el|la|los|las|un|una)\s", re.IGNORECASE)


def find_last_list(exchanges: Sequence[Exchange]) -> tuple[list[str], int]:
    """Return the items of the newest list and the position of its turn, or no items.

    A turn about one item of an earlier table doesn't replace that table by its own list.
    """
    read = [(find_listed_items(each), each) for each in reversed(exchanges[-LOOKED_AT:])]
    lists = [(found, each) for found, each in read if found]
    if not lists:
        return [], 0
    newest = lists[0]
    tables = (each for each in lists[1:] if _names_one(newest[1], _find_rows(each[1])))
    found, exchange = next(tables, newest)
    return found, exchange.position


def _names_one(exchange: Exchange, items: Sequence[str]) -> bool:
    return sum(item in exchange.searched for item in items) == 1


def find_listed_items(exchange: Exchange) -> list[str]:
    """Return the things that the question compares or that the answer lists, if several."""
    text = strip_markers(exchange.spoken)
    lines = (_NAME_ENDS.split(_MARKS.sub("", line))[0] for line in _LINE.findall(text))
    rows = _find_rows(exchange)
    compared, listed = _find_compared(exchange.searched), _deduplicate_names(lines)
    several = (compared, rows, listed, _find_full_names(text), _find_enumerated(text))
    return next((found[:MOST_ITEMS] for found in several if len(found) > 1), [])


def list_recent_names(exchanges: Sequence[Exchange], most: int) -> list[str]:
    """Return the names in the newest questions, oldest first."""
    named = (name for each in reversed(exchanges) for name in find_names_in_tokens(each.sought)[:1])
    return _deduplicate_names(named)[:most][::-1]


def _find_rows(exchange: Exchange) -> list[str]:
    return _deduplicate_names(_ROW.findall(strip_markers(exchange.spoken)))


def _find_compared(question: str) -> list[str]:
    match = _PAIR.search(question.strip()[-LONGEST_PAIR:])
    parts = (
        [part for found in match.groups() if found for part in found.split(", ")] if match else []
    )
    return _deduplicate_names(_ARTICLE.sub("", part) for part in parts)


def _find_full_names(text: str) -> list[str]:
    """Return the full names at the beginnings of sentences."""
    said = (text[start:end].lstrip('“"> ') for start, end in find_sentences(text))
    opening = ((sentence, find_names(sentence)[:1]) for sentence in said)
    return _deduplicate_names(
        name
        for sentence, names in opening
        for name in names
        if " " in name and sentence.startswith(name)
    )


def _find_enumerated(text: str) -> list[str]:
    found = ([*match[1].split(", "), match[2]] for match in _ENUMERATION.finditer(text))
    return max(map(_deduplicate_names, found), key=len, default=[])


def _deduplicate_names(names: Iterable[str]) -> list[str]:
    """Return the short names, each once."""
    kept = (name.strip() for name in names if 0 < len(name.split()) <= LONGEST_NAME)
    return list(dict.fromkeys(kept))
