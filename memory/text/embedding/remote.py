"""Any server with OpenAI's `/embeddings`; its responses are untrusted."""

import json
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from memory.text.embedding.breaker import Breaker
from memory.text.embedding.vectors import EmbeddingError, Vectors, scale_to_unit

# Timeout of a request in seconds, and the addition for each text; a question waits for it.
PATIENCE, PATIENCE_EACH = 4.0, 0.25
# Most bytes of a response for each text: 8,192 numbers in full.
MOST_BYTES_EACH = 200_000


class Remote:
    """An embedding engine behind an API; invalid answers raise EmbeddingError."""

    # Safe values for all servers, which don't report their own.
    most = 230
    spread = 1.0

    def __init__(self, base_url: str, model: str, api_key: str) -> None:
        from openai import OpenAI  # noqa: PLC0415 - most have no remote engine

        self.model = model
        self._client = OpenAI(
            base_url=base_url, api_key=api_key or "none", max_retries=0, timeout=PATIENCE
        )
        self._breaker = Breaker()

    def count(self, text: str) -> int:
        """Count as tiktoken does: few vocabularies cut a text into more tokens."""
        from memory.text.token_counting import count_tokens  # noqa: PLC0415

        return count_tokens(text)

    def embed(self, texts: Sequence[str]) -> Vectors:
        from httpx2 import HTTPError  # noqa: PLC0415
        from openai import APIConnectionError, OpenAIError  # noqa: PLC0415

        if not self._breaker.may_try():
            raise EmbeddingError("engine_unavailable")
        try:
            answer = self._asked(texts)
        except (APIConnectionError, HTTPError, TimeoutError) as error:
            self._breaker.failed()
            raise EmbeddingError("engine_unavailable") from error
        except OpenAIError as error:  # it is up, and refuses
            self._breaker.succeeded()
            raise EmbeddingError("engine_unavailable") from error
        self._breaker.succeeded()
        return scale_to_unit(parse_vectors(answer, len(texts)))

    embed_queries = embed

    def apart_from_language(self, vector: Vectors) -> Vectors:
        return vector

    def _asked(self, texts: Sequence[str]) -> bytes:
        """Return the body of the response, bounded in time and size.

        It is requested twice if the connection broke, as a long kept one may.
        """
        from openai import APIConnectionError, APITimeoutError  # noqa: PLC0415

        end = time.monotonic() + PATIENCE + PATIENCE_EACH * len(texts)
        try:
            return self._asked_once(texts, end)
        except APITimeoutError:
            raise
        except APIConnectionError:
            return self._asked_once(texts, end)

    def _asked_once(self, texts: Sequence[str], end: float) -> bytes:
        body, most = bytearray(), MOST_BYTES_EACH * (len(texts) + 1)
        asking = self._client.embeddings.with_streaming_response.create(
            model=self.model,
            input=list(texts),
            encoding_format="float",
            timeout=max(end - time.monotonic(), 0.01),
        )
        with asking as answer:
            for piece in answer.iter_bytes():
                body += piece
                if len(body) > most:
                    raise EmbeddingError("engine_answered_wrongly")
                if time.monotonic() > end:
                    raise TimeoutError
        return bytes(body)


def parse_vectors(answer: bytes, count: int) -> Vectors:
    """Return the vectors in an engine's response, one for each text, or raise EmbeddingError."""
    try:
        rows = json.loads(answer)["data"]
        if len(rows) < count:
            raise EmbeddingError("engine_answered_too_little")
        numbers = [row.get("index", at) for at, row in enumerate(rows)]
        listed = [row["embedding"] for row in rows]
        if sorted(numbers) != list(range(count)) or not _are_alike(listed):
            raise EmbeddingError("engine_answered_wrongly")
        with np.errstate(over="ignore"):
            vectors = np.array(listed, dtype=np.float32)[np.argsort(numbers)]
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        RecursionError,
        OverflowError,
    ) as error:
        raise EmbeddingError("engine_answered_wrongly") from error
    if not np.isfinite(vectors).all():
        raise EmbeddingError("engine_answered_wrongly")
    return vectors


def _are_alike(rows: Sequence[Any]) -> bool:
    """Return whether they are lists of numbers, of one length."""
    if any(type(row) is not list for row in rows):
        return False
    are_numbers = all(type(each) in (int, float) for row in rows for each in row)
    return are_numbers and len(rows[0]) > 0 and len({len(row) for row in rows}) == 1
