"""A worker: does what is due, waits until there is more, and looks at the clock in between.

It needs the database and nothing else. A broker, a message or another worker that is away keeps it
from nothing; a database that is away it waits for.
"""

import logging
import signal
import time
from collections.abc import Callable
from types import FrameType

from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections

from memory.errors import described
from memory.jobs import signs
from memory.jobs.queue import run_due
from memory.jobs.waking import Wait
from memory.outages import uptime

log = logging.getLogger(__name__)

# Seconds between two tries while the database is away.
PATIENCE = 1.0


class _Asked(BaseException):
    """It was asked to stop while it waited."""


class Worker:
    """Works until it is asked to stop, which it does behind the job that it is at.

    Every JOB_SWEEP_INTERVAL it does `look`: what no row of a job asks for.
    """

    def __init__(self, wait: Wait, look: Callable[[], object]) -> None:
        self._wait, self._look = wait, look
        self._next_look = 0.0
        self._is_waiting = self._is_asked = False

    def work(self) -> None:
        """Work; SIGTERM and SIGINT end it."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        while not self._is_asked:
            signs.show()
            close_old_connections()
            try:
                self._step()
            except (DatabaseError, InterfaceError) as error:
                log.warning("worker_waits_for_database", extra=described(error))
                self._wait_at_most(PATIENCE, time.sleep)

    def _step(self) -> None:
        if time.monotonic() >= self._next_look:
            self._next_look = time.monotonic() + settings.JOB_SWEEP_INTERVAL
            self._look()
        if not run_due(limit=1):
            self._wait_at_most(self._next_look - time.monotonic(), self._wait)

    def _wait_at_most(self, seconds: float, wait: Wait) -> None:
        begun = uptime()
        try:
            self._is_waiting = True
            if not self._is_asked and seconds > 0:
                wait(seconds)
        except _Asked:
            pass
        finally:
            self._is_waiting = False
        if uptime() - begun > seconds + settings.ANSWER_LEASE / 2:
            # All of the machine slept: let the others say first that they live.
            self._next_look = time.monotonic() + settings.JOB_SWEEP_INTERVAL

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._is_asked = True
        if self._is_waiting:
            raise _Asked
