"""BM25, the weighting of words in every part of the index.

Rarity is counted over all passages that the person can find, shared and private together. It is
never negative: in a library of one note, the note's words still count.
"""

import math
import re
from collections.abc import Collection
from dataclasses import dataclass

from citations.index.scope import State
from memory.text.words import extract_terms as stems, find_symbols

K1, B = 1.2, 0.75
# Maximum number of terms searched. The rarest are kept, since frequent ones cost most and matter
# least.
MAX_TERMS = 8
# Maximum number of passages that hold the terms; terms beyond it are left out.
MAX_CANDIDATES = 15_000
# Minimum share of a question's words that counts as known to the library.
LEAST_KNOWN = 0.5
# Longest term; of an unbroken run of letters, the beginning suffices.
MAX_TERM = 64

# "maxRetries", which people write as "max retries".
JOINED_WORDS = re.compile(r"(?<![^\W_])[A-Z]?[a-z]+(?:[A-Z][a-z]+)+(?![^\W_])")
WORD = re.compile(r"[A-Z]?[a-z]+")
# Prefix of a symbol's bytes in hexadecimal, so that every database takes it for a word.
SYMBOL = "symbol0x"


def index_terms(text: str) -> list[str]:
    """Return the index terms of a passage or a question, with repeats."""
    signs = (SYMBOL + symbol.encode().hex() for symbol in find_symbols(text))
    parts = (part for joined in JOINED_WORDS.findall(text) for part in WORD.findall(joined))
    return [*(term[:MAX_TERM] for term in [*stems(text), *stems(" ".join(parts))]), *signs]


@dataclass(frozen=True)
class Tally:
    """The number of passages, and of those that hold each of the terms.

    The library's tally has its state as well.
    """

    passages: int
    held_by: dict[str, int]
    state: State | None = None

    def __add__(self, other: "Tally") -> "Tally":
        terms = self.held_by | other.held_by
        return Tally(
            self.passages + other.passages,
            {term: self.held_by.get(term, 0) + other.held_by.get(term, 0) for term in terms},
            self.state,
        )


@dataclass(frozen=True)
class TermWeights:
    """The weight of each term of a question, and the best possible score."""

    terms: dict[str, float]
    best: float
    # The same for the terms that occur at all; at least a share of the best.
    best_of_known: float

    @classmethod
    def weigh(cls, terms: Collection[str], tally: Tally) -> "TermWeights":
        """Weigh the terms by their rarity.

        A term that no passage holds still counts in the best possible score: an unrelated question
        must not look well answered. Symbols are exempt, since passages indexed before symbols
        existed lack them.
        """
        known = {term: tally.held_by[term] for term in terms if tally.held_by.get(term)}
        chosen: dict[str, float] = {}
        candidates = 0
        for term in sorted(known, key=known.__getitem__)[:MAX_TERMS]:
            candidates += known[term]
            if chosen and candidates > MAX_CANDIDATES:
                break
            chosen[term] = compute_term_rarity(known[term], tally.passages)
        unknown = sum(not term.startswith(SYMBOL) for term in set(terms).difference(known))
        held = sum(chosen.values())
        total = held + unknown * compute_term_rarity(0, tally.passages)
        # Common words alone are weak evidence: they can't score as high as a rare one.
        total, held = (max(each, compute_term_rarity(1, tally.passages)) for each in (total, held))
        known_best = max(held, LEAST_KNOWN * total) * (K1 + 1)
        return cls(chosen, total * (K1 + 1), known_best)


def compute_term_rarity(held_by: int, passages: int) -> float:
    """Return the inverse document frequency, by Lucene's formula."""
    return math.log(1 + max(passages - held_by + 0.5, 0.5) / (held_by + 0.5))
