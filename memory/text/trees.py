"""Boosted trees as arrays, evaluated for all rows and all trees at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]


@dataclass(frozen=True)
class Forest:
    """Trees in arrays: node `i` goes to `left[i]` if its column is at most the threshold.

    A leaf is its own child, so that further steps stay there.
    """

    column: NDArray[np.int16]
    threshold: NDArray[np.float32]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float32]
    roots: NDArray[np.int32]
    depth: int
    # Number of seeds of the trees, whose sums are averaged.
    seeds: int

    @classmethod
    def loaded(cls, arrays: Mapping[str, NDArray[Any]], name: str) -> "Forest":
        """Return the forest stored under that name."""
        depth, seeds = (int(number) for number in arrays[f"{name}_size"])
        return cls(
            column=arrays[f"{name}_column"],
            threshold=arrays[f"{name}_threshold"],
            left=arrays[f"{name}_left"],
            right=arrays[f"{name}_right"],
            value=arrays[f"{name}_value"],
            roots=arrays[f"{name}_roots"],
            depth=depth,
            seeds=seeds,
        )

    def probabilities(self, rows: Matrix) -> Matrix:
        """Return the probability of each row."""
        at = np.repeat(self.roots[None, :], len(rows), axis=0)
        # `take` on flat arrays is a third faster than an index for each dimension.
        flat, begins = rows.ravel(), rows.shape[1] * np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            goes_left = flat.take(self.column.take(at) + begins) <= self.threshold.take(at)
            at = np.where(goes_left, self.left.take(at), self.right.take(at))
        scores = self.value.take(at).sum(axis=1) / self.seeds
        found: Matrix = 1.0 / (1.0 + np.exp(-scores))
        return found
