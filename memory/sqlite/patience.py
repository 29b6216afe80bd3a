"""The longest wait of a transaction for SQLite's write lock."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar

# A request's wait: its client can retry. The other is for accepted work, which can't be refused.
REQUEST_SECONDS, PROMISED_SECONDS = 8.0, 120.0

busy_seconds: ContextVar[float] = ContextVar("busy_seconds", default=REQUEST_SECONDS)


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Let transactions that begin inside wait this long for the write lock."""
    token = busy_seconds.set(seconds)
    try:
        yield
    finally:
        busy_seconds.reset(token)


def long_patience() -> AbstractContextManager[None]:
    """Let transactions wait long, as for an answer to an accepted question."""
    return patience(PROMISED_SECONDS)
