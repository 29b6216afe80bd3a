"""Of its kind: what a short follow-up names takes the place of what stands in the same column of a
table that was found: "how many people in engineering q4", "and sales". What only names a column is
asked of the row that was asked about: "who is the customer".

By words alone "sales" is as like "people" as it is like "engineering"; a table tells which it is.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from chat.quoting.tables.reading import Table, TableColumn
from chat.turns.grounding.tables import TablesFound
from citations.retrieval import Found
from memory.recall import Recalled
from memory.recall.rewriting import TOPIC_CARRIED, Exchange, Rewrite
from memory.recall.rewriting.about import apart
from memory.recall.rewriting.language.languages import SMALL_WORDS
from memory.recall.rewriting.rules.again import bare_question
from memory.text.embedding import Embedded
from memory.text.words import STOP_WORDS, stem, words

# What is longer asks by itself; of so many questions before one may name the thing's like.
LONGEST, MOST_WORDS, LONGEST_ASKED, LOOKED_BACK = 80, 5, 300, 3
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
    """Return it with a question before asked of the thing that is named, if a table that was found
    has it in one column with a thing of that question; or with the row that was asked about.
    """
    if recalled.new_topic or len(recalled.question.text) > LONGEST:
        return recalled
    tables = TablesFound(found)
    for previous in reversed(recalled.exchanges[-LOOKED_BACK:]):
        if told := _told(recalled, previous, tables):
            query = f"{told}?"
            rewrite = Rewrite(query, TOPIC_CARRIED, previous.positions, SURE)
            return replace(recalled, rewrite=rewrite, asked=Embedded(query))
    return recalled


def _told(recalled: Recalled, previous: Exchange, found: TablesFound) -> str:
    """Return what is asked after the question before, or nothing if no table tells it."""
    question, asked = recalled.question.text, bare_question(previous)
    thing, is_alone = _named(question), apart(recalled.rewrite.query)[0] == question
    if not 0 < len(asked) <= LONGEST_ASKED or not (thing or is_alone):
        return ""
    tables = [each.table for each in found.meant_by(asked)]
    kinds = _kinds(tables) if thing else ()
    exchanged = next(filter(None, (_exchanged(asked, thing, kind) for kind in kinds)), "")
    rows = (_of_the_row(question, asked, table) for table in tables)
    return exchanged or (next(filter(None, rows), "") if is_alone else "")


def _of_the_row(question: str, asked: str, table: Table) -> str:
    """Return a question that only names a column, of the row that the one before was of."""
    said = [word for word in words(question) if stem(word) not in _SMALL]
    called = OfOneKind.of(column.name for column in table.columns).called(tuple(map(stem, said)))
    if not set(said) <= set(words(called)):  # "the departments" are all of them
        return ""
    kinds = (OfOneKind.of(column.filled) for column in _texts(table) if column.name != called)
    things = {name for kind in kinds for _, _, name in _places(asked, kind)}
    return f"{question.rstrip(' ?!.')} for {things.pop()}" if len(things) == 1 else ""


def _named(question: str) -> str:
    """Return what a question names that says nothing else, or nothing."""
    match = _THING.fullmatch(question) if len(question) <= LONGEST else None
    return match["thing"] if match and len(words(match["thing"])) <= MOST_WORDS else ""


def _kinds(tables: Iterable[Table]) -> Iterator[OfOneKind]:
    for table in tables:
        yield from (OfOneKind.of(column.filled) for column in _texts(table))
        yield OfOneKind.of(column.name for column in table.columns)


def _texts(table: Table) -> Iterator[TableColumn]:
    """Yield the columns that name things."""
    return (each for each in table.columns if not each.is_of_figures and not each.is_of_days)


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
