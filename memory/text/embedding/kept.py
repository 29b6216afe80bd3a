"""Vectors of texts that are compared again and again, kept by this process within bounds.

A text is known by its digest among those of its owner, so whoever finds its vector holds the text
itself, from a row read in the same request: a hit gives nothing away, and how long a question takes
doesn't tell whether somebody else has the same text. What is the library's stays while it is in
use; what is a person's is forgotten some minutes after it was made, wanted or not.
"""

import secrets
import time
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Sequence
from hashlib import blake2b
from threading import Lock, Timer
from typing import NamedTuple, Protocol

import numpy as np

from memory.text.embedding.vectors import Vectors

# For each of the two kinds; a vector takes 1.5 kB and what stands around it.
MOST_BYTES = 24 << 20
AROUND = 500
PRIVATE_SECONDS = 300.0


class MakesVectors(Protocol):
    """What makes vectors that aren't there."""

    model: str

    def embed(self, texts: Sequence[str]) -> Vectors: ...


class _Kept(NamedTuple):
    vector: Vectors
    made: float


class KeptVectors:
    """Vectors by key, the least lately used going first; after some seconds each, if so told."""

    def __init__(self, most_bytes: int, seconds: float | None = None) -> None:
        self.most_bytes, self.seconds = most_bytes, seconds
        self.bytes = 0
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._lock = Lock()
        self._timer: Timer | None = None

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable) -> Vectors | None:
        """Return the vector, if it is there and its time isn't over."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is None or self._is_over(kept):
                return None
            if self.seconds is None:  # else the oldest has to stay in front
                self._kept.move_to_end(key)
            return kept.vector

    def keep(self, key: Hashable, vector: Vectors) -> None:
        """Keep the vector; what has been there longest makes room."""
        with self._lock:
            if key in self._kept:
                return
            self._kept[key] = _Kept(vector, time.monotonic())
            self.bytes += vector.nbytes + AROUND
            while self.bytes > self.most_bytes:
                self._drop_first()
            self._wake_later()

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._kept.clear()
            self.bytes = 0

    def _is_over(self, kept: _Kept) -> bool:
        return self.seconds is not None and time.monotonic() - kept.made >= self.seconds

    def _drop_first(self) -> None:
        _, kept = self._kept.popitem(last=False)
        self.bytes -= kept.vector.nbytes + AROUND

    def _wake_later(self) -> None:
        """Have somebody look when the oldest's time is over, even if nobody asks any more."""
        if self.seconds is None or self._timer is not None or not self._kept:
            return
        oldest = next(iter(self._kept.values())).made
        self._timer = Timer(max(0.0, oldest + self.seconds - time.monotonic()), self._forget_old)
        self._timer.daemon = True
        self._timer.start()

    def _forget_old(self) -> None:
        with self._lock:
            while self._kept and self._is_over(next(iter(self._kept.values()))):
                self._drop_first()
            self._timer = None
            self._wake_later()


shared = KeptVectors(MOST_BYTES)
private = KeptVectors(MOST_BYTES, PRIVATE_SECONDS)
# Digests of this process mean nothing anywhere else.
_secret = secrets.token_bytes(32)


def embed_kept(
    engine: MakesVectors, texts: Iterable[str], owners: Iterable[Hashable | None]
) -> Vectors:
    """Return the texts' vectors, those that aren't kept made by the engine.

    `owners` has for each text whose it is; None is everyone's.
    """
    rows = [
        (text, (engine.model, owner, _digest(text)), shared if owner is None else private)
        for text, owner in zip(texts, owners, strict=True)
    ]
    found = {key: store.get(key) for _, key, store in rows}
    known = {key: vector for key, vector in found.items() if vector is not None}
    missing = {key: (text, store) for text, key, store in rows if key not in known}
    if missing:
        made = engine.embed([text for text, _ in missing.values()])
        for vector, (key, (_, store)) in zip(made, missing.items(), strict=True):
            known[key] = vector
            store.keep(key, vector.copy())  # alone: a row would keep all of its batch alive
    return np.stack([known[key] for _, key, _ in rows])


def clear_kept() -> None:
    """Forget all that is kept."""
    shared.clear()
    private.clear()


def _digest(text: str) -> bytes:
    return blake2b(text.encode(errors="surrogatepass"), digest_size=16, key=_secret).digest()
