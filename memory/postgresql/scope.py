"""The scope of this context: the person whose rows PostgreSQL returns, or the whole installation.

The default is nobody: a thread or a task without a scope reads no rows of people. On SQLite, and
where one role does all, the scope is unused.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from uuid import UUID

NOBODY, EVERYONE = "", "*"
_current: ContextVar[str] = ContextVar("scope", default=NOBODY)


class Purpose(StrEnum):
    """Purposes that need all rows of people. tests/isolation/test_row_security.py lists them."""

    ADMIN = "pages of the admin, which show metadata"
    COMMAND = "commands of the server's operator"
    JOB = "jobs of no person: sweeps and the shared library"
    LIBRARY = "a removal from the shared library, which answers of all people cite"
    SIGN_IN = "accounts, devices and tokens before the person is known"
    UPKEEP = "health, metrics, and answers that a dead process left"


def get() -> str:
    """Return the scope: an id, EVERYONE or NOBODY."""
    return _current.get()


def begin(person: UUID | None = None) -> None:
    """Begin a request, or continue it as the person. Its context ends with it."""
    _current.set(_name(person))


def begin_installation(purpose: Purpose) -> None:
    """Let the rest of this context see the rows of all people."""
    _current.set(EVERYONE)


@contextmanager
def assume_person(person: UUID | str | None) -> Iterator[None]:
    """Select the rows of the person alone; none without a person."""
    token = _current.set(_name(person))
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def whole_installation(purpose: Purpose) -> Iterator[None]:
    """Select the rows of all people."""
    token = _current.set(EVERYONE)
    try:
        yield
    finally:
        _current.reset(token)


def _name(person: UUID | str | None) -> str:
    """Return the id in canonical form, since it becomes part of SQL; raises ValueError."""
    return str(UUID(str(person))) if person else NOBODY
