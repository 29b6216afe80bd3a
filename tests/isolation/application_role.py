"""The database as the application has it where PostgreSQL keeps people's rows apart."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any, ClassVar

from django.db import connections

from memory.personal_data import row_security
from memory.postgresql import base
from memory.postgresql.roles import make_owner_connection

ROLE = "application_of_tests"
MOST_CONNECTIONS = 4


class PooledWrapper(base.DatabaseWrapper):
    """A connection of the restricted role, out of a pool that these tests have to themselves."""

    _connection_pools: ClassVar[dict[str, Any]] = {}
    _fit: ClassVar[set[str]] = set()


def create_role() -> None:
    """Create the role and give it the rights that the application has, as the owner."""
    for alias in connections:
        with closing(make_owner_connection(connections[alias])) as owner, owner.cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE])
            if not cursor.fetchone():
                cursor.execute(f"CREATE ROLE {ROLE} LOGIN")
            row_security._grant(cursor, ROLE)


@contextmanager
def connect_as_application() -> Iterator[None]:
    """Connect to both databases as the restricted role, in this thread."""
    before = {alias: connections[alias] for alias in connections}
    for alias, connection in before.items():
        pool = {"min_size": 0, "max_size": MOST_CONNECTIONS, "timeout": 60}
        options = {**connection.settings_dict["OPTIONS"], "pool": pool}
        given = {"USER": ROLE, "PASSWORD": "", "OPTIONS": options, "CONN_MAX_AGE": 0}
        connections[alias] = PooledWrapper(connection.settings_dict | given, alias)
    try:
        yield
    finally:
        for alias, connection in before.items():
            connections[alias].close()
            connections[alias] = connection


def close_pools() -> None:
    """Close the pools: PostgreSQL drops no database that somebody is in."""
    for pool in PooledWrapper._connection_pools.values():
        pool.close()
    PooledWrapper._connection_pools.clear()
    PooledWrapper._fit.clear()
