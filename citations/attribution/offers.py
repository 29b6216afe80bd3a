"""Offers: the passages that a prompt offers, and the markers that name them."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from citations.models import Passage


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
