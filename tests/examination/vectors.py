"""Vectors that outlive a measurement: thousands of messages are embedded once, in minutes."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import numpy as np

from memory.text.embedding import Vectors, get_embedder

# New ones are written so often, and in the end.
EACH = 500


class Kept:
    """The vectors of texts in a file, by the engine and the text."""

    def __init__(self, path: Path, model: str, embed: Callable[[Sequence[str]], Vectors]) -> None:
        self._path, self._model, self._embed = path, model, embed
        self._known: dict[str, Vectors] = {}
        self._unwritten = 0
        if path.exists():
            with np.load(path) as held:
                self._known = dict(zip(held["keys"].tolist(), held["vectors"], strict=True))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of the texts; what isn't known is embedded, and known from now on."""
        keys = [sha256(f"{self._model}\n{text}".encode()).hexdigest()[:32] for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            self._known |= zip(new, self._embed(list(new.values())), strict=True)
            self._unwritten += len(new)
        if self._unwritten >= EACH:
            self.write()
        return np.stack([self._known[key] for key in keys])

    def write(self) -> None:
        if not self._unwritten:
            return
        written = self._path.with_name(self._path.name + ".part")
        with written.open("wb") as file:
            np.savez(
                file, keys=np.array(list(self._known)), vectors=np.stack([*self._known.values()])
            )
        written.replace(self._path)
        self._unwritten = 0


@contextmanager
def kept_vectors(path: Path | None) -> Iterator[None]:
    """Keep what the engine of now embeds in the file, if there is one."""
    engine = get_embedder()
    if path is None or engine is None:
        yield
        return
    kept = Kept(path, engine.model, engine.embed)
    engine.embed = kept.embed  # type: ignore[method-assign]
    try:
        yield
    finally:
        del engine.embed
        kept.write()
