"""Whether the databases answer: each is asked for nothing, every second, by a thread of its own.

A server that is frozen refuses nothing, so whoever asks it waits. What merely takes its time looks
the same from outside; but then another question is answered meanwhile. Of SQLite nobody asks: no
server is there that could be frozen.
"""

import logging
import threading
import time

from django.db import connections

from memory.errors import described

log = logging.getLogger(__name__)

EVERY_SECONDS = 1.0
SILENT_SECONDS = 5.0


class SilenceWatch:
    """Asks, and knows since when no answer has come."""

    def __init__(self) -> None:
        self._stopping = threading.Event()
        self._waiting_since: dict[str, float] = {}

    def start(self) -> None:
        for alias in connections:
            if connections[alias].vendor != "sqlite":
                asking = threading.Thread(target=self._ask, args=[alias], daemon=True)
                asking.start()

    def stop(self) -> None:
        self._stopping.set()

    def hears_nothing(self) -> bool:
        """Return whether a database has been silent for so long that it is not merely slow."""
        late = time.monotonic() - SILENT_SECONDS
        return any(since < late for since in list(self._waiting_since.values()))

    def _ask(self, alias: str) -> None:
        connection = connections[alias]  # this thread's own, and kept: no pool makes it wait
        while not self._stopping.wait(EVERY_SECONDS):
            self._waiting_since[alias] = time.monotonic()
            try:
                with connection.cursor() as cursor:
                    cursor.execute("SELECT 1")
            except Exception as error:  # noqa: BLE001 - it is away, which each request hears itself
                log.warning("database_not_heard", extra={"database": alias, **described(error)})
                connection.close()
            del self._waiting_since[alias]
        connection.close()


databases = SilenceWatch()
