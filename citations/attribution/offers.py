"""Offers: the passages that a prompt offers, the markers that name them, and what they bear out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from citations.attribution.checking import Support
from citations.models import Passage
from memory.text.citation_markers import Code

# Method and version for a quotation whose words stand in its passage.
EXACT = ("exact", "1")


@dataclass(frozen=True)
class Offer:
    """A passage as the prompt offered it."""

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
    """A marker in the answer: where its [n] stands, in characters, and the offer it names."""

    start: int
    number: int
    offer: Offer

    @property
    def end(self) -> int:
        return self.start + len(f"[{self.number}]")


@dataclass(frozen=True)
class Reference:
    """A passage for a statement, and how well and where it bears it out."""

    offer: Offer
    # Where its number stands in the answer, or would; and where what it is for begins.
    start: int
    claim_start: int
    support: Support
    # None for one that the product added.
    marker: Marker | None = None


@dataclass(frozen=True)
class Judged:
    """A statement with its state, and the passages for it: those it names, and those found."""

    start: int
    end: int
    state: str
    score: float
    references: Sequence[Reference]
    method: str
    version: str


# So much of a line and of the end is looked at.
KEPT = 64


@dataclass
class GivenText:
    """The text that was given out, and what has to be known of its end."""

    length: int = 0
    # How its last line begins, whether that has any sign, and its last characters.
    line: str = ""
    is_blank: bool = True
    end: str = ""
    code: Code = field(default_factory=Code)
    # What was given since the last look.
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
        """All of it."""
        self._pieces = ["".join(self._pieces)]
        return self._pieces[0]
