"""Heartbeat of a web process: it lives for as long as its event loop answers.

A thread of its own writes the process's row (memory.conversations.liveness). A loop that hasn't
moved for STUCK_SECONDS won't any more: the row is left to lapse, and the process ends itself.
"""

import asyncio
import logging
import os
import threading
import time
from contextlib import suppress
from uuid import UUID

from django.conf import settings
from django.db import connections

from memory.conversations import liveness
from memory.errors import describe_error
from memory.postgresql import scope

log = logging.getLogger(__name__)

STUCK_SECONDS = 60.0
PULSE_SECONDS = 1.0
# Beats within a lease: one or two slow writes must not end it.
BEATS_A_LEASE = 6
# Environment variables that the supervisor sets for the process that it starts.
PROCESS, PROCESS_BEFORE = "PROCESS", "PROCESS_BEFORE"


class Heartbeat:
    """Beats in a thread while the event loop has a pulse."""

    def __init__(self) -> None:
        self._stopping = threading.Event()
        self._moved = time.monotonic()
        self._pulse: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    async def start(self) -> None:
        """Register this process as one that answers, in place of the one before it."""
        await asyncio.to_thread(_begin)
        self._pulse = asyncio.create_task(self._keep_moving())
        self._thread.start()

    async def stop(self) -> None:
        """Stop beating, and release the open attempts to other processes."""
        self._stopping.set()
        if self._pulse:
            self._pulse.cancel()
        await asyncio.to_thread(self._thread.join, 5)
        await asyncio.to_thread(_end)

    async def _keep_moving(self) -> None:
        while True:
            self._moved = time.monotonic()
            await asyncio.sleep(PULSE_SECONDS)

    def _beat(self) -> None:
        scope.begin_installation(scope.Purpose.UPKEEP)
        looks = 0
        while not self._stopping.wait(settings.ANSWER_LEASE / BEATS_A_LEASE):
            is_stuck = time.monotonic() - self._moved > STUCK_SECONDS
            # A process that was frozen, with all its threads, has a lease's time to move again.
            looks = looks + 1 if is_stuck else 0
            if looks > BEATS_A_LEASE:
                end_process()
            if is_stuck:
                continue
            try:
                liveness.beat()  # over a connection that the thread keeps: no pool makes it wait
            except Exception as error:  # noqa: BLE001 - the database may be there the next time
                log.warning("beat_failed", extra=describe_error(error))
                connections.close_all()
        connections.close_all()


def end_process() -> None:
    """End this process in a way that nothing can keep it from, as the first of a container too."""
    # Logged separately: the loop may hang in the log.
    saying = threading.Thread(target=log.error, args=["event_loop_hangs"], daemon=True)
    saying.start()
    saying.join(1)
    os._exit(os.EX_SOFTWARE)


def _begin() -> None:
    try:
        liveness.declare_dead(_read_identity(PROCESS_BEFORE))
        liveness.begin(_read_identity(PROCESS))
    finally:
        connections.close_all()


def _end() -> None:
    with suppress(Exception):  # the row lapses by itself
        liveness.end()
    connections.close_all()


def _read_identity(variable: str) -> UUID | None:
    value = os.environ.get(variable)
    return UUID(value) if value else None
