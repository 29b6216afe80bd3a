"""One turn, from the question to its recorded answer. Page, API and commands all come through here.

1  ask      the question is durable before anything can fail      memory.asking
2  recall   standalone question, turns, budget                    memory.recall
3  find     passages                                              citations.retrieval
4  build    the prompt; it can't overflow                         chat.prompts
5  stream   the answer; no transaction is open meanwhile          chat.llm or chat.quoting
6  cite     only offered passages, each checked                   citations.citing
7  record   answer, citations, context record, jobs: one commit   chat.records
8  later    vectors and the like, by job rows                     memory.jobs
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Coroutine, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from asgiref.sync import async_to_sync

from chat import llm, quoting
from chat.live import Live, live_answer
from chat.prompts import Prompt, build, fixed_tokens
from chat.records import record
from chat.structures import opening_shape
from chat.threads import aside, in_database, in_this_thread
from citations.citing import Citing, begin_citing
from citations.limiting import limit_of, limit_turn
from citations.retrieval import NOTHING_BELOW, Found, Scope, find
from memory import answers
from memory.answers import Ending, LostAttempt
from memory.asking import Asked, Question, ask
from memory.errors import ModelError, QuestionTooLong, described
from memory.markers import without_markers
from memory.models import Attempt, Session, Turn
from memory.recall import Recalled, recall
from memory.recall.budget import Limits, divide, limits_of, longest_history

log = logging.getLogger(__name__)
R = TypeVar("R")

CHECKPOINT_SECONDS = 0.4
# When the server says that the prompt overflows, it is built once more in this share of the window.
SHRUNK = 0.7


class Stopped(Exception):
    """The person asked to stop."""


@dataclass
class Timings:
    """Milliseconds of each step."""

    steps: dict[str, float] = field(default_factory=dict)

    _begun: float = field(default_factory=time.perf_counter)

    def once(self, name: str) -> None:
        """Note how long it took from the beginning to the first call."""
        self.steps.setdefault(name, round((time.perf_counter() - self._begun) * 1000, 3))

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.steps[name] = round((time.perf_counter() - begun) * 1000, 3)


@dataclass(frozen=True)
class Prepared:
    """All that an answer is made from."""

    turn: Turn
    attempt: Attempt
    recalled: Recalled
    found: Sequence[Found]
    prompt: Prompt
    citing: Citing
    timings: Timings


def take_turn(session: Session, question: Question, *, documents: Sequence[UUID] = ()) -> Asked:
    """Store the question as the session's next turn; `answer` then answers it.

    Raises a Refusal, with nothing stored, for a question that can't be asked.
    """
    limits = limits_of(session.context_window)
    system, asked = fixed_tokens(session.context_window, question.text)
    divide(limits, system=system, question=asked, history=0, passages=0)
    return ask(session, question, also=partial(limit_turn, documents=documents))


async def answer(attempt: Attempt) -> None:
    """Answer the attempt's turn to its end, whatever that is; readers follow Live or rows."""
    with live_answer(attempt.turn_id, attempt.number) as live:
        try:
            await _answer(attempt, live)
        except LostAttempt:
            log.info("answer_lost", extra={"turn": str(attempt.turn_id)})
        except asyncio.CancelledError:  # the server is going down
            failing = partial(_fail, attempt, live, "server_restarted", Turn.Status.INTERRUPTED)
            await asyncio.shield(failing())
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the turn must not stay open
            log.error("answer_raised", extra={"turn": str(attempt.turn_id), **described(error)})
            await _fail(attempt, live, "internal_error")


async def _answer(attempt: Attempt, live: Live) -> None:
    try:
        try:
            await _prepare_and_write(attempt, live, shrink=1.0)
        except llm.ContextOverflow:
            await _prepare_and_write(attempt, live, shrink=SHRUNK)
    except Stopped:
        await _fail(attempt, live, "stopped", Turn.Status.INTERRUPTED)
    except QuestionTooLong:
        await _fail(attempt, live, "context_overflow")
    except ModelError as error:
        await _fail(attempt, live, error.code)


def answer_now(attempt: Attempt) -> Turn:
    """Answer in this thread, with its database connections; for commands and tests."""
    token = in_this_thread.set(True)
    try:
        async_to_sync(answer)(attempt)
    finally:
        in_this_thread.reset(token)
    return Turn.objects.select_related("session").get(pk=attempt.turn_id)


def prepare(attempt: Attempt, *, shrink: float = 1.0) -> Prepared:
    """Do what comes before the answer: recall, find, build."""
    timings = Timings()
    turn = attempt.turn
    limits = limits_of(turn.session.context_window, shrink=shrink)
    with timings.step("recall"):
        recalled = _recall(turn, limits)
    with timings.step("find"):
        scope = Scope(owner=turn.owner_id, documents=limit_of(turn))
        found = find(recalled.rewrite.query, scope=scope, vector=recalled.vector)
    with timings.step("build"):
        prompt = build(turn.query, recalled, found, limits)
        citing = begin_citing(turn.session, prompt.offers)
    return Prepared(turn, attempt, recalled, found, prompt, citing, timings)


def _recall(turn: Turn, limits: Limits) -> Recalled:
    system, question = fixed_tokens(limits.window, turn.query)
    return recall(
        turn.session,
        turn.query,
        before=turn.position,
        limits=limits,
        allowance=longest_history(limits, system=system, question=question),
        ask=llm.ask if llm.is_configured() else None,
    )


async def _prepare_and_write(attempt: Attempt, live: Live, *, shrink: float) -> None:
    """Prepare the answer, stream it into `live` and its row, and record it."""
    prepared = await _kept(attempt, live, aside(prepare, attempt, shrink=shrink))
    live.open(opening_shape(prepared.recalled.rewrite, prepared.turn.query, prepared.found))
    await in_database(answers.begin, attempt, opening=live.opening)
    status, failure = Turn.Status.COMPLETE, ""
    with prepared.timings.step("answer"):
        try:
            await _kept(attempt, live, _pour(prepared, live))
        except llm.ContextOverflow:
            raise
        except Stopped:
            status, failure = Turn.Status.INTERRUPTED, "stopped"
        except ModelError as error:
            status, failure = Turn.Status.FAILED, error.code
    live.add(prepared.citing.close())
    await in_database(record, prepared, status=status, failure=failure)


async def _kept(attempt: Attempt, live: Live, work: Coroutine[Any, Any, R]) -> R:
    """Await the work while the lease is renewed and the text stored; raises Stopped.

    A model that thinks for long is not a dead process, and can be stopped all the same.
    """
    working = asyncio.create_task(work)
    stored = ""
    try:
        while not (await asyncio.wait({working}, timeout=CHECKPOINT_SECONDS))[0]:
            text = live.text if live.text != stored else None
            if await in_database(answers.checkpoint, attempt, text):
                raise Stopped
            stored = text or stored
        return await working
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)


async def _pour(prepared: Prepared, live: Live) -> None:
    """Feed the answer's pieces through citing to the readers."""
    async with aclosing(_pieces(prepared)) as pieces:
        async for piece in pieces:
            prepared.timings.once("first_piece")
            live.add(prepared.citing.feed(piece))


async def _pieces(prepared: Prepared) -> AsyncGenerator[str, None]:
    if llm.is_configured():
        prompt = prepared.prompt
        async with aclosing(llm.stream(prompt.messages, max_tokens=prompt.answer_tokens)) as pieces:
            async for piece in pieces:
                yield piece
        return
    yield await aside(_quoted, prepared)


def _quoted(prepared: Prepared) -> str:
    if not prepared.found or prepared.found[0].score < NOTHING_BELOW:
        return quoting.nothing_found()
    query = prepared.recalled.rewrite.query
    return quoting.quote(query, prepared.prompt.offers, vector=prepared.recalled.vector)


async def _fail(attempt: Attempt, live: Live, code: str, status: str = Turn.Status.FAILED) -> None:
    """End an attempt that could not be recorded as it should, keeping what was written."""
    ending = Ending(status=status, text=without_markers(live.text), failure=code)
    try:
        await in_database(answers.end_alone, attempt, ending)
    except LostAttempt:
        log.info("answer_lost", extra={"turn": str(attempt.turn_id)})
