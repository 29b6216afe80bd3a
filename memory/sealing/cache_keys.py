"""Hashed keys of the cache: its counters of guesses are named by addresses, which stay secret."""

import hashlib
import hmac
from functools import lru_cache

from django.conf import settings


def hashed(key: str, key_prefix: str, version: int) -> str:
    """Return the key for the cache: a fingerprint that hides its parts."""
    return hmac.digest(_secret(), f"{key_prefix}:{version}:{key}".encode(), "sha256").hex()


@lru_cache(maxsize=1)
def _secret() -> bytes:
    return hashlib.sha256(b"cache keys" + settings.SECRET_KEY.encode()).digest()
