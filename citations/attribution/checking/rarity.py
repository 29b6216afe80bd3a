"""Rarity: how much it says that a word is there, by how many free texts hold it."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np

ARTEFACT = Path(__file__).parent / "rarity.npz"
# Of a word that no text holds.
RAREST = 1.0


@cache
def _rarities() -> dict[str, float]:
    with np.load(ARTEFACT, allow_pickle=False) as arrays:
        stems = bytes(arrays["stems"]).decode().split()
        return dict(zip(stems, (arrays["rarities"] / 255).tolist(), strict=True))


def rarity(stem: str) -> float:
    """Return from 0 (in every text) to 1 (in none) how rare a stem is."""
    return _rarities().get(stem, RAREST)


def write_rarity(texts: Iterable[Iterable[str]], path: Path = ARTEFACT) -> None:
    """Count in how many texts, given as stems, each stem is, and keep those in two or more."""
    counts: Counter[str] = Counter()
    total = 0
    for stems in texts:
        total += 1
        counts.update(set(stems))
    kept = sorted(stem for stem, count in counts.items() if count > 1)
    rarities = [np.log(total / counts[stem]) / np.log(total) for stem in kept]
    np.savez_compressed(
        path,
        stems=np.frombuffer(" ".join(kept).encode(), dtype=np.uint8),
        rarities=np.rint(np.array(rarities) * 255).astype(np.uint8),
    )
    _rarities.cache_clear()
