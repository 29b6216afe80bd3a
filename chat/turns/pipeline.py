"""One turn, from the question to its recorded answer. Page, API and commands all come through here.

1  ask      the question is durable before anything can fail      memory.conversations.asking
2  recall   standalone question, turns, budget                    memory.recall
3  find     passages                                              citations.retrieval
4  build    the prompt; it can't overflow                         chat.prompting.prompts
5  stream   the answer; no transaction is open meanwhile          chat.llm or chat.quoting
6  cite     only offered passages, every statement checked        citations.attribution
7  record   answer, citations, context record, jobs: one commit   chat.turns.recording
8  later    vectors and the like, by job rows                     memory.jobs

Steps 2 to 5 are chat.turns.grounding's and chat.turns.composing's, which questions that nobody
keeps go through as well.
"""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from asgiref.sync import async_to_sync

from chat import llm
from chat.database_threads import aside, in_database, in_this_thread
from chat.shapes.resources.events import opening_shape
from chat.turns.checking import judged
from chat.turns.composing import written
from chat.turns.drafting import ANEW
from chat.turns.grounding import SHRUNK, Ground, as_asked_for, check_length, lay_ground
from chat.turns.live import Live, live_answer
from chat.turns.recording import begin, record
from citations.attribution.citing import begin_citing
from citations.attribution.resuming import text_to_resume, with_cited
from citations.retrieval import Scope
from citations.session_focus.bias import leaning_of
from citations.session_focus.document_scope import limit_of, limit_turn
from memory.conversations import attempts
from memory.conversations.asking import Asked, Question, ask
from memory.conversations.attempts import Ending, LostAttempt
from memory.errors import ModelError, QuestionTooLong, described
from memory.models import Attempt, Session, Turn
from memory.people.display import day_of
from memory.recall import Given, Stored
from memory.recall.rewriting import Exchange
from memory.text.token_counting import count_tokens

log = logging.getLogger(__name__)
R = TypeVar("R")

CHECKPOINT_SECONDS = 0.4


class Stopped(Exception):
    """The person asked to stop."""


@dataclass(frozen=True)
class Prepared(Ground):
    """All that a turn's answer is made from."""

    turn: Turn
    attempt: Attempt

    @property
    def keeps(self) -> bool:
        """Whether the turn has a text that only a better one may replace."""
        unsaid = ("", *Turn.Outcome.without_content())
        return self.turn.response_tokens > 0 and self.turn.outcome not in unsaid


def take_turn(session: Session, question: Question, *, documents: Sequence[UUID] = ()) -> Asked:
    """Store the question as the session's next turn; `answer` then answers it.

    Raises a Refusal, with nothing stored, for a question that can't be asked.
    """
    model = llm.chosen(session.model, session.owner.tier)
    check_length(question.text, session.context_window, model)
    return ask(session, question, also=partial(limit_turn, documents=documents))


async def answer(attempt: Attempt, history: Sequence[Exchange] = ()) -> None:
    """Answer the attempt's turn to its end, whatever that is; readers follow Live or rows.

    A history that is given takes the place of the stored one in the prompt.
    """
    with live_answer(attempt.turn_id, attempt.number) as live:
        try:
            await _answer(attempt, history, live)
        except LostAttempt:
            log.info("answer_lost", extra={"turn": str(attempt.turn_id)})
        except asyncio.CancelledError:  # the server is going down
            failing = partial(_fail, attempt, live, "server_restarted", Turn.Status.INTERRUPTED)
            await asyncio.shield(failing())
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the turn must not stay open
            log.error("answer_raised", extra={"turn": str(attempt.turn_id), **described(error)})
            await _fail(attempt, live, "internal_error")


async def _answer(attempt: Attempt, history: Sequence[Exchange], live: Live) -> None:
    try:
        try:
            await _prepare_and_write(attempt, history, live, shrink=1.0)
        except llm.ContextOverflow:
            await _prepare_and_write(attempt, history, live, shrink=SHRUNK)
    except Stopped:
        await _fail(attempt, live, "stopped", Turn.Status.INTERRUPTED)
    except QuestionTooLong:
        await _fail(attempt, live, "context_overflow")
    except ModelError as error:
        await _fail(attempt, live, error.code)


def answer_now(attempt: Attempt, history: Sequence[Exchange] = ()) -> Turn:
    """Answer in this thread, with its database connections; for commands and tests."""
    token = in_this_thread.set(True)
    try:
        async_to_sync(answer)(attempt, history)
    finally:
        in_this_thread.reset(token)
    return Turn.objects.select_related("session").get(pk=attempt.turn_id)


def prepare(attempt: Attempt, history: Sequence[Exchange] = (), *, shrink: float = 1.0) -> Prepared:
    """Do what comes before the answer; a history that is given takes the stored one's place.

    An attempt that begins with a text goes on with it.
    """
    turn = attempt.turn
    begin, earlier = partial(begin_citing, turn.session), attempt.partial
    model = llm.chosen(turn.session.model, turn.owner.tier)
    limits = llm.limits(turn.session.context_window, model=model, shrink=shrink)
    if earlier:
        begin = partial(with_cited, turn, begin)
        room = min(count_tokens(earlier), limits.usable // 3)
        limits = replace(limits, usable=limits.usable - room)
    ground = lay_ground(
        turn.query,
        Given(history) if history else Stored(turn.session, turn.position),
        limits=limits,
        scope=Scope(owner=turn.owner_id, documents=limit_of(turn)),
        begin=begin,
        today=day_of(turn.asked_at, turn.owner),
        standalone=as_asked_for(turn),
        leaning=partial(leaning_of, turn.session, turn.position),
        model=model,
        length=turn.length,
    )
    if earlier:
        ground.draft.earlier = text_to_resume(turn, ground.citing)
        ground.draft.usable += room
    return Prepared(**vars(ground), turn=turn, attempt=attempt)


async def _prepare_and_write(
    attempt: Attempt, history: Sequence[Exchange], live: Live, *, shrink: float
) -> None:
    """Prepare the answer, stream it into `live` and its row, and record it."""
    prepared = await _kept(attempt, live, aside(prepare, attempt, history, shrink=shrink))
    opening = opening_shape(prepared.recalled.rewrite, prepared.turn.query, prepared.found)
    live.open(dict(opening))
    await in_database(begin, prepared, live.opening)
    status, failure = Turn.Status.COMPLETE, ""
    with prepared.timings.step("answer"):
        try:
            await _kept(attempt, live, _pour(prepared, live, last_try=shrink < 1))
        except llm.ContextOverflow:
            raise
        except Stopped:
            status, failure = Turn.Status.INTERRUPTED, "stopped"
        except ModelError as error:
            status, failure = Turn.Status.FAILED, error.code
    live.add(prepared.draft.close())
    if failure and prepared.draft.earlier:  # it has the text that it went on with, and can again
        status, prepared.draft.problem = Turn.Status.COMPLETE, Turn.Outcome.CUT
    failure = failure or prepared.draft.failure
    await _check(prepared, live)
    await in_database(record, prepared, status=status, failure=failure)


async def _check(prepared: Prepared, live: Live) -> None:
    """Check what the answer claims, with its text already shown; whoever stops that has it all."""
    with prepared.timings.step("cite"), suppress(Stopped):
        prepared.citing.judged = await _kept(prepared.attempt, live, judged(prepared))


async def _kept(attempt: Attempt, live: Live, work: Coroutine[Any, Any, R]) -> R:
    """Await the work while the lease is renewed and the text stored; raises Stopped.

    A model that thinks for long is not a dead process, and can be stopped all the same.
    """
    working = asyncio.create_task(work)
    stored = ""
    try:
        while not (await asyncio.wait({working}, timeout=CHECKPOINT_SECONDS))[0]:
            async with live.storing:
                text = live.text if live.text != stored else None
                is_stopped = await in_database(attempts.checkpoint, attempt, text)
            if is_stopped:
                raise Stopped
            stored = stored if text is None else text
        return await working
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)


async def _pour(prepared: Prepared, live: Live, *, last_try: bool) -> None:
    """Give the answer's pieces to the readers; where it begins anew, under the next number."""
    steps = written(prepared, keeps=prepared.keeps, last_try=last_try)
    async with aclosing(steps):
        async for step in steps:
            if step is ANEW:
                async with live.storing:
                    await in_database(attempts.begin_anew, prepared.attempt)
                    live.begin_anew(prepared.attempt.number)
            else:
                prepared.timings.once("first_piece")
                live.add(step)


async def _fail(attempt: Attempt, live: Live, code: str, status: str = Turn.Status.FAILED) -> None:
    """End an attempt that could not be recorded as it should, keeping what was written."""
    try:
        await in_database(_end_alone, attempt, live.text, code, status)
    except LostAttempt:
        log.info("answer_lost", extra={"turn": str(attempt.turn_id)})


def _end_alone(attempt: Attempt, text: str, code: str, status: str) -> None:
    text = attempts.rescued(attempt.turn, text)
    attempts.end_alone(attempt, Ending(status=status, text=text, failure=code))
