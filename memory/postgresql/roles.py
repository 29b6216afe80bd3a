"""The two roles of an installation with row-level security: the owner and the application.

DATABASE_URL names the application's role. DATABASE_OWNER_URL names the role that owns the tables of
both databases. Commands that change, copy or rewrite whole tables connect with it.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.postgresql import base


@contextmanager
def connect_owner(*aliases: str) -> Iterator[None]:
    """Connect to the databases as their owner, in this thread, where there are two roles."""
    with ExitStack() as stack:
        for alias in aliases or tuple(connections):
            if settings.DATABASE_OWNER and connections[alias].vendor == "postgresql":
                stack.enter_context(_replaced(alias))
        yield


@contextmanager
def _replaced(alias: str) -> Iterator[None]:
    connection: Any = connections[alias]
    connection.close()
    connections[alias] = make_owner_connection(connection)
    try:
        yield
    finally:
        connections[alias].close()
        connections[alias] = connection


def make_owner_connection(connection: BaseDatabaseWrapper) -> BaseDatabaseWrapper:
    """Return another connection to the database, of its owner and outside of any pool."""
    options = {**connection.settings_dict["OPTIONS"]}
    options.pop("pool", None)
    given = connection.settings_dict | settings.DATABASE_OWNER | {"OPTIONS": options}
    return base.DatabaseWrapper(given, connection.alias)
