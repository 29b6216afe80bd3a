"""The circumstances of an act: request, address, credential; kept for the length of a request."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID


@dataclass(frozen=True)
class Circumstances:
    """The circumstances that an event records beside the act itself."""

    request: str = ""
    actor: UUID | None = None
    address: str = ""
    credential: str = ""
    on_behalf_of: UUID | None = None
    purpose: str = ""


NONE = Circumstances()
_current: ContextVar[Circumstances] = ContextVar("audit_circumstances", default=NONE)


def begin(request: str) -> None:
    """Begin a request: events of this context are recorded as parts of it."""
    _current.set(Circumstances(request=request[:40]))


def end(**_signal: Any) -> None:
    """End the request: later work of its thread is no part of it."""
    _current.set(NONE)


def note(**values: Any) -> None:
    """Add values as they become known, such as the credential."""
    _current.set(replace(_current.get(), **values))


@contextmanager
def represent(person: UUID) -> Iterator[None]:
    """Record events inside as done on behalf of the person."""
    before = _current.get()
    note(on_behalf_of=person)
    try:
        yield
    finally:
        _current.set(before)


def get() -> Circumstances:
    """Return the circumstances of this context."""
    return _current.get()
