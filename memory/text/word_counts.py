"""Word counts: the frequency of each term in each of some texts, as bytes that can be sealed.

No index of the database holds them. So equal words of two people, or the frequency of a word, can't
be seen from outside. Sealed counts are lost with their owner's key. Terms are stored as their
CRC-32; a count takes six bytes.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

HEADER = 2  # int64: texts, counts
MOST_ROWS, MOST_COUNTED = 1 << 8, 255


@dataclass(frozen=True)
class WordCounts:
    """The frequency of each term in each of some texts."""

    numbers: NDArray[np.int64]
    lengths: NDArray[np.uint32]
    # For each term of each text: the text's row, the term and its count.
    rows: NDArray[np.integer]
    terms: NDArray[np.uint32]
    counts: NDArray[np.uint8]

    @classmethod
    def count(cls, numbers: Sequence[int], terms: Sequence[Sequence[str]]) -> "WordCounts":
        """Count the terms of at most MOST_ROWS texts, identified by the numbers."""
        counted = [Counter(words) for words in terms]
        entries = [(row, *entry) for row, words in enumerate(counted) for entry in words.items()]
        return cls(
            numbers=np.array(numbers, dtype=np.int64),
            lengths=np.array([len(words) for words in terms], dtype=np.uint32),
            rows=np.array([row for row, _, _ in entries], dtype=np.uint8),
            terms=np.array([hash_term(term) for _, term, _ in entries], dtype=np.uint32),
            counts=np.array([min(count, MOST_COUNTED) for _, _, count in entries], np.uint8),
        )

    def __len__(self) -> int:
        return len(self.numbers)

    def numbered(self, numbers: Sequence[int]) -> "WordCounts":
        """Return the counts with new numbers of the texts."""
        return replace(self, numbers=np.array(numbers, dtype=np.int64))

    @classmethod
    def joined(cls, blocks: Sequence["WordCounts"]) -> "WordCounts":
        """Join the blocks into one, which can be packed if it has at most MOST_ROWS."""
        lengths = [len(block) for block in blocks]
        width = np.uint8 if sum(lengths) <= MOST_ROWS else np.int32
        firsts = np.cumsum([0, *lengths])[:-1].astype(width)
        moved = np.repeat(firsts, [len(block.rows) for block in blocks])
        parts = [cls.count([], []), *blocks]
        return cls(
            numbers=np.concatenate([block.numbers for block in parts]),
            lengths=np.concatenate([block.lengths for block in parts]),
            rows=np.concatenate([block.rows for block in parts]) + moved,
            terms=np.concatenate([block.terms for block in parts]),
            counts=np.concatenate([block.counts for block in parts]),
        )

    def taken(self, rows: NDArray[np.integer]) -> "WordCounts":
        """Return the counts of these rows only, in this order."""
        places = np.full(len(self), -1)
        places[rows] = np.arange(len(rows))
        moved = places[self.rows]
        kept = moved >= 0
        return WordCounts(
            numbers=self.numbers[rows],
            lengths=self.lengths[rows],
            rows=moved[kept].astype(self.rows.dtype),
            terms=self.terms[kept],
            counts=self.counts[kept],
        )

    def packed(self) -> bytes:
        header = np.array([len(self.numbers), len(self.terms)], dtype=np.int64)
        parts = (header, self.numbers, self.lengths, self.terms, self.rows, self.counts)
        return b"".join(part.tobytes() for part in parts)

    @classmethod
    def unpacked(cls, data: bytes | memoryview) -> "WordCounts":
        texts, entries = (int(size) for size in np.frombuffer(data, np.int64, HEADER))
        at = [8 * HEADER]
        for width in (8 * texts, 4 * texts, 4 * entries, entries):
            at.append(at[-1] + width)
        return cls(
            numbers=np.frombuffer(data, np.int64, texts, at[0]),
            lengths=np.frombuffer(data, np.uint32, texts, at[1]),
            terms=np.frombuffer(data, np.uint32, entries, at[2]),
            rows=np.frombuffer(data, np.uint8, entries, at[3]),
            counts=np.frombuffer(data, np.uint8, entries, at[4]),
        )

    def count_texts(self, term: str) -> int:
        """Return the number of texts with the term."""
        return int(np.count_nonzero(self.terms == hash_term(term)))

    def entries(self, term: str) -> tuple[NDArray[np.integer], NDArray[np.float64]]:
        """Return the rows with the term, and its count in each."""
        found = np.flatnonzero(self.terms == hash_term(term))
        return self.rows[found], self.counts[found].astype(np.float64)


def hash_term(term: str) -> int:
    return crc32(term.encode())
