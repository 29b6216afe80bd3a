"""Offers: the passages of a prompt, the markers that name them, and the support they give."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.conf import settings

from citations.attribution.checking import Support
from citations.formats.blocks import CELLS, LEFT_OUT
from citations.models import Passage
from memory.text.citation_markers import Code
from memory.text.words import find_sentences

# Method and version of a quotation that its passage contains word for word.
EXACT = ("exact", "1")


@dataclass(frozen=True)
class Offer:
    """A passage under its label in a prompt."""

    label: int
    passage: Passage
    document_id: UUID


def make_offers(passages: Iterable[Passage]) -> list[Offer]:
    """Offer the passages under labels from 1."""
    return [
        Offer(label, passage, passage.document_id)
        for label, passage in enumerate(passages, start=1)
    ]


@dataclass(frozen=True)
class Marker:
    """A marker in the answer: the position of its [n], in characters, and the offer it names."""

    start: int
    number: int
    offer: Offer

    @property
    def end(self) -> int:
        return self.start + len(f"[{self.number}]")


@dataclass(frozen=True)
class Reference:
    """A passage for a statement, and its support."""

    offer: Offer
    # The position of its number in the answer, drawn or not, and the start of its claim.
    start: int
    claim_start: int
    support: Support
    # None for a citation that the product added.
    marker: Marker | None = None


@dataclass(frozen=True)
class Judged:
    """A statement with its state and references: those it names, and those the check added."""

    start: int
    end: int
    state: str
    score: float
    references: Sequence[Reference]
    method: str
    version: str


# Characters kept of the last line's beginning and of the end.
KEPT = 64


@dataclass
class GivenText:
    """The text given out so far, and the state of its end."""

    length: int = 0
    # The beginning of the last line, whether the line is blank, and the last characters.
    line: str = ""
    is_blank: bool = True
    end: str = ""
    code: Code = field(default_factory=Code)
    # The pieces given since the last call.
    fresh: list[str] = field(default_factory=list)
    _pieces: list[str] = field(default_factory=list)

    def add(self, text: str) -> None:
        self.fresh.append(text)
        self._pieces.append(text)
        self.length += len(text)
        _, newline, last = text.rpartition("\n")
        self.line = last[:KEPT] if newline else (self.line + text[:KEPT])[:KEPT]
        self.is_blank = (bool(newline) or self.is_blank) and not last.strip()
        self.end = (self.end + text[-KEPT:])[-KEPT:]
        self.code.feed(text)

    @property
    def text(self) -> str:
        """The whole text."""
        self._pieces = ["".join(self._pieces)]
        return self._pieces[0]


WORD, SIGNS = re.compile(r"[^\W_]+"), re.compile(r"[^\w\s]*")


def find_exact_place(said: str, passage: str) -> tuple[int, int] | None:
    """Return the span that contains each line, or each of its sentences, word for word, or None."""
    words = list(WORD.finditer(passage))
    text = _normalise_words(passage)
    places: list[tuple[int, int]] = []
    for shown in said.split("\n"):
        line = _find_whole_row(shown, passage)
        whole = _normalise_words(line)
        parts = (
            [whole]
            if whole in text
            else [_normalise_words(line[slice(*at)]) for at in find_sentences(line)]
        )
        for sought in parts:
            if not sought.strip():
                continue
            at = text.find(sought)
            if at < 0:
                return None
            begin = text.count(" ", 0, at)
            places.append((begin, begin + sought.count(" ") - 1))
    if not places:
        return None
    first, last = _join_places(places)
    end = words[last - 1].end()
    ends = SIGNS.match(passage, end)
    return words[first].start(), ends.end() if ends else end


def _join_places(places: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the first word and the end of the last places that fit a quote."""
    apart: list[tuple[int, int]] = []
    for begin, end in sorted(places):
        if apart and begin <= apart[-1][1]:
            begin, end = apart[-1][0], max(end, apart.pop()[1])
        apart.append((begin, end))
    while len(apart) > 1 and apart[-1][1] - apart[0][0] > settings.SNIPPET_LENGTH:
        apart.pop(0)
    return apart[0][0], apart[-1][1]


def _find_whole_row(line: str, passage: str) -> str:
    """Return the passage's row of which a line shows some cells; any other line unchanged."""
    if not line.rstrip(" |").endswith(LEFT_OUT):
        return line
    shown = [cell for cell in map(_normalise_words, line.split("|")) if cell.strip()]
    for row in passage.split("\n"):
        cells = iter([_normalise_words(cell) for cell in row.split(CELLS)])
        if shown and all(cell in cells for cell in shown):
            return row
    return line


def _normalise_words(text: str) -> str:
    """Return the words of the text, each between blanks."""
    return " ".join(["", *(word.group().casefold() for word in WORD.finditer(text)), ""])
