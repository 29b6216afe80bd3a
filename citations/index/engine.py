"""The interface of the shared library's index, for each database."""

from collections.abc import Collection, Sequence
from typing import Protocol
from uuid import UUID

from django.db import connection

from citations.index import postgres, sqlite
from citations.index.ranking import Tally, TermWeights
from citations.index.scope import Documents, IndexHit, NewPassage, VectorSearch
from memory.text.embedding import Vectors


class Engine(Protocol):
    """One of `sqlite` and `postgres`."""

    def tally(self, terms: Sequence[str]) -> Tally:
        """Count the library's passages, and those that hold each term; read its state with them."""
        ...

    def search(
        self, weights: TermWeights, tally: Tally, documents: Documents, limit: int
    ) -> list[IndexHit]:
        """Return the best passages by BM25, of the given documents if any.

        The tally is the engine's own, for the weighed terms.
        """
        ...

    def nearest(self, search: VectorSearch) -> list[IndexHit]:
        """Return the nearest passages, where the state's `vector_model` is the search's model."""
        ...

    def add(self, document: UUID, entries: Sequence[NewPassage]) -> None:
        """Index the words of the passages."""
        ...

    def add_vectors(self, passages: Sequence[int], vectors: Vectors, *, model: str) -> None:
        """Index the vectors of the passages, if the engine can."""
        ...

    def remove(self, passages: Collection[int]) -> None:
        """Take the passages out of the index."""
        ...

    def adopt(self, model: str) -> None:
        """Make the engine search the model's vectors from now on, if it can."""
        ...

    def clear(self) -> None:
        """Empty the index, and prepare it for the vectors of another model."""
        ...


def get_engine() -> Engine:
    """Return the engine of the database that is configured."""
    return sqlite if connection.vendor == "sqlite" else postgres
