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

# How often answers are looked for whose process died.
LOOK_SECONDS = 2.0
# How long all answers together may take to be let go of.
PARTING_SECONDS = 4.0

# The event loop holds its tasks weakly: an answer must not be collected while it waits.
_answers: set[asyncio.Task[None]] = set()
# The turns of those whose end couldn't be stored yet, by attempt.
_left: dict[UUID, UUID] = {}


def begin_answer(attempt: Attempt, history: Sequence[Exchange] = ()) -> None:
    """Start answering the attempt in this process."""
    with assume_person(attempt.owner_id):  # it may have been another process's
        task = asyncio.create_task(answer(attempt, history))
    _answers.add(task)
    task.add_done_callback(partial(_note_end, attempt.pk, attempt.turn_id))


def is_left(turn: UUID) -> bool:
    """Return whether the turn's answer has come to an end here that couldn't be stored yet."""
    return turn in _left.values()


def _note_end(attempt: UUID, turn: UUID, task: asyncio.Task[None]) -> None:
    _answers.discard(task)
    if not task.cancelled() and (error := task.exception()):
        abandoned.add(attempt)
        _left[attempt] = turn
        log.error("answer_left", extra={"error": type(error).__name__})


class _Looking:
    """When this process looked last for others that died."""

    at: float | None = None

    def has_slept(self) -> bool:
        """Note the moment; tell whether the last one was too long ago to be awake since then."""
        before, self.at = self.at, get_uptime()
        return before is not None and self.at - before > 2 * LOOK_SECONDS


_looking = _Looking()


async def take_up() -> None:
    """End or resume the open attempts of dead processes.

    Where all of the machine has slept, nobody has said meanwhile that they live: they come first.
    """
    if _looking.has_slept():
        return
    left = set(abandoned)
    await run_upkeep(let_go_of_forgotten, list_answering(), left)
    abandoned.difference_update(left)
    taken = await run_upkeep(take_up_lapsed)
    if _left:  # what can be let go of, but not ended, is left as before
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
        except Exception as error:  # noqa: BLE001 - the next time it may be there again
            log.error("taking_up_raised", extra=describe_error(error))
        await asyncio.sleep(LOOK_SECONDS)


async def stop_answers() -> None:
    """Interrupt the answers of this process at shutdown, keeping their text."""
    for task in _answers:
        task.cancel()
    if _answers:
        await asyncio.wait(_answers, timeout=PARTING_SECONDS)
