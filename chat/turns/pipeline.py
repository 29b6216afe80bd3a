"""One turn, from the question to its recorded answer; page, API and commands all use it.

1  ask      the question is durable before anything can fail      memory.conversations.asking
2  recall   standalone question, turns, budget                    memory.recall
3  find     passages                                              citations.retrieval
4  build    the prompt; it can't overflow                         chat.prompting.prompts
5  stream   the answer; no transaction is open meanwhile          chat.llm or chat.extractive
6  cite     only offered passages, every statement checked        citations.attribution
7  record   answer, citations, context record, jobs: one commit   chat.turns.recording
8  later    vectors and the like, by job rows                     memory.jobs

Steps 2 to 6 are chat.turns.writing's, which questions that are not stored go through as well.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import transaction

from chat import llm
from chat.database_threads import in_this_thread, run_in_thread
from chat.shapes.resources.events import opening_shape
from chat.structures import PROSE
from chat.turns.admission import QueuePlace, admission, step_aside
from chat.turns.checkpointing import checkpointed, note_opening
from chat.turns.drafting import Restart
from chat.turns.grounding import check_length, get_given_rewrite, note_asked, prepare_ground
from chat.turns.grounding.ground import AnswerRequest, Ground
from chat.turns.live import Live, live_answer
from chat.turns.personal.origins import is_personal
from chat.turns.personal.person import Personal
from chat.turns.pipeline_steps import list_opening_steps
from chat.turns.recording import begin, record
from chat.turns.writing import SourceGone, write
from citations.attribution.citing import begin_citing
from citations.attribution.resuming import begin_with_cited, build_resumed_text
from citations.index.scope import Scope
from citations.session_focus.bias import get_leaning
from citations.session_focus.document_scope import get_focus, note_focus, scope_turn
from memory.conversations import attempts
from memory.conversations.asking import AskedTurn, Question, ask
from memory.conversations.attempts import Ending, LostAttempt
from memory.conversations.interrupting import may_be_resumed
from memory.errors import describe_error
from memory.models import Attempt, Session, Turn
from memory.people.display import get_local_day
from memory.recall import Given, Stored
from memory.recall.facts.known import read_known_facts
from memory.recall.rewriting.exchanges import Exchange
from memory.sealing import UnsealError, has_key, load_data_key
from memory.sqlite.patience import long_patience
from memory.text.token_counting import count_tokens

log = logging.getLogger(__name__)
R = TypeVar("R")


@dataclass(frozen=True)
class Prepared(Ground):
    """The ground of a turn's answer."""

    turn: Turn
    attempt: Attempt

    @property
    def keeps(self) -> bool:
        """Whether the turn has a text that only a better one may replace."""
        unsaid = ("", *Turn.Outcome.list_empty())
        return self.turn.response_tokens > 0 and self.turn.outcome not in unsaid


def take_turn(session: Session, question: Question, *, documents: Sequence[UUID] = ()) -> AskedTurn:
    """Store the question as the session's next turn; `answer` then answers it.

    Raises a Refusal, with nothing stored, for a question that can't be asked.
    """
    model = llm.choose_model(session.model, session.owner.tier)
    check_length(question.text, session.context_window, model)

    def note(turn: Turn) -> None:
        scope_turn(turn, documents)
        note_asked(turn.owner_id, model)  # else a separate write before it is answered

    load_owner_key(session.owner_id)
    admission.check_room()
    asked = ask(session, question, in_transaction=note, before_waiting=step_aside.get())
    if asked.attempt:
        # Cached, since both retrieval and the count of searched documents read it.
        note_focus(asked.turn)
    return asked


def load_owner_key(owner: UUID) -> None:
    """Load the person's data key, releasing the request's place, since its database may be slow."""
    if not has_key(owner):
        step_aside.get()()
        load_data_key(owner)


def begin_attempt(turn: Turn, begin: Callable[[Turn], Attempt | None]) -> Attempt | None:
    """Begin another attempt at the turn; raises a Refusal, with nothing stored."""
    load_owner_key(turn.owner_id)
    admission.check_room()
    return begin(turn)


async def answer(attempt: Attempt, history: Sequence[Exchange] = ()) -> None:
    """Answer the attempt's turn to its end; readers follow Live or the rows.

    A given history replaces the stored one in the prompt.
    """
    with long_patience(), live_answer(attempt) as live, checkpointed(live):
        async with admission.place(attempt.owner_id, live.set_place) as place:
            await _answer(TurnSink(attempt, history, live, place))


async def _answer(rows: "TurnSink") -> None:
    turn = {"turn": str(rows.attempt.turn_id)}
    try:
        await write(rows)
    except LostAttempt:
        log.info("answer_lost", extra=turn)
    except asyncio.CancelledError:  # the server is shutting down
        await asyncio.shield(rows.let_go())
        raise
    except Exception as error:  # noqa: BLE001 - the turn must not stay open
        log.error("answer_raised", extra={**turn, **describe_error(error)})
        await rows.fail("internal_error")


def answer_now(attempt: Attempt, history: Sequence[Exchange] = ()) -> Turn:
    """Answer in this thread, with its database connections; for commands and tests."""
    token = in_this_thread.set(True)
    try:
        async_to_sync(answer)(attempt, history)
    finally:
        in_this_thread.reset(token)
    mine = Turn.objects.filter(owner=attempt.owner_id)
    return mine.select_related("session").get(pk=attempt.turn_id)


def prepare(attempt: Attempt, history: Sequence[Exchange] = (), *, shrink: float = 1.0) -> Prepared:
    """Prepare the ground of the answer; a given history replaces the stored one.

    An attempt with a partial text continues it.
    """
    turn = attempt.turn
    model = llm.choose_model(turn.session.model, turn.owner.tier)
    if attempt.number > 1 or attempt.resumes:  # other servers than those noted with the question
        note_asked(turn.owner_id, model)
    focus = get_focus(turn)
    request = AnswerRequest(
        turn.query,
        Given(history) if history else Stored(turn.session, turn.position),
        limits=llm.prompt_limits(turn.session.context_window, model=model, shrink=shrink),
        scope=Scope(turn.owner_id if focus.has_private else None, focus.documents),
        begin=partial(begin_citing, turn.session),
        today=get_local_day(turn.asked_at, turn.owner),
        standalone=get_given_rewrite(turn),
        leaning=partial(get_leaning, turn.session, turn.position, focus.standings),
        model=model,
        length=turn.length,
        structure=get_wanted_structure(attempt),
        personal=Personal(turn, read_known_facts(turn.session)),
    )
    ground = _prepare_resumption(attempt, request) if attempt.partial else prepare_ground(request)
    return Prepared(**vars(ground), turn=turn, attempt=attempt)


def get_wanted_structure(attempt: Attempt) -> str:
    """Return the structure that the person requested; a cut table continues in prose."""
    turn = attempt.turn
    if attempt.partial and turn.structured_output:
        return PROSE
    return turn.structure if turn.structure != turn.intent else ""


def _prepare_resumption(attempt: Attempt, request: AnswerRequest) -> Ground:
    """Prepare to continue the attempt's text, for which it reserves tokens of the window."""
    room = min(count_tokens(attempt.partial), request.limits.usable // 3)
    limits = replace(request.limits, usable=request.limits.usable - room)
    begin = partial(begin_with_cited, attempt.turn, request.begin)
    ground = prepare_ground(replace(request, limits=limits, begin=begin))
    form = ground.draft.form
    if form.structure:  # a lost process leaves the text alone, not its output
        return prepare_ground(request)
    form.kept = attempt.turn.structured_output
    ground.draft.earlier = form.announce_prose(build_resumed_text(attempt.turn, ground.citing))
    ground.draft.usable += room
    return ground


@dataclass
class TurnSink:
    """The sink of a turn: its rows, and Live for the readers of this process."""

    attempt: Attempt
    history: Sequence[Exchange]
    live: Live
    place: QueuePlace
    # Whether its material was deleted meanwhile, so that it is asked again.
    lost_its_source: bool = False

    async def begin(self) -> None:
        """Wait for this answer's place; readers learn of an attempt when it opens."""
        await self.await_work(self.place.begun.wait())

    def prepare(self, shrink: float) -> Prepared:
        """Prepare the ground of the answer."""
        return prepare(self.attempt, self.history, shrink=shrink)

    async def await_work(self, work: Coroutine[Any, Any, R]) -> R:
        """Await the work, unless the answer is stopped or lost meanwhile.

        So a model that reasons for long can be stopped too.
        """
        working = asyncio.create_task(work)
        either: set[asyncio.Future[Any]] = {working, self.live.halted}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise self.live.taken_halt()
            return await working
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)

    async def open(self, ground: Prepared) -> None:
        """Send the rewrite and the passages to readers."""
        admission.prepared(self.place)
        opening: dict[str, object] = {
            **opening_shape(ground.recalled.rewrite, ground.turn.query, ground.found),
            attempts.IS_PERSONAL: is_personal(ground),
            "steps": list_opening_steps(ground),
        }
        self.live.open(opening, partial(begin, ground, opening))
        if ground.asks_model:  # an immediate reply needs no row before its record
            await note_opening(self.live)

    async def add(self, ground: Prepared, step: str | Restart) -> None:
        """Show a piece; a new text has the attempt's next number."""
        if isinstance(step, str):
            self.live.table = ground.draft.form.make_table()
            self.live.add(step)
            return
        await run_in_thread(self._begin_anew)
        self.live.begin_anew(self.attempt.number)

    def may_lose(self, ground: Prepared) -> bool:
        """Return whether the turn has no text that only a better one may replace."""
        return not ground.keeps

    async def end(self, ground: Prepared, status: str, failure: str) -> None:
        """Record the answer; if its material was deleted meanwhile, have it asked again once."""
        again = settings.RESUME_INTERRUPTED and status == Turn.Status.COMPLETE
        is_last = self.lost_its_source or not again
        try:
            await run_in_thread(record, ground, status=status, failure=failure, is_last=is_last)
        except SourceGone:
            self.lost_its_source = True
            await run_in_thread(attempts.begin_anew, self.attempt, opening=None)
            self.live.ask_again(self.attempt.number)
            raise

    async def let_go(self) -> None:
        """Leave the answer to another process to resume, or else end it."""
        if not await run_in_thread(may_be_resumed, self.attempt):
            await self.fail("server_restarted", Turn.Status.INTERRUPTED)

    async def fail(self, code: str, status: str = Turn.Status.FAILED) -> None:
        """End an attempt that can't be recorded regularly, keeping its text."""
        try:
            await run_in_thread(self._end_alone, code, status)
        except LostAttempt:
            log.info("answer_lost", extra={"turn": str(self.attempt.turn_id)})

    def _begin_anew(self) -> None:
        with transaction.atomic():
            self.live.note()
            attempts.begin_anew(self.attempt)

    def _end_alone(self, code: str, status: str) -> None:
        try:
            self.live.note()  # the passages that its text may use
        except UnsealError as error:  # the person is being erased and the key is shredded
            raise LostAttempt from error
        text = attempts.rescue_text(self.attempt.turn, self.live.text, self.live.opening)
        attempts.end_alone(self.attempt, Ending(status=status, text=text, failure=code))
