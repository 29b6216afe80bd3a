"""BM25, as SQLite's FTS5 defines it: what every part of the index weighs words by."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from memory.words import terms as stems

K1, B = 1.2, 0.75
# A long question is searched by its rarest terms: the others cost the most and say the least.
MAX_TERMS = 8
# Terms are left out too once those before them stand in this many passages.
MAX_CANDIDATES = 8_000
# Longer than any word: an unbroken run of letters, of which the beginning will do.
MAX_TERM = 64


def index_terms(text: str) -> list[str]:
    """Return the terms that a passage or a question is indexed by, with repeats."""
    return [term[:MAX_TERM] for term in stems(text)]


@dataclass(frozen=True)
class Weights:
    """What each of a question's terms counts for, and the score of a passage that had them all."""

    terms: dict[str, float]
    best: float

    @classmethod
    def of(cls, terms: Iterable[str], *, held_by: dict[str, int], passages: int) -> "Weights":
        """Weigh the terms by how many of the passages hold them.

        A term that no passage holds can't be found, but it stays in what would have been best: a
        question about something else must not look well answered.
        """
        known = sorted(
            (term for term in dict.fromkeys(terms) if held_by.get(term)), key=held_by.__getitem__
        )
        chosen: dict[str, float] = {}
        candidates = 0
        for term in known[:MAX_TERMS]:
            if chosen and candidates + held_by[term] > MAX_CANDIDATES:
                break
            candidates += held_by[term]
            chosen[term] = rarity(held_by[term], passages)
        unknown = len(set(terms)) - len(known)
        total = sum(chosen.values()) + unknown * rarity(0, passages)
        return cls(chosen, best=total * (K1 + 1))


def rarity(held_by: int, passages: int) -> float:
    """Return the inverse document frequency, as FTS5 has it: never quite zero."""
    return max(1e-6, math.log((passages - held_by + 0.5) / (held_by + 0.5)))
