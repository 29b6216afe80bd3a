"""Django's SQLite backend with fair turns: who begins to write waits in line with all the others.

A transaction has its turn from BEGIN to its end, a single statement that writes for itself alone.
"""

import sqlite3
from collections.abc import Callable
from typing import Any, TypeVar

from django.db.backends.sqlite3 import base

from memory.sqlite.turns import NoTurn, WriteLine, WriteTurn

R = TypeVar("R")
WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose writes wait for their turn."""

    _turn: WriteTurn | None = None

    @property
    def _line(self) -> WriteLine | None:
        """The line of this database's file; what lies in memory has none."""
        name = str(self.settings_dict["NAME"])
        return None if self.is_in_memory_db() or name.startswith("file:") else WriteLine.of(name)

    def _take_turn(self) -> WriteTurn | None:
        line = self._line
        try:
            return line.turn() if line else None
        except NoTurn:
            # As SQLite says it, which may be told apart from what is wrong with a row.
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            with self.wrap_database_errors:
                raise error from None
        except OSError:  # no room, or no right: SQLite says so itself
            return None

    def _give_turn(self) -> None:
        turn, self._turn = self._turn, None
        if turn:
            turn.give()

    def _start_transaction_under_autocommit(self) -> None:
        self._turn = self._take_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._give_turn()
            raise

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc] # if this fails, it is rolled back
        self._give_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._give_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._give_turn()

    def create_cursor(self, name: str | None = None) -> "WaitingCursor":
        def make(connection: sqlite3.Connection) -> WaitingCursor:
            cursor = WaitingCursor(connection)
            cursor.alone = self._alone
            return cursor

        made: WaitingCursor = self.connection.cursor(factory=make)
        return made

    def _alone(self, query: str, run: Callable[[], R]) -> R:
        """Run a statement; one that writes outside of a transaction has a turn of its own."""
        if self.connection.in_transaction or not query.lstrip().upper().startswith(WRITES):
            return run()
        turn = self._take_turn()
        try:
            return run()
        finally:
            if turn:
                turn.give()


class WaitingCursor(base.SQLiteCursorWrapper):
    """A cursor that lets its connection say when a statement may run."""

    alone: Callable[[str, Callable[[], Any]], Any]

    def execute(self, query: str, params: Any = None) -> Any:
        return self.alone(query, lambda: super(WaitingCursor, self).execute(query, params))

    def executemany(self, query: str, param_list: Any) -> Any:
        return self.alone(query, lambda: super(WaitingCursor, self).executemany(query, param_list))
