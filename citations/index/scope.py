"""The scope of a search, and its hits."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple, Protocol
from uuid import UUID

from django.db.models import Q

from memory.text.embedding import Vectors

Documents = Collection[UUID] | None


@dataclass(frozen=True)
class Scope:
    """The shared library and the owner's documents, or only the given ones among them."""

    owner: UUID | None = None
    documents: frozenset[UUID] | None = None

    @property
    def readable(self) -> Q:
        """The rows with `owner` and `document` that are in scope."""
        readable = Q(owner=None) | Q(owner=self.owner) if self.owner else Q(owner=None)
        return readable & self.chosen

    @property
    def private(self) -> Q:
        """The rows in scope that belong to the owner."""
        return Q(owner=self.owner, owner__isnull=False) & self.chosen

    @property
    def wanted(self) -> Q:
        """The rows to read one by one: those of given documents, else the owner's or the shared
        ones.
        """
        return self.private if self.owner and self.documents is None else self.readable

    @property
    def chosen(self) -> Q:
        return Q() if self.documents is None else Q(document__in=self.documents)


class Beside(Protocol):
    """The context of a question in the search: further vectors to search and compare with."""

    @property
    def model(self) -> str:
        """The model of the vectors."""
        ...

    def shift(self, vector: Vectors) -> Vectors:
        """Return the question's vector, shifted towards the turns before."""
        ...

    def list_comparisons(self, vector: Vectors) -> Vectors:
        """Return the vectors to compare passages with, as rows, the question's first."""
        ...


class IndexHit(NamedTuple):
    """A passage's id and its score."""

    passage: int
    score: float
    # Found by vector: its cosines with each comparison vector.
    cosines: tuple[float, ...] = ()
    # Found by words: the score as a share of the best possible with those words of the question
    # that any passage holds.
    of_known: float = 0.0


@dataclass(frozen=True)
class VectorSearch:
    """A vector search: its query, the vectors compared, the engine's spread, and the limit."""

    query: Vectors
    others: Vectors
    spread: float
    limit: int


def select_best_hits(hits: list[IndexHit], limit: int) -> list[IndexHit]:
    """Return the best hits, best first; ties are in the order of their ids."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.passage))[:limit]


@dataclass(frozen=True)
class State:
    """The state of the library's index."""

    # Changes with every change of its vectors.
    version: str
    # The model whose vectors the engine itself can search, or None.
    vector_model: str | None = None


@dataclass(frozen=True)
class NewPassage:
    """A passage of the shared library, to be indexed."""

    passage: int
    terms: list[str]
