"""What shows whether a question goes on with a topic: one row of numbers for the trained trees.

Of the question: its form, and how much it says. Of the topic: which of the question's words it has
said, and how near its turns are. Of the others: how near the nearest is.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.recall.index.blocks import Pair
from memory.recall.rewriting import Exchange, ReadQuestion
from memory.text.embedding import Vectors
from memory.text.reading import rarity
from memory.text.words import stems, terms

# Compared with the question beside all: so many turns before it.
LAST_TURNS = 3
MOST_WORDS, FEW_WORDS, MOST_TURNS = 8, 3, 4
# Of an answer, so much is compared word by word.
LONGEST = 4_000
UNKNOWN = -1.0


@dataclass(frozen=True)
class Near:
    """How near earlier turns are to a question, over the engine's spread; NaN where unknown.

    Rows are turns, columns their question and their answer.
    """

    cosines: NDArray[np.float64]

    @classmethod
    def compare(
        cls,
        positions: Sequence[int],
        pairs: Mapping[int, Pair],
        asked: Vectors | None,
        *,
        spread: float,
    ) -> "Near":
        """Compare the turns at the positions with the question's vector."""
        found = np.full((len(positions), 2), np.nan)
        for row, position in enumerate(positions):
            for column, side in enumerate(pairs.get(position, (None, None))):
                if side is not None and asked is not None and len(side) == len(asked):
                    found[row, column] = side @ asked
        return cls(found / spread)

    def taken(self, rows: slice) -> "Near":
        return Near(self.cosines[rows])


def signs(
    question: ReadQuestion, exchanges: Sequence[Exchange], near: Near, others: Near | None = None
) -> NDArray[np.float32]:
    """Return the row of the question after the topic's exchanges, oldest first, one at least."""
    both, asked = near.cosines, near.cosines[:, :1]
    nearness = [
        *both[-1],
        _most(both[-1:]),
        _most(both[-LAST_TURNS:]),
        _most(both),
        _mean(both[-LAST_TURNS:]),
        _most(both[:1]),
        _most(asked),
        _mean(asked[-LAST_TURNS:]),
        _most(asked[-LAST_TURNS:]),
        np.nan if others is None else _most(others.cosines[:, :1]),
    ]
    row = [*nearness, *_in_common(question, exchanges), *question.shape.values()]
    return np.nan_to_num(np.array([row], dtype=np.float32), nan=UNKNOWN)


def _in_common(question: ReadQuestion, exchanges: Sequence[Exchange]) -> list[float]:
    """Return how much of what the question says the topic has said."""
    own = frozenset(question.terms)
    asked = [frozenset(each.question.terms).union(each.sought.terms) for each in exchanges]
    told = [terms(each.response[:LONGEST]) for each in exchanges]
    said = [one.union(other) for one, other in zip(asked, told, strict=True)]
    # Rare words weigh more.
    weights = {term: rarity(word) for word in question.words for term in stems([word])}
    newest = frozenset[str]().union(*said[-LAST_TURNS:])
    rare = sum(weight for term, weight in weights.items() if term in newest)
    count = len(question.content_words)
    return [
        _share(own, said[-LAST_TURNS:]),
        _share(own, said),
        _share(own, asked[-LAST_TURNS:]),
        rare / (sum(weights.values()) or 1.0),
        float(question.points_back),
        min(count, MOST_WORDS),
        float(count < FEW_WORDS),
        len(own),
        min(len(exchanges), MOST_TURNS),
        float(not exchanges[-1].response),
    ]


def _share(own: Collection[str], said: Sequence[Collection[str]]) -> float:
    return len(set(own).intersection(set().union(*said))) / len(own) if own else 0.0


def _most(values: NDArray[np.float64]) -> float:
    known = values[~np.isnan(values)]
    return float(known.max()) if known.size else np.nan


def _mean(values: NDArray[np.float64]) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else np.nan
