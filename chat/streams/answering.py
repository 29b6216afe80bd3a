"""The answers in progress in this process: starting, resuming after a crash, and stopping."""

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from uuid import UUID

from chat.database_threads import run_upkeep
from chat.turns.live import list_answering
from chat.turns.pipeline import answer
from memory.conversations.interrupting import (
    find_open_attempts,
    let_go_of_forgotten,
    take_up_lapsed,
)
from memory.conversations.liveness import abandoned
from memory.errors import describe_error
from memory.models import Attempt
from memory.outages import get_uptime
from memory.postgresql.scope import assume_person
from memory.recall.rewriting.exchanges import Exchange

log = logging.getLogger(__name__)

# Seconds between looks for attempts of dead processes.
LOOK_SECONDS = 2.0
# Seconds that all answers together may take to stop at shutdown.
PARTING_SECONDS = 4.0

# The event loop has weak references to tasks; this set keeps waiting answers alive.
_answers: set[asyncio.Task[None]] = set()
# Turns of attempts whose end couldn't be stored yet, by attempt.
_left: dict[UUID, UUID] = {}


def begin_answer(attempt: Attempt, history: Sequence[Exchange] = ()) -> None:
    """Start answering the attempt in this process."""
    with assume_person(attempt.owner_id):  # another process may have begun it
        task = asyncio.create_task(answer(attempt, history))
    _answers.add(task)
    task.add_done_callback(partial(_note_end, attempt.pk, attempt.turn_id))


def is_left(turn: UUID) -> bool:
    """Return whether the turn's answer has ended here but couldn't be stored yet."""
    return turn in _left.values()


def _note_end(attempt: UUID, turn: UUID, task: asyncio.Task[None]) -> None:
    _answers.discard(task)
    if not task.cancelled() and (error := task.exception()):
        abandoned.add(attempt)
        _left[attempt] = turn
        log.error("answer_left", extra={"error": type(error).__name__})


class _Looking:
    """The time of this process's last look for dead processes."""

    at: float | None = None

    def has_slept(self) -> bool:
        """Note the time; return whether the last look was too long ago to have been awake since."""
        before, self.at = self.at, get_uptime()
        return before is not None and self.at - before > 2 * LOOK_SECONDS


_looking = _Looking()


async def take_up() -> None:
    """End or resume the open attempts of dead processes.

    After the machine has slept, no process has renewed its lease: others may renew theirs first.
    """
    if _looking.has_slept():
        return
    left = set(abandoned)
    await run_upkeep(let_go_of_forgotten, list_answering(), left)
    abandoned.difference_update(left)
    taken = await run_upkeep(take_up_lapsed)
    if _left:  # keep attempts that still can't be ended
        still = await run_upkeep(find_open_attempts, list(_left)) - {
            attempt.pk for attempt in taken
        }
        for known in _left.keys() - still:
            del _left[known]
    for attempt in taken:
        begin_answer(attempt)


async def keep_taking_up() -> None:
    """Take up the attempts of dead processes, until this process ends."""
    while True:
        try:
            await take_up()
        except Exception as error:  # noqa: BLE001 - the database may be back next time
            log.error("taking_up_raised", extra=describe_error(error))
        await asyncio.sleep(LOOK_SECONDS)


async def stop_answers() -> None:
    """Interrupt this process's answers at shutdown, keeping their text."""
    for task in _answers:
        task.cancel()
    if _answers:
        await asyncio.wait(_answers, timeout=PARTING_SECONDS)
