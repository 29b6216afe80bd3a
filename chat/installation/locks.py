"""Migrations on a busy PostgreSQL.

A statement that waits for a lock blocks everyone behind it. So it waits for some seconds only, and
the migration is tried again.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.conf import settings
from django.db import DatabaseError, OperationalError, connections

ATTEMPTS = 12
PAUSE = 2.0  # seconds in which those who waited behind it get on
LOCK_NOT_AVAILABLE, DEADLOCK = "55P03", "40P01"


def migrate_patiently(
    alias: str, migrate: Callable[[], object], *, say: Callable[[str], object]
) -> None:
    """Migrate, and go on where a lock wasn't to be had: each migration is whole or not at all."""
    for left in reversed(range(ATTEMPTS)):
        try:
            with _waiting_briefly(alias):
                migrate()
            return
        except OperationalError as error:
            state = getattr(error.__cause__, "sqlstate", None)
            if not left or state not in (LOCK_NOT_AVAILABLE, DEADLOCK):
                raise
            say("Someone else holds a table; trying again.")
            time.sleep(PAUSE)


@contextmanager
def _waiting_briefly(alias: str) -> Iterator[None]:
    connection = connections[alias]
    if connection.vendor != "postgresql":  # SQLite has one lock, and its own time for it
        yield
        return
    _set(connection, settings.MIGRATION_LOCK_TIMEOUT)
    try:
        with connection.execute_wrapper(_wait_without_limit):
            yield
    finally:
        with suppress(DatabaseError):  # of a connection that is gone
            connection.cursor().execute("RESET lock_timeout")


def _wait_without_limit(execute: Callable[..., Any], sql: Any, *rest: Any) -> Any:
    """Let a concurrent index wait for old transactions: broken off, an invalid one would stay."""
    context = rest[-1]
    if "CONCURRENTLY" not in str(sql).upper():
        return execute(sql, *rest)
    _set(context["connection"], 0)
    try:
        return execute(sql, *rest)
    finally:
        _set(context["connection"], settings.MIGRATION_LOCK_TIMEOUT)


def _set(connection: Any, seconds: float) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = {round(seconds * 1000)}")
