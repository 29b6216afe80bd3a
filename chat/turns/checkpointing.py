"""Periodic writes of all answers in progress in this process to their rows.

Readers in other processes are at most half a second behind, and an answer without new text costs no
write. Each answer is also checked for a requested stop or a lost lease.
"""

import asyncio
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import Context
from uuid import UUID
from weakref import WeakKeyDictionary

from chat.database_threads import in_this_thread, run_upkeep
from chat.turns.live import Live
from chat.turns.writing import Stopped
from memory.conversations.attempts import LostAttempt
from memory.conversations.checkpoints import Grown, find_standing_attempts, store
from memory.errors import describe_error
from memory.sealing import UnsealError
from memory.sqlite.patience import long_patience

log = logging.getLogger(__name__)

CHECKPOINT_SECONDS = 0.4
AFTER_FAILURE_SECONDS = 2.0


class _Checkpoints:
    """The checkpoints of one event loop."""

    def __init__(self) -> None:
        self._lives: dict[UUID, Live] = {}
        # The attempt's number and the length of the stored text.
        self._stored: dict[UUID, tuple[int, int]] = {}
        self._task: asyncio.Task[None] | None = None
        # Answers whose opening waits to be stored, and the task that stores others.
        self._waiting: list[tuple[Live, asyncio.Future[None]]] = []
        self._noting: asyncio.Task[None] | None = None

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
            except Exception as error:  # noqa: BLE001 - the database may be back next time
                log.error("checkpoint_raised", extra=describe_error(error))
                await asyncio.sleep(AFTER_FAILURE_SECONDS)

    async def _once(self) -> None:
        lives = list(self._lives.values())
        told = await run_upkeep(find_standing_attempts, [live.row for live in lives])
        for live in lives:
            if live.row.pk not in told:
                live.halt(LostAttempt())
            elif told[live.row.pk]:
                live.halt(Stopped())
        due = [live for live in lives if live.noting and live.has_been_open(CHECKPOINT_SECONDS)]
        if unnoted := [live for live in due if not live.halted.done()]:
            for live in await run_upkeep(note_together, unnoted):
                live.halt(LostAttempt())
        has_grown = [live for live in lives if self._has_grown(live)]
        if grown := [Grown(live.row, live.attempt, live.text) for live in has_grown]:
            stored = await run_upkeep(store, grown)
            self._stored |= {
                each.attempt.pk: (each.number, len(each.text))
                for each in grown
                if each.attempt.pk in stored and each.attempt.pk in self._lives
            }

    async def note(self, live: Live) -> None:
        """Store the answer's opening; raises LostAttempt.

        Those that wait at the same time are stored together.
        """
        noted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((live, noted))
        if self._noting is None:
            self._noting = asyncio.create_task(self._note_all())
        await noted

    async def _note_all(self) -> None:
        while self._waiting:
            some, self._waiting = self._waiting, []
            try:
                lost = await run_upkeep(note_together, [live for live, _ in some])
            except Exception as error:  # noqa: BLE001 - it is raised in the waiting tasks
                self._tell(some, dict.fromkeys((live for live, _ in some), error))
            else:
                self._tell(some, dict.fromkeys(lost, LostAttempt()))
        self._noting = None

    @staticmethod
    def _tell(
        some: Iterable[tuple[Live, asyncio.Future[None]]], errors: Mapping[Live, Exception]
    ) -> None:
        for live, noted in some:
            if noted.done():  # the waiting answer was halted
                continue
            if error := errors.get(live):
                noted.set_exception(error)
            else:
                noted.set_result(None)

    def _has_grown(self, live: Live) -> bool:
        known = self._stored.get(live.row.pk, (live.attempt, 0))
        return not (live.noting or live.halted.done()) and known != (live.attempt, len(live.text))


def note_together(lives: Sequence[Live]) -> list[Live]:
    """Store the openings of answers before any of their text; return the lost ones."""
    noted, lost = [], []
    for live in lives:
        if noting := live.noting:
            try:
                noting()
                noted.append((live, noting))
            except (LostAttempt, UnsealError):
                lost.append(live)
    for live, noting in noted:
        live.noted(noting)
    return lost


_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _Checkpoints] = WeakKeyDictionary()


async def note_opening(live: Live) -> None:
    """Wait until the answer's opening is stored; raises LostAttempt."""
    await _of_loops.setdefault(asyncio.get_running_loop(), _Checkpoints()).note(live)


@contextmanager
def checkpointed(live: Live) -> Iterator[None]:
    """Keep the answer's row up to date until its end."""
    checkpoints = _of_loops.setdefault(asyncio.get_running_loop(), _Checkpoints())
    checkpoints.add(live)
    try:
        yield
    finally:
        checkpoints.remove(live)
