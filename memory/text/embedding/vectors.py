"""Unit vectors, and the error of embedding engines."""

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class EmbeddingError(Exception):
    """The embedding engine can't be used; `code` gives the reason."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def scale_to_unit(vectors: Vectors) -> Vectors:
    """Scale each row to length 1; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Vectors = (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
    return scaled
