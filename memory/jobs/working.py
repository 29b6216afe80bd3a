"""A worker: runs due jobs, polls for more, and starts periodic work in between.

It needs only the database, and waits while the database is down.
"""

import logging
import signal
import time
from collections.abc import Callable
from types import FrameType

from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections

from memory.errors import describe_error
from memory.jobs import signs
from memory.jobs.queue import run_due
from memory.outages import get_uptime

log = logging.getLogger(__name__)

# One poll is one query by an index: .4 ms.
POLL_SECONDS = 0.25
RETRY_SECONDS = 1.0


class Worker:
    """Works until SIGTERM or SIGINT, and ends after its current job.

    Every JOB_SWEEP_INTERVAL it calls `look`, for work that no job starts.
    """

    def __init__(self, look: Callable[[], object]) -> None:
        self._look = look
        self._next_look = 0.0
        self._is_stopping = False

    def work(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        while not self._is_stopping:
            signs.show()
            close_old_connections()
            try:
                self._step()
            except (DatabaseError, InterfaceError) as error:
                log.warning("worker_waits_for_database", extra=describe_error(error))
                self._wait(RETRY_SECONDS)

    def _step(self) -> None:
        if time.monotonic() >= self._next_look:
            self._next_look = time.monotonic() + settings.JOB_SWEEP_INTERVAL
            self._look()
        if not run_due(limit=1):
            self._wait(POLL_SECONDS)

    def _wait(self, seconds: float) -> None:
        begun = get_uptime()
        time.sleep(seconds)
        if get_uptime() - begun > seconds + settings.ANSWER_LEASE / 2:
            # The whole machine slept: other processes get time for a heartbeat first.
            self._next_look = time.monotonic() + settings.JOB_SWEEP_INTERVAL

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._is_stopping = True
