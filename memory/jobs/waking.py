"""Waking: a worker looks again as soon as there is a new job, and nobody waits for telling it.

PostgreSQL tells those who listen, when the transaction commits: by a trigger, so that it costs a
turn no statement. SQLite knows itself whether another process has written: asking it takes some
microseconds. What is missed all the same, as behind a pooler that doesn't pass on what is told, is
found by the sweep.
"""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.apps import AppConfig
from django.db import DatabaseError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.signals import post_migrate

from memory.errors import described
from memory.models.jobs import Job

log = logging.getLogger(__name__)

CHANNEL = "throughline_jobs"
TRIGGER = "memory_job_wakes"
FUNCTION = f"""
CREATE OR REPLACE FUNCTION {TRIGGER}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NOTIFY {CHANNEL}; RETURN NULL; END $$
"""
LOOK = 0.1  # seconds between two looks whether another process has written
# Seconds until a connection that listens is opened again.
REOPEN = 1.0
# Waits until there may be something new to do, at most so many seconds.
Wait = Callable[[float], None]


def keep_telling() -> None:
    """Keep the trigger in place from now on."""
    post_migrate.connect(_install, dispatch_uid="waking")


def _install(app_config: AppConfig, using: str, **event: Any) -> None:
    connection, table = connections[using], Job._meta.db_table
    if connection.vendor != "postgresql" or app_config.label != Job._meta.app_label:
        return
    with connection.cursor() as cursor:
        if table not in connection.introspection.table_names(cursor):
            return
        cursor.execute(
            "SELECT 1 FROM pg_trigger WHERE tgrelid = %s::regclass AND tgname = %s",
            [table, TRIGGER],
        )
        if cursor.fetchone() is None:
            cursor.execute(FUNCTION)
            cursor.execute(
                f"CREATE TRIGGER {TRIGGER} AFTER INSERT ON {table} "
                f"FOR EACH STATEMENT EXECUTE FUNCTION {TRIGGER}()"
            )


def waiting() -> Wait:
    """Return what a worker waits by, on the database that there is."""
    return Listening().wait if connection.vendor == "postgresql" else Watching().wait


class Listening:
    """Hears of new jobs from PostgreSQL, by a connection of its own."""

    def __init__(self) -> None:
        self._own: BaseDatabaseWrapper | None = None
        self.wait(0)  # from now on

    def wait(self, seconds: float) -> None:
        try:
            if self._own is None:
                opened = connection.copy()
                with opened.cursor() as cursor:
                    cursor.execute(f"LISTEN {CHANNEL}")
                self._own = opened
            own: Any = self._own
            with own.wrap_database_errors:  # the driver's own are others
                for _ in own.connection.notifies(timeout=seconds, stop_after=1):
                    return
        except (DatabaseError, OSError) as error:
            with suppress(DatabaseError, OSError):
                if self._own is not None:
                    self._own.close()
            self._own = None
            log.warning("not_listening", extra=described(error))
            time.sleep(min(seconds, REOPEN))


class Watching:
    """Sees on SQLite whether another process has written."""

    def __init__(self) -> None:
        self._seen = self._version()

    def wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(LOOK, left))
            if self._seen != (now := self._version()):
                self._seen = now
                return

    def _version(self) -> int:
        with connection.cursor() as cursor:
            return int(cursor.execute("PRAGMA data_version").fetchone()[0])
