"""Words of private passages: counted, sealed in blocks, opened and scanned for each question.

They are in no index of the database: equal words of two people, or how often a word is used, can't
be seen from outside, and what is sealed goes with its document and its owner's key. One person's
5,000 passages take some 5 ms.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from citations.index.ranking import K1, B, Tally, Weights
from citations.index.scope import Hit, Scope, best
from citations.models import PassageWords

HEADER = 2  # int64: passages, counts


@dataclass(frozen=True)
class Counts:
    """How often each term stands in each passage; terms are known by their CRC-32."""

    passages: NDArray[np.int64]
    lengths: NDArray[np.int64]
    # One entry for each term of each passage: which passage (its row), which term, how often.
    rows: NDArray[np.int64]
    terms: NDArray[np.uint32]
    counts: NDArray[np.uint16]

    @classmethod
    def of(cls, passages: Sequence[int], terms: Sequence[Sequence[str]]) -> "Counts":
        counted = [Counter(words) for words in terms]
        entries = [(row, *entry) for row, words in enumerate(counted) for entry in words.items()]
        return cls(
            passages=np.array(passages, dtype=np.int64),
            lengths=np.array([len(words) for words in terms], dtype=np.int64),
            rows=np.array([row for row, _, _ in entries], dtype=np.int64),
            terms=np.array([key(term) for _, term, _ in entries], dtype=np.uint32),
            counts=np.array([min(count, 65_535) for _, _, count in entries], dtype=np.uint16),
        )

    def keyed(self, passages: Sequence[int]) -> "Counts":
        """Return the counts under the keys that the passages have got."""
        return replace(self, passages=np.array(passages, dtype=np.int64))

    @classmethod
    def joined(cls, blocks: Sequence["Counts"]) -> "Counts":
        """Return all of the blocks as one."""
        sizes = np.cumsum([0, *(len(block.passages) for block in blocks)])
        moved = [block.rows + size for block, size in zip(blocks, sizes[:-1], strict=True)]
        empty = cls.of([], [])
        return cls(
            passages=np.concatenate([empty.passages, *(block.passages for block in blocks)]),
            lengths=np.concatenate([empty.lengths, *(block.lengths for block in blocks)]),
            rows=np.concatenate([empty.rows, *moved]),
            terms=np.concatenate([empty.terms, *(block.terms for block in blocks)]),
            counts=np.concatenate([empty.counts, *(block.counts for block in blocks)]),
        )

    def packed(self) -> bytes:
        header = np.array([len(self.passages), len(self.terms)], dtype=np.int64)
        parts = (header, self.passages, self.lengths, self.rows, self.terms, self.counts)
        return b"".join(part.tobytes() for part in parts)

    @classmethod
    def unpacked(cls, data: bytes) -> "Counts":
        passages, entries = (int(size) for size in np.frombuffer(data, np.int64, HEADER))
        at = [8 * HEADER]
        for width in (8 * passages, 8 * passages, 8 * entries, 4 * entries):
            at.append(at[-1] + width)
        return cls(
            passages=np.frombuffer(data, np.int64, passages, at[0]),
            lengths=np.frombuffer(data, np.int64, passages, at[1]),
            rows=np.frombuffer(data, np.int64, entries, at[2]),
            terms=np.frombuffer(data, np.uint32, entries, at[3]),
            counts=np.frombuffer(data, np.uint16, entries, at[4]),
        )

    def tally(self, terms: Sequence[str]) -> Tally:
        """Count the passages, and those that hold each term."""
        held_by = {term: int(np.count_nonzero(self.terms == key(term))) for term in terms}
        return Tally(len(self.passages), held_by)

    def search(self, weights: Weights, limit: int) -> list[Hit]:
        """Return the best passages by BM25."""
        scores = np.zeros(len(self.passages))
        average = self.lengths.mean() if len(self.lengths) else 1.0
        shape = K1 * (1 - B + B * self.lengths / max(average, 1.0))
        for term, weight in weights.terms.items():
            entries = np.flatnonzero(self.terms == key(term))
            rows, counts = self.rows[entries], self.counts[entries].astype(np.float64)
            scores[rows] += weight * counts * (K1 + 1) / (counts + shape[rows])
        found = np.flatnonzero(scores)
        hits = [Hit(int(self.passages[row]), float(scores[row])) for row in found]
        return best(hits, limit)


def key(term: str) -> int:
    return crc32(term.encode())


def load(scope: Scope) -> Counts:
    """Open the words of the owner's passages in scope."""
    if scope.owner is None:
        return Counts.joined([])
    rows = PassageWords.objects.filter(scope.private)
    return Counts.joined([Counts.unpacked(row.payload) for row in rows])
