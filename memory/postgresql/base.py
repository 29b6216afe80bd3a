"""Django's PostgreSQL backend, in which each statement carries the scope of its context.

`SET LOCAL throughline.person = '…'; SELECT …` is one message of the simple protocol, which Django
uses anyway. In autocommit both are one implicit transaction. So the scope never outlives the
statement or its transaction. It doesn't leak over a pooled connection, even in PgBouncer's
transaction mode, and savepoints and rollbacks can't undo it. It costs no round trip. The
alternatives cost one for each transaction, or leave the scope in the connection.

A statement that isn't in SCOPED carries nothing, and its session's own scope is nobody. A named
cursor, which is declared by a message of the other protocol, has the scope set in its transaction.
"""

from collections.abc import Iterable
from contextlib import nullcontext
from typing import Any, ClassVar

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError
from django.db.backends.postgresql import base, client

from memory.postgresql import scope

SETTING = "throughline.person"
SET = f"SET LOCAL {SETTING} = '%s'; "
SCOPED = (
    *(b"SELECT", b"INSERT", b"UPDATE", b"DELETE", b"WITH", b"EXPLAIN", b"VALUES", b"MERGE"),
    b"(SELECT",
)
LONGEST = max(map(len, SCOPED))
# Whether row-level security doesn't hold for the role.
BYPASSES = """
SELECT rolsuper OR rolbypassrls OR EXISTS (
    SELECT FROM pg_class
    WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
    AND pg_has_role(current_user, relowner, 'USAGE')
) FROM pg_roles WHERE rolname = current_user
"""
REFUSAL = (
    "The role of {variable} owns tables, is a superuser or bypasses row-level security. Name "
    "another role, or remove DATABASE_OWNER_URL."
)
VARIABLES = {"default": "DATABASE_URL", "keys": "KEYS_DATABASE_URL"}
CursorBase: Any = base.Cursor
NamedCursorBase: Any = base.ServerSideCursor


class UnfitRole(ImproperlyConfigured, CommandError):
    """Row-level security doesn't hold for the role of the application."""


class ScopedCursor(CursorBase):  # type: ignore[misc]
    """A cursor that sends the scope before each statement that reads or writes rows."""

    _is_scoped = False

    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        super().execute(query, params, **options)
        if self._is_scoped:  # the first result is that of SET
            self.nextset()
        return self

    def _execute_send(self, query: Any, **options: Any) -> None:
        """Send the query; psycopg's cache and Django's log keep its own text."""
        takes_one = self._conn._pipeline or options.get("force_extended")
        begun = query.query.lstrip()[:LONGEST].upper()
        self._is_scoped = not takes_one and begun.startswith(SCOPED)
        if self._is_scoped:
            self._query = query
            self._pgconn.send_query((SET % scope.get()).encode() + query.query)
        else:
            super()._execute_send(query, **options)

    def executemany(self, query: Any, params_seq: Iterable[Any], **options: Any) -> None:
        if not self.connection.autocommit:  # psycopg's pipeline takes one statement a message
            super().execute(SET % scope.get())
            super().executemany(query, params_seq, **options)
            return
        for params in params_seq:
            self.execute(query, params)


class ScopedNamedCursor(NamedCursorBase):  # type: ignore[misc]
    """A server-side cursor that finds its rows, now or at a later fetch, under the scope."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        is_alone = self.connection.autocommit  # then all rows are found as it commits
        with self.connection.transaction() if is_alone else nullcontext():
            self.connection.execute(SET % scope.get())
            return super().execute(query, params, **options)

    def fetchmany(self, size: int = 0) -> Any:
        if not self.withhold:
            self.connection.execute(SET % scope.get())
        return super().fetchmany(size)


class DatabaseClient(client.DatabaseClient):
    """psql, under the scope of the command that starts it."""

    @classmethod
    def settings_to_cmd_args_env(cls, settings_dict: Any, parameters: Any) -> Any:
        arguments, environment = super().settings_to_cmd_args_env(settings_dict, parameters)
        return arguments, {**(environment or {}), "PGOPTIONS": f"-c {SETTING}={scope.get()}"}


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose role is subject to row-level security; raises UnfitRole otherwise."""

    client_class = DatabaseClient
    _fit: ClassVar[set[str]] = set()  # aliases, checked once in each process

    def get_connection_params(self) -> dict[str, Any]:
        return {**super().get_connection_params(), "cursor_factory": ScopedCursor}

    def create_cursor(self, name: str | None = None) -> Any:
        if not name:
            return super().create_cursor()
        is_alone = self.connection.autocommit
        return ScopedNamedCursor(self.connection, name, scrollable=False, withhold=is_alone)

    def connect(self) -> None:
        super().connect()
        if self.alias not in self._fit:
            with self.cursor() as cursor:
                cursor.execute(BYPASSES)
                (bypasses,) = cursor.fetchone()
            if bypasses:
                self.close()
                raise UnfitRole(REFUSAL.format(variable=VARIABLES.get(self.alias, self.alias)))
            self._fit.add(self.alias)
