"""Unit vectors, and what engines that make them raise."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
# Where something begins and ends in a text, in characters.
Span = tuple[int, int]


class EmbeddingError(Exception):
    """The embedding engine can't be used; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def unit(vectors: Vectors) -> Vectors:
    """Scale each row to length 1; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Vectors = (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
    return scaled


def pool_spans(pieces: Vectors, spans: Sequence[Sequence[int]]) -> Vectors:
    """Return one unit vector for each span of rows: their mean, or that of all where it is empty.

    So a text is embedded once for all its parts ("late chunking", Günther et al. 2024).
    """
    means = [
        pieces[start:end].mean(axis=0) if start < min(end, len(pieces)) else pieces.mean(axis=0)
        for start, end in spans
    ]
    return unit(np.array(means, dtype=np.float32).reshape(len(spans), pieces.shape[1]))
