"""Scrubbing: what the databases keep of deleted rows is overwritten or dropped.

A DELETE leaves the bytes. SQLite keeps them in free pages and in the write-ahead log, PostgreSQL in
dead rows, in its planner's statistics and in its log. SQLite is rewritten whole (VACUUM), its log
cut. In PostgreSQL the tables that hold rows of people are rewritten and analysed anew. Then the log
moves on to another segment, and a checkpoint drops the older ones. That takes a superuser, or the
grants that docs/erasure.md names. Steps that are not permitted are reported.
"""

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.apps import apps
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.utils import Error, OperationalError

from memory.jobs import Pulse
from memory.models import ErasureRequest
from memory.personal_data.data_map import get_handling
from memory.postgresql.roles import make_owner_connection

# Longest wait for writers and readers of old states, in seconds.
PATIENCE = 15
# Segments of PostgreSQL's log beyond the current one: old ones, under new names.
SET_ASIDE = (
    "SELECT count(*) FROM pg_ls_waldir() "
    "WHERE length(name) = 24 AND name > pg_walfile_name(pg_current_wal_lsn())"
)


class Busy(Exception):
    """Someone else uses the database, whose name is the message: it can't be scrubbed now."""


def scrub(pulse: Pulse = lambda: None, *, tables: Collection[str] | None = None) -> list[str]:
    """Scrub both databases; return a code for each step. Raises Busy: try again later.

    With `tables`, only these are rewritten on PostgreSQL; otherwise all with rows of people.
    """
    done: list[str] = []
    for alias in connections:
        pulse()
        connection = connections[alias]
        if connection.vendor == "sqlite":
            done += _scrub_sqlite(alias, Path(str(connection.settings_dict["NAME"])))
        else:
            present = set(connection.introspection.table_names())
            chosen = [table for table in tables or _list_personal_tables() if table in present]
            done += _scrub_postgresql(alias, connection, chosen, pulse)
    return done


# --- SQLite ---------------------------------------------------------------------------------------


def _scrub_sqlite(alias: str, file: Path) -> list[str]:
    # A separate connection: Django's may be in a transaction, in which nothing can be rewritten.
    with closing(sqlite3.connect(file, timeout=PATIENCE, isolation_level=None)) as database:
        # The copy of the whole database is made on disk, not in memory.
        database.execute("PRAGMA temp_store = FILE")
        try:
            database.execute("VACUUM")
            blocked, _pages, _moved = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError as error:
            raise Busy(alias) from error
        if blocked:
            raise Busy(alias)
    return [f"{alias}:vacuum", f"{alias}:log_truncated"]


# --- PostgreSQL -----------------------------------------------------------------------------------


def _scrub_postgresql(
    alias: str, connection: BaseDatabaseWrapper, tables: list[str], pulse: Pulse
) -> list[str]:
    with _cursor_of_its_own(connection) as cursor:
        cursor.execute(f"SET lock_timeout = '{PATIENCE}s'")
        try:
            for table in tables:
                pulse()
                cursor.execute(f"VACUUM (FULL, ANALYZE) {connection.ops.quote_name(table)}")
        except OperationalError as error:
            raise Busy(alias) from error
        done = [f"{alias}:vacuum"]
        done += [f"{alias}:statistics"] if _may(cursor, "VACUUM (FULL) pg_statistic") else []
        return done + [f"{alias}:{what}" for what in _turn_log_over(cursor)]


@contextmanager
def _cursor_of_its_own(connection: BaseDatabaseWrapper) -> Iterator[CursorWrapper]:
    """Open a connection outside of any transaction of this thread, and of the pool."""
    apart = make_owner_connection(connection)
    try:
        with apart.cursor() as cursor:
            yield cursor
    finally:
        apart.close()


def list_all_tables() -> list[str]:
    """Return the tables of both databases, including those without rows of people."""
    found = (connections[alias].introspection.table_names() for alias in connections)
    return sorted({table for tables in found for table in tables})


def _list_personal_tables() -> list[str]:
    """Return the tables that have had rows of people."""
    personal = [
        model._meta.db_table
        for model in apps.get_models(include_auto_created=True)
        if (handling := get_handling(model)) and (handling.person or handling.goes)
    ]
    return [*personal, ErasureRequest._meta.db_table]


def _turn_log_over(cursor: CursorWrapper) -> list[str]:
    """Have the log's segments removed instead of recycled with their content."""
    removing = _may(cursor, "ALTER SYSTEM SET wal_recycle = off") and _may(
        cursor, "SELECT pg_reload_conf()"
    )
    try:
        turned = _may(cursor, "CHECKPOINT") and _switch_log_segment(cursor)
        # Segments recycled before the setting took effect are used up.
        waiting = turned and removing and _may(cursor, SET_ASIDE)
        for _round in range(int(cursor.fetchone()[0]) if waiting else 0):
            turned = turned and _switch_log_segment(cursor)
    finally:
        if removing:
            _may(cursor, "ALTER SYSTEM RESET wal_recycle")
            _may(cursor, "SELECT pg_reload_conf()")
    return ["log_turned_over"] if turned and removing else ["log_left_to_time"]


def _switch_log_segment(cursor: CursorWrapper) -> bool:
    """Switch the log to another segment, and have older ones removed."""
    return _may(cursor, "SELECT pg_switch_wal()") and _may(cursor, "CHECKPOINT")


def _may(cursor: CursorWrapper, statement: str) -> bool:
    """Execute the statement; return whether the role may."""
    try:
        cursor.execute(statement)
    except Error:
        return False
    return True
