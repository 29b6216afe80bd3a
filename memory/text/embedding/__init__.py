"""Embedding: text becomes unit vectors. One interface; the engine is chosen by settings.

Built in are multilingual-e5-small (`e5`) and, if its weights can't be installed, all-MiniLM-L6-v2
(`minilm`, English). Both run as int8 on one thread, loaded on first use. Each engine defines its
token limit, its prefixes of questions and passages, and the scale of its cosines.
"""

import logging
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from threading import Lock
from typing import Protocol

from django.conf import settings

from memory.text.embedding.e5 import E5, find_weights_file
from memory.text.embedding.minilm import MiniLM
from memory.text.embedding.remote import Remote
from memory.text.embedding.vectors import EmbeddingError, Vectors, scale_to_unit

__all__ = [
    "Embedded",
    "Embedder",
    "EmbeddingError",
    "Vectors",
    "compute_likeness",
    "count_pieces",
    "embed_message",
    "find_engine",
    "get_embedder",
    "scale_to_unit",
]

log = logging.getLogger(__name__)


class Embedder(Protocol):
    """An engine that turns text into vectors."""

    # The name stored beside each vector.
    model: str
    # Most tokens of a passage.
    most: int
    # The cosine of two paraphrases; that of unrelated texts is about 0. Comparisons with a limit
    # divide cosines by it first.
    spread: float

    def count(self, text: str) -> int:
        """Count the tokens of a text by the engine's tokenizer."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector for each passage or message, as rows of float32."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector for each question."""
        ...

    def apart_from_language(self, vector: Vectors) -> Vectors:
        """Return a question's vector to compare with documents, which may be in any language."""
        ...


def get_embedder() -> Embedder | None:
    """Return the configured engine, or None for EMBEDDING=none."""
    if settings.EMBEDDING_BASE_URL:
        return _make_remote(
            settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL, settings.EMBEDDING_API_KEY
        )
    name = settings.EMBEDDING
    if name == "auto":
        name = "e5" if find_weights_file() else "minilm"
    return _get_built_in(name) if name in BUILT_IN else None


def get_embedding_servers() -> list[str]:
    """Return the address of the embedding server, if there is one."""
    return [settings.EMBEDDING_BASE_URL] if settings.EMBEDDING_BASE_URL else []


def find_engine(model: str) -> Embedder | None:
    """Return the engine of the model, or None if it is not available."""
    current = get_embedder()
    if current is not None and current.model == model:
        return current
    name = next((name for name, kind in BUILT_IN.items() if kind.model == model), None)
    return _get_built_in(name) if name and (name != "e5" or find_weights_file()) else None


class Embedded:
    """A question, embedded at most once by each engine."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._vectors: dict[str, Vectors | None] = {}

    def vector_by_model(self, model: str) -> Vectors | None:
        """Return the question's vector by the model, or None if it is not available."""
        if model not in self._vectors:
            engine = find_engine(model)
            self._vectors[model] = (
                _get_first(_try_embed(engine.embed_queries, [self.text])) if engine else None
            )
        return self._vectors[model]

    def meaning(self, model: str) -> Vectors | None:
        """Return the question's vector without its language, to compare with documents."""
        engine, vector = find_engine(model), self.vector_by_model(model)
        return engine.apart_from_language(vector) if engine and vector is not None else None

    @property
    def vector(self) -> Vectors | None:
        """The vector by the current engine."""
        engine = get_embedder()
        return self.vector_by_model(engine.model) if engine else None


def embed_message(text: str) -> Vectors | None:
    """Return the vector of a message, or None without an engine."""
    engine = get_embedder()
    return _get_first(_try_embed(engine.embed, [text])) if engine else None


def compute_likeness(text: str, others: Sequence[str]) -> list[float]:
    """Return the likeness of each of the others to the text, from 0 to 1; 0 without an engine."""
    engine = get_embedder()
    vectors = _try_embed(engine.embed, [text, *others]) if engine and others else None
    if engine is None or vectors is None:
        return [0.0] * len(others)
    return [float(each) for each in vectors[1:] @ vectors[0] / engine.spread]


def _get_first(vectors: Vectors | None) -> Vectors | None:
    return None if vectors is None else vectors[0]


def _try_embed(embed: Callable[[Sequence[str]], Vectors], texts: Sequence[str]) -> Vectors | None:
    """Embed texts, or return None: a question must work by words alone."""
    try:
        return embed(texts)
    except EmbeddingError as error:
        log.warning("embedding_unavailable", extra={"code": error.code})
        return None


def count_pieces(text: str) -> int:
    """Count the tokens of a text by the current engine's tokenizer."""
    return (get_embedder() or _get_built_in("minilm")).count(text)


BUILT_IN: dict[str, type[E5] | type[MiniLM]] = {"e5": E5, "minilm": MiniLM}
_loading = Lock()


def _get_built_in(name: str) -> Embedder:
    with _loading:  # two threads would load it twice
        return _load_built_in(name)


@cache
def _load_built_in(name: str) -> Embedder:
    return BUILT_IN[name]()


@lru_cache(maxsize=4)
def _make_remote(base_url: str, model: str, api_key: str) -> Remote:
    return Remote(base_url, model, api_key)
