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
PAUSE = 2.0  # seconds for the statements queued behind it
LOCK_NOT_AVAILABLE, DEADLOCK = "55P03", "40P01"


def migrate_patiently(
    alias: str, migrate: Callable[[], object], *, say: Callable[[str], object]
) -> None:
    """Migrate, and retry after a lock timeout: each migration is atomic."""
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
    if connection.vendor != "postgresql":  # SQLite has one lock, with a timeout of its own
        yield
        return
    _set(connection, settings.MIGRATION_LOCK_TIMEOUT)
    try:
        with connection.execute_wrapper(_wait_without_limit):
            yield
    finally:
        with suppress(DatabaseError):  # a lost connection
            connection.cursor().execute("RESET lock_timeout")


def _wait_without_limit(execute: Callable[..., Any], sql: Any, *rest: Any) -> Any:
    """Let concurrent indexes wait for old transactions: an interrupted one would stay invalid."""
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
