"""Of its kind: what a short follow-up names takes the place of what stands in the same column of a
table that was found: "how many people in engineering q4", "and sales".

By words alone "sales" is as like "people" as it is like "engineering"; a table tells which it is.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from chat.turns.grounding.tables import tables_of
from citations.retrieval import Found
from memory.recall import Recalled
from memory.recall.rewriting import TOPIC_CARRIED, Exchange, Rewrite
from memory.recall.rewriting.language.languages import SMALL_WORDS
from memory.recall.rewriting.rules.again import bare_question
from memory.text.embedding import Embedded
from memory.text.words import STOP_WORDS, stem, words

# What is longer asks by itself.
LONGEST, MOST_WORDS, LONGEST_ASKED = 80, 5, 300
SURE = 0.9
_THING = re.compile(
    r"\W*(?:(?:and|n|so|ok|okay|but|then|what about|how about|und|y|et|aber|was ist mit|qu[eé] tal"
    r"|qu[eé] pasa con)\W+)*"
    r"(?:(?:in|of|for|by|at|from|with|the|für|bei|von|im|der|die|das|den|en|de|del|para|el|la|los"
    r"|las|pour|le|les|du|à|au|chez|dans)\s+)*(?P<thing>\w.*?)\W*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
Said = tuple[str, ...]
# Words that name nothing, though a state may be written so: "IN", "OR".
_SMALL = frozenset(stem(word) for word in STOP_WORDS.union(*SMALL_WORDS.values()))


@dataclass(frozen=True)
class OfOneKind:
    """Things of one kind: the cells of a column, or the names of a table's columns."""

    things: Sequence[tuple[Said, str]]

    @classmethod
    def of(cls, named: Iterable[str]) -> "OfOneKind":
        different = dict.fromkeys(name for name in named if name.strip())
        return cls([(_said(name), name) for name in different])

    def called(self, said: Said) -> str:
        """Return the one that the words call, by all of its words or by some: "paul"."""
        if not said or _SMALL.issuperset(said):
            return ""
        whole = [name for own, name in self.things if own == said]
        parts = [
            name
            for own, name in self.things
            if len(own) <= MOST_WORDS and set(said) < set(own) and _SMALL.isdisjoint(said)
        ]
        return whole[0] if whole else parts[0] if len(parts) == 1 else ""


def of_its_kind(recalled: Recalled, found: Sequence[Found]) -> Recalled:
    """Return it with the question before asked of the thing that is named, if a table that was
    found has it in one column with a thing of that question.
    """
    thing = _named(recalled.question.text)
    if not thing or not recalled.exchanges:
        return recalled
    previous: Exchange = recalled.exchanges[-1]
    asked = bare_question(previous)
    if not 0 < len(asked) <= LONGEST_ASKED:
        return recalled
    for kind in _kinds(asked, found):
        if told := _exchanged(asked, thing, kind):
            query = f"{told}?"
            rewrite = Rewrite(query, TOPIC_CARRIED, previous.positions, SURE)
            return replace(recalled, rewrite=rewrite, asked=Embedded(query))
    return recalled


def _named(question: str) -> str:
    """Return what a question names that says nothing else, or nothing."""
    match = _THING.fullmatch(question) if len(question) <= LONGEST else None
    return match["thing"] if match and len(words(match["thing"])) <= MOST_WORDS else ""


def _kinds(asked: str, found: Sequence[Found]) -> Iterator[OfOneKind]:
    for table in tables_of(asked, found):
        texts = (each for each in table.columns if not each.is_of_figures and not each.is_of_days)
        yield from (OfOneKind.of(column.filled) for column in texts)
        yield OfOneKind.of(column.name for column in table.columns)


def _exchanged(asked: str, thing: str, kind: OfOneKind) -> str:
    """Return what was asked with the thing in the place of the only other one of its kind."""
    called = kind.called(_said(thing))
    if not called:
        return ""
    places = _places(asked, kind)
    if len(places) != 1 or places[0][2] == called:
        return ""
    start, end, _ = places[0]
    return f"{asked[:start]}{called}{asked[end:]}"


def _places(asked: str, kind: OfOneKind) -> list[tuple[int, int, str]]:
    """Return where the question names things of the kind, and which, the longest names first."""
    runs = list(_WORD.finditer(asked))
    stems = [" ".join(_said(run.group())) for run in runs]
    places: list[tuple[int, int, str]] = []
    for length in range(min(MOST_WORDS, len(runs)), 0, -1):
        for first in range(len(runs) - length + 1):
            start, end = runs[first].start(), runs[first + length - 1].end()
            is_free = all(end <= before or start >= behind for before, behind, _ in places)
            if is_free and (name := kind.called(tuple(stems[first : first + length]))):
                places.append((start, end, name))
    return places


def _said(text: str) -> Said:
    return tuple(map(stem, words(text)))
