"""BM25 over indexed messages: over each, over it with its neighbours, and over its sitting."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memory.recall.index.messages import Messages

Scores = NDArray[np.float64]

# Weights of the words before and after a message.
BEFORE, AFTER = 0.5, 0.3
# BM25's constants: messages are short, sittings are long.
MESSAGE_SHAPE, SITTING_SHAPE = (1.2, 0.4), (1.2, 0.75)
# A session that has just begun has no statistics of rare words.
FEWEST = 100
# The rarest terms of a long question.
MAX_TERMS = 12


@dataclass(frozen=True)
class Matched:
    """The frequency of each of the question's terms in each message."""

    counts: NDArray[np.float32]  # (terms, messages)
    lengths: NDArray[np.float32]

    @classmethod
    def match(cls, wanted: Sequence[str], messages: Messages) -> "Matched":
        entries = [messages.words.entries(term) for term in wanted]
        held = sorted(
            (entry for entry in entries if len(entry[0])), key=lambda found: len(found[0])
        )
        counts = np.zeros((len(held[:MAX_TERMS]), len(messages)), np.float32)
        for row, (places, often) in zip(counts, held, strict=False):
            row[places] = often
        return cls(counts, messages.words.lengths.astype(np.float32))

    def taken(self, rows: NDArray[np.integer]) -> "Matched":
        """Return the counts of these messages only."""
        return Matched(self.counts[:, rows], self.lengths[rows])

    @cached_property
    def rarities(self) -> list[float]:
        """The rarity of each of the terms in the messages."""
        texts = max(len(self.lengths), FEWEST)
        return [_compute_rarity(int(np.count_nonzero(row)), texts) for row in self.counts]

    def share(self, row: int, wanted: int) -> float:
        """Return the share of `wanted` terms in a message; absent terms count as the rarest."""
        rarities = np.array(self.rarities)
        unheard = max(wanted - len(rarities), 0) * _compute_rarity(
            0, max(len(self.lengths), FEWEST)
        )
        total = float(rarities.sum()) + unheard
        return float(rarities[self.counts[:, row] > 0].sum()) / total if total else 0.0

    def alone(self) -> Scores:
        """Return BM25 over the words of each message."""
        return _bm25(iter(self.counts), self.rarities, self.lengths, MESSAGE_SHAPE)

    def near(self, sittings: NDArray[np.int64]) -> Scores:
        """Return BM25 over the words of each message and of its neighbours in the sitting."""
        counts = (_spread(row, sittings) for row in self.counts)
        return _bm25(counts, self.rarities, _spread(self.lengths, sittings), MESSAGE_SHAPE)

    def score_sittings(self, sittings: NDArray[np.int64]) -> Scores:
        """Return, for each message, BM25 over the words of its whole sitting."""
        counts = np.add.reduceat(self.counts, sittings, axis=1)
        rarities = [_compute_rarity(int(np.count_nonzero(row)), row.size) for row in counts]
        lengths = np.add.reduceat(self.lengths, sittings)
        sizes = np.diff(np.append(sittings, len(self.lengths)))
        return np.repeat(_bm25(iter(counts), rarities, lengths, SITTING_SHAPE), sizes)


def _spread(values: NDArray[np.float32], sittings: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the values with shares of those before and after, within the sitting."""
    spread = values.copy()
    spread[1:] += np.float32(BEFORE) * values[:-1]
    spread[:-1] += np.float32(AFTER) * values[1:]
    first = sittings[1:]
    spread[first] -= np.float32(BEFORE) * values[first - 1]
    spread[first - 1] -= np.float32(AFTER) * values[first]
    return spread


def _bm25(
    counts: Iterator[NDArray[np.float32]],
    rarities: Sequence[float],
    lengths: NDArray[np.float32],
    shape: tuple[float, float],
) -> Scores:
    k1, b = shape
    long = (k1 * (1 - b + b * lengths / max(float(lengths.mean()), 1.0))).astype(np.float32)
    total = np.zeros(len(lengths))
    for row, rarity in zip(counts, rarities, strict=True):
        total += np.float32(rarity * (k1 + 1)) * row / (row + long)
    return total


def _compute_rarity(held_by: int, texts: int) -> float:
    return math.log(1 + (texts - held_by + 0.5) / (held_by + 0.5))
