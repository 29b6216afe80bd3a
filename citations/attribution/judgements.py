"""Judgements: what was found of an answer's statements, before any of it is a row."""

from collections.abc import Sequence
from dataclasses import dataclass

from citations.attribution.checking import Support
from citations.attribution.offers import Marker, Offer

# Method and version for a quotation whose words stand in its passage.
EXACT = ("exact", "1")


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
