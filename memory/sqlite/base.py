"""Django's SQLite backend: `patience` limits a transaction's wait for the write lock."""

from django.db.backends.sqlite3 import base

from memory.sqlite.patience import REQUEST_SECONDS, busy_seconds


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that sets its busy time-out when a transaction begins."""

    _busy_seconds = REQUEST_SECONDS

    def get_new_connection(self, conn_params: dict[str, object]) -> object:
        self._busy_seconds = REQUEST_SECONDS
        return super().get_new_connection(conn_params | {"timeout": REQUEST_SECONDS})

    def _start_transaction_under_autocommit(self) -> None:
        """Begin a transaction, and close the cursor even after a timeout.

        A failed statement stays with its cursor, which lives in the error's traceback. Collecting
        it waits for its connection, perhaps in a thread that has the lock the connection awaits.
        """
        with self.cursor() as cursor:
            if (seconds := busy_seconds.get()) != self._busy_seconds:
                cursor.execute(f"PRAGMA busy_timeout = {round(1000 * seconds)}")
                self._busy_seconds = seconds
            cursor.execute(f"BEGIN {self.transaction_mode or ''}")  # type: ignore[attr-defined]
