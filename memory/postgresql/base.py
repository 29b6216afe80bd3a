"""Django's PostgreSQL backend, in which each statement carries the scope of its context.

`SET LOCAL throughline.person = '…'; SELECT …` is one message of the simple protocol, which Django
uses anyway. In autocommit both are one implicit transaction. So the scope never outlives the
statement or its transaction: nothing leaks over a pooled connection, PgBouncer's transaction mode
included, and there is nothing to remember that a savepoint or a rollback would undo. It costs no
round trip. The alternatives cost one for each transaction, or leave the scope in the connection.

A statement that isn't in SCOPED carries nothing, and its session's own scope is nobody. Named
cursors are off (DISABLE_SERVER_SIDE_CURSORS): a fetch would come without the scope.
"""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError
from django.db.backends.postgresql import base
from psycopg.sql import Composable

from memory.postgresql import scope

SETTING = "throughline.person"
SET = f"SET LOCAL {SETTING} = '%s'; "
SCOPED = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "EXPLAIN", "VALUES", "MERGE", "(SELECT")
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


class UnfitRole(ImproperlyConfigured, CommandError):
    """Row-level security doesn't hold for the role of the application."""


class ScopedCursor(CursorBase):  # type: ignore[misc]
    """A cursor that sends the scope in front of each statement that reads or writes rows."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        text = query.as_string(self.connection) if isinstance(query, Composable) else query
        if not text.lstrip().upper().startswith(SCOPED):
            return super().execute(query, params, **options)
        super().execute(f"{SET % scope.get()}{text}", params, **options)
        self.nextset()
        return self

    def executemany(self, query: Any, params_seq: Iterable[Any], **options: Any) -> None:
        if not self.connection.autocommit:  # psycopg's pipeline takes one statement a message
            super().execute(SET % scope.get())
            super().executemany(query, params_seq, **options)
            return
        for params in params_seq:
            self.execute(query, params)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection of a role that row-level security holds for; raises UnfitRole for another."""

    _fit: ClassVar[set[str]] = set()  # aliases, looked at once in each process

    def get_connection_params(self) -> dict[str, Any]:
        return {**super().get_connection_params(), "cursor_factory": ScopedCursor}

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
