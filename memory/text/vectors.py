"""Blocks of unit vectors as bytes: int8 vectors beside the their numbers.

A block is `count` rows. Each row has one or more int64 numbers (a passage's id; a turn's position
and side) and one vector. A vector is quantised to int8 by its greatest component, with its scale as
float32. int8 keeps .97 of the top ten of float32 at a quarter of the size.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.text.embedding import Vectors

BLOCK = 256
# Rows that as float32 fit into a core's cache: four times as fast as casting all at once.
STRETCH = 512
HEADER = 3  # int64: rows, numbers a row, dimensions


@dataclass(frozen=True)
class Block:
    """Rows of numbers, and the vector of each."""

    numbers: NDArray[np.int64]  # (rows, numbers a row)
    scales: NDArray[np.float32]  # (rows,)
    vectors: NDArray[np.int8]  # (rows, dimensions)

    @classmethod
    def quantise(cls, numbers: Sequence[Sequence[int]], vectors: Vectors) -> "Block":
        """Quantise unit vectors, one for each row of numbers."""
        greatest = np.maximum(np.abs(vectors).max(axis=1), 1e-12)
        return cls(
            numbers=np.array(numbers, dtype=np.int64).reshape(len(vectors), -1),
            scales=(greatest / 127).astype(np.float32),
            vectors=np.rint(vectors * (127 / greatest)[:, None]).astype(np.int8),
        )

    @classmethod
    def joined(cls, blocks: Sequence["Block"]) -> "Block":
        return cls(
            numbers=np.concatenate([block.numbers for block in blocks]),
            scales=np.concatenate([block.scales for block in blocks]),
            vectors=np.concatenate([block.vectors for block in blocks]),
        )

    def __len__(self) -> int:
        return len(self.scales)

    def fits(self, query: Vectors) -> bool:
        """Return whether the vectors have the same dimensions, since names of engines may clash."""
        return self.vectors.shape[1] == len(query)

    @property
    def positions(self) -> NDArray[np.int64]:
        """The first number of each row."""
        return self.numbers[:, 0]

    def taken(self, rows: NDArray[np.integer]) -> "Block":
        """Return these rows only, in this order."""
        return Block(self.numbers[rows], self.scales[rows], self.vectors[rows])

    def whole(self, rows: NDArray[np.integer]) -> Vectors:
        """Return the vectors of these rows, within int8's error."""
        vectors: Vectors = self.vectors[rows].astype(np.float32) * self.scales[rows, None]
        return vectors

    def similarities(self, query: Vectors) -> NDArray[np.float32]:
        """Return the cosine of each row with the unit vector, within int8's error."""
        dots = np.empty(len(self), dtype=np.float32)
        for start in range(0, len(self), STRETCH):
            rows = slice(start, start + STRETCH)
            dots[rows] = self.vectors[rows].astype(np.float32) @ query
        return dots * self.scales

    def packed(self) -> bytes:
        header = np.array([*self.numbers.shape, self.vectors.shape[1]], dtype=np.int64)
        parts = (header, self.numbers, self.scales, self.vectors)
        return b"".join(part.tobytes() for part in parts)

    @classmethod
    def unpacked(cls, data: bytes) -> "Block":
        rows, width, dimensions = (int(size) for size in np.frombuffer(data, np.int64, HEADER))
        at = HEADER * 8
        numbers = np.frombuffer(data, np.int64, rows * width, at).reshape(rows, width)
        at += numbers.nbytes
        scales = np.frombuffer(data, np.float32, rows, at)
        at += scales.nbytes
        vectors = np.frombuffer(data, np.int8, rows * dimensions, at).reshape(rows, dimensions)
        return cls(numbers, scales, vectors)
