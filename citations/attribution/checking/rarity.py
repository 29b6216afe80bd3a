"""Rarity: how few texts have a word; the counts are made by tests/training/claims.py."""

from functools import cache
from pathlib import Path

import numpy as np

ARTEFACT = Path(__file__).parent / "rarity.npz"
# Of a word in no text.
RAREST = 1.0


@cache
def _rarities() -> dict[str, float]:
    with np.load(ARTEFACT, allow_pickle=False) as arrays:
        stems = bytes(arrays["stems"]).decode().split()
        return dict(zip(stems, (arrays["rarities"] / 255).tolist(), strict=True))


def rarity(stem: str) -> float:
    """Return from 0 (in every text) to 1 (in none) how rare a stem is."""
    return _rarities().get(stem, RAREST)
