"""Passing outages of databases: the errors that show one, and retries.

Such an error is independent of rows and people; a retry may succeed. Also here is the uptime, since
after a sleep of the machine all processes seem dead to the first that wakes.
"""

import errno
import random
import sqlite3
import time
from collections.abc import Callable
from functools import partial, wraps
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, connection, transaction

P = ParamSpec("P")
T = TypeVar("T")

# SQLite's codes: locked, full, or its disk or folder can't be read or written.
PASSING_OF_SQLITE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PROTOCOL,
}
# Classes of SQLSTATE: connection, rollback as of a deadlock, resources, locks, operator's
# intervention, and system; but not a statement's timeout. Also a server that has become a standby.
PASSING_OF_POSTGRESQL = {"08", "40", "53", "55", "57", "58"}
CANCELLED, READ_ONLY = "57014", "25006"
# A deadlock, a serialization failure, and SQLite's writer that read before.
CLASHES = {"40P01", "40001"}
BUSY_SNAPSHOT = 517
NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}
TRIES = 4


def is_passing(error: BaseException | None) -> bool:
    """Return whether the error is independent of the rows: the database is locked, full or down."""
    if isinstance(error, OSError):
        return error.errno in NO_SPACE
    if isinstance(error, InterfaceError):
        return True  # its connection is closed
    cause = error.__cause__ if error else None
    if code := getattr(cause, "sqlite_errorcode", None):
        return code & 0xFF in PASSING_OF_SQLITE
    state = getattr(cause, "sqlstate", None)
    if state is None:  # the connection broke, or there was none available
        return isinstance(error, OperationalError)
    passing = state[:2] in PASSING_OF_POSTGRESQL or state == READ_ONLY
    return passing and state != CANCELLED


def is_clash(error: BaseException) -> bool:
    """Return whether two transactions clashed, and this one was rolled back."""
    cause = error.__cause__
    state, code = getattr(cause, "sqlstate", None), getattr(cause, "sqlite_errorcode", None)
    return state in CLASHES or code == BUSY_SNAPSHOT


def retry_clash(act: Callable[[], T]) -> T:
    """then the whole transaction has to be repeated"""
    for left in reversed(range(TRIES)):
        try:
            return act()
        except OperationalError as error:
            inside = connection.in_atomic_block  # then all of it has to begin anew
            if not left or inside or not is_clash(error):
                raise
            time.sleep(random.uniform(0.01, 0.1))  # noqa: S311 - so that they don't meet again
    raise AssertionError


def one_transaction(act: Callable[P, T]) -> Callable[P, T]:
    """Make the act one transaction, retried after a clash; inside another it is a part."""
    whole = transaction.atomic(act)

    @wraps(act)
    def tried(*given: P.args, **named: P.kwargs) -> T:
        return retry_clash(partial(whole, *given, **named))

    return tried


def get_uptime() -> float:
    """Return the seconds since the machine started, including its sleep."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
