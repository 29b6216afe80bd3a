"""What the answers of this process have written goes to their rows together, when it has grown.

So readers in other processes are at most half a second behind, and an answer that says nothing
costs no write. At the same beat each answer is asked whether it is to stop, or is lost.
"""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import Context
from uuid import UUID
from weakref import WeakKeyDictionary

from chat.database_threads import for_all, in_database, in_this_thread
from chat.turns.live import Live
from chat.turns.writing import Stopped
from memory.conversations.attempts import LostAttempt
from memory.conversations.checkpoints import Grown, standing, store
from memory.errors import described
from memory.sealing import UnsealError
from memory.sqlite.turns import long_patience

log = logging.getLogger(__name__)

CHECKPOINT_SECONDS = 0.4
AFTER_FAILURE_SECONDS = 2.0


class _Checkpoints:
    """Of one event loop."""

    def __init__(self) -> None:
        self._lives: dict[UUID, Live] = {}
        # The number and length of what is stored of each.
        self._stored: dict[UUID, tuple[int, int]] = {}
        self._task: asyncio.Task[None] | None = None

    def add(self, live: Live) -> None:
        self._lives[live.row.pk] = live
        if self._task is None or self._task.done():
            context = Context()  # of no request
            context.run(in_this_thread.set, in_this_thread.get())
            self._task = asyncio.get_running_loop().create_task(self._run(), context=context)

    def remove(self, live: Live) -> None:
        self._lives.pop(live.row.pk, None)
        self._stored.pop(live.row.pk, None)
        if not self._lives and self._task:
            self._task.cancel()
            self._task = None

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(CHECKPOINT_SECONDS)
            try:
                with long_patience():
                    await self._once()
            except Exception as error:  # noqa: BLE001 - the next time it may be there again
                log.error("checkpoint_raised", extra=described(error))
                await asyncio.sleep(AFTER_FAILURE_SECONDS)

    async def _once(self) -> None:
        lives = list(self._lives.values())
        told = await for_all(standing, [live.row for live in lives])
        for live in lives:
            if live.row.pk not in told:
                live.halt(LostAttempt())
            elif told[live.row.pk]:
                live.halt(Stopped())
            elif live.noting and live.opened_at < live.now() - CHECKPOINT_SECONDS:
                await self._note(live)
        if grown := [self._grown(live) for live in lives if self._has_grown(live)]:
            stored = await for_all(store, grown)
            self._stored |= {
                each.attempt.pk: (each.number, len(each.text))
                for each in grown
                if each.attempt.pk in stored and each.attempt.pk in self._lives
            }

    async def _note(self, live: Live) -> None:
        """Note what the answer opens with, and may be built on, before any of its text."""
        try:
            await in_database(live.note)
        except (LostAttempt, UnsealError):
            live.halt(LostAttempt())

    def _has_grown(self, live: Live) -> bool:
        known = self._stored.get(live.row.pk, (live.attempt, 0))
        return not (live.noting or live.halted.done()) and known != (live.attempt, len(live.text))

    @staticmethod
    def _grown(live: Live) -> Grown:
        return Grown(live.row, live.attempt, live.text)


_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _Checkpoints] = WeakKeyDictionary()


@contextmanager
def checkpointed(live: Live) -> Iterator[None]:
    """Keep the answer's row up to date until it has ended."""
    checkpoints = _of_loops.setdefault(asyncio.get_running_loop(), _Checkpoints())
    checkpoints.add(live)
    try:
        yield
    finally:
        checkpoints.remove(live)
