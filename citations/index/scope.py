"""What a search may see, and what it finds."""

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db.models import Q


@dataclass(frozen=True)
class Scope:
    """The shared library and the owner's documents, or only those of them that are named."""

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
    def chosen(self) -> Q:
        return Q() if self.documents is None else Q(document__in=self.documents)


class Hit(NamedTuple):
    """A passage's id, and how well it fits."""

    passage: int
    score: float
    # Its cosines with other vectors, where they were asked for.
    beside: tuple[float, ...] = ()


def best(hits: list[Hit], limit: int) -> list[Hit]:
    """Return the best hits, best first; equal ones in the order of their ids."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.passage))[:limit]
