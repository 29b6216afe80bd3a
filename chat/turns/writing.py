"""One answer, from its question to its end: for turns, and for questions that are not stored.

Its sink decides the result: rows that readers follow (chat.turns.pipeline), or events for the
client (chat.streams.querying).
"""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from contextlib import aclosing, suppress
from typing import Any, Protocol, TypeVar

from chat import llm
from chat.database_threads import run_slow
from chat.turns.composing import write_pieces
from chat.turns.drafting import Restart
from chat.turns.grounding import SHRUNK
from chat.turns.grounding.ground import Ground
from chat.turns.structured.checking import find_statements
from citations.attribution.attributing import CheckTooSlow, check
from citations.attribution.offers import Judged
from memory.errors import ModelError, QuestionTooLong, describe_error
from memory.metrics.counting import count
from memory.models import Turn
from memory.recall.talk.conversation import ABOUT_CONVERSATION

log = logging.getLogger(__name__)

CHECK_SECONDS = 5.0  # for the check of a finished answer, which is already shown


async def check_claims(ground: Ground, *, was_stopped: bool = False) -> Sequence[Judged]:
    """Check the answer's claims against the offered passages; none if the check fails."""
    try:
        judging = run_slow(_judge_claims, ground, was_stopped)
        return await asyncio.wait_for(judging, CHECK_SECONDS + 1)
    except (TimeoutError, CheckTooSlow):
        log.warning("claims_not_checked", extra={"reason": "too_slow"})
    except Exception as error:  # noqa: BLE001 - the answer stays without its check
        log.error("claims_not_checked", extra=describe_error(error))
    return ()


def _judge_claims(ground: Ground, was_stopped: bool) -> list[Judged]:
    rewrite = ground.recalled.rewrite
    if ground.reply or rewrite.reason == ABOUT_CONVERSATION:
        return []  # no claims about documents
    form = ground.draft.form
    return check(
        ground.citing,
        found=find_statements(form, ground.citing, is_quoted=not ground.is_models)
        if form.output or form.kept
        else None,
        question=rewrite.query,
        only_quotations=not ground.is_models,
        was_cut=was_stopped or ground.draft.problem == Turn.Outcome.CUT,
        seconds=CHECK_SECONDS,
    )


G = TypeVar("G", bound=Ground)
R = TypeVar("R")
Status = Turn.Status


class Stopped(Exception):
    """The person asked to stop."""


class SourceGone(Exception):
    """Material of the answer was deleted or withdrawn while it was written."""


class AnswerSink(Protocol[G]):
    """The receiver of an answer while it is written, and of its result."""

    async def begin(self) -> None:
        """Begin an attempt: the first, or the second with a smaller prompt."""
        ...

    def prepare(self, shrink: float) -> G:
        """Prepare the ground of the answer, for this share of the window."""
        ...

    async def await_work(self, work: Coroutine[Any, Any, R]) -> R:
        """Await the work; may raise Stopped."""
        ...

    async def open(self, ground: G) -> None:
        """Receive the rewrite and the passages."""
        ...

    async def add(self, ground: G, step: str | Restart) -> None:
        """Receive a piece of the text, or ANEW before another text."""
        ...

    def may_lose(self, ground: G) -> bool:
        """Return whether there is no earlier text that only a better one may replace."""
        ...

    async def end(self, ground: G, status: str, failure: str) -> None:
        """Receive the complete, checked text; may raise SourceGone once, with nothing kept."""
        ...

    async def fail(self, code: str, status: str = Status.FAILED) -> None:
        """End an answer that could not be completed."""
        ...


async def write(sink: AnswerSink[G]) -> None:
    """Write the answer into the sink, to its end."""
    try:
        try:
            await _write_fitting(sink)
        except SourceGone:  # repeated without the deleted material
            await _write_fitting(sink)
    except Stopped:
        await sink.fail("stopped", Status.INTERRUPTED)
    except QuestionTooLong:
        await sink.fail("context_overflow")
    except ModelError as error:
        await sink.fail(error.code)


async def _write_fitting(sink: AnswerSink[G]) -> None:
    try:
        await _write(sink, shrink=1.0)
    except llm.ContextOverflow:
        count("context_overflows_total")
        await _write(sink, shrink=SHRUNK)


async def _write(sink: AnswerSink[G], *, shrink: float) -> None:
    await sink.begin()
    ground = await sink.await_work(run_slow(sink.prepare, shrink))
    await sink.open(ground)
    status, failure = Status.COMPLETE, ""
    with ground.timings.step("answer"):
        try:
            await sink.await_work(_pour(ground, sink, last_try=shrink < 1))
        except llm.ContextOverflow:
            raise
        except Stopped:
            status, failure = Status.INTERRUPTED, "stopped"
        except ModelError as error:
            status, failure = Status.FAILED, error.code
    await sink.add(ground, ground.draft.close())
    if failure and ground.draft.earlier:  # the earlier text can be continued again
        status, ground.draft.problem = Status.COMPLETE, Turn.Outcome.CUT
    # The text is shown by now, so a stop only ends its check.
    with ground.timings.step("cite"), suppress(Stopped):
        ground.citing.judged = await sink.await_work(
            check_claims(ground, was_stopped=status != Status.COMPLETE)
        )
    await sink.end(ground, status, failure or ground.draft.failure or ground.draft.form.failure)


async def _pour(ground: G, sink: AnswerSink[G], *, last_try: bool) -> None:
    """Send the answer's pieces to the sink."""
    steps = write_pieces(ground, keeps=not sink.may_lose(ground), last_try=last_try)
    async with aclosing(steps):
        async for step in steps:
            if isinstance(step, str):
                ground.timings.once("first_piece")
            await sink.add(ground, step)
