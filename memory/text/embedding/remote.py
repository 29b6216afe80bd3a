"""Any OpenAI-compatible `/embeddings`."""

from collections.abc import Sequence

import numpy as np

from memory.text.embedding.vectors import EmbeddingError, Vectors, unit


class Remote:
    """An engine that somebody else runs."""

    # What is common to them; nobody tells it of each.
    most = 230
    spread = 1.0

    def __init__(self, base_url: str, model: str, api_key: str) -> None:
        from openai import OpenAI  # noqa: PLC0415 - most have no remote engine

        self.model = model
        self._client = OpenAI(
            base_url=base_url, api_key=api_key or "none", timeout=10, max_retries=1
        )

    def count(self, text: str) -> int:
        """Count as tiktoken does: few vocabularies cut a text into more pieces."""
        from memory.text.token_counting import count_tokens  # noqa: PLC0415

        return count_tokens(text)

    def embed(self, texts: Sequence[str]) -> Vectors:
        from openai import OpenAIError  # noqa: PLC0415

        try:
            answer = self._client.embeddings.create(
                model=self.model, input=list(texts), encoding_format="float"
            )
        except OpenAIError as error:
            raise EmbeddingError("engine_unavailable") from error
        if len(answer.data) != len(texts):
            raise EmbeddingError("engine_answered_too_little")
        rows = sorted(answer.data, key=lambda row: row.index)
        return unit(np.array([row.embedding for row in rows], dtype=np.float32))

    embed_queries = embed

    def apart_from_language(self, vector: Vectors) -> Vectors:
        return vector
