"""Queries of clients that keep their own history, such as editors: nothing is stored.

They take the way of every turn (chat.turns.writing) without its record. So an answer can't be read
twice or resumed, and ends when its client disconnects (chat.streams.unstored).
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from chat import llm
from chat.database_threads import run_in_thread, run_slow
from chat.shapes import answer_failures
from chat.shapes.citation_styles import restyle_text
from chat.shapes.resources.events import opening_shape
from chat.shapes.resources.turns import unstored_turn_shape
from chat.streams.snapshots import REWRITTEN, Event, Shape, list_closing_events, list_table_events
from chat.turns.admission import QueuePlace, admission
from chat.turns.drafting import Restart
from chat.turns.grounding import check_length, get_given_rewrite, note_asked, prepare_ground
from chat.turns.grounding.ground import AnswerRequest, Ground
from chat.turns.pipeline_steps import list_opening_steps, list_steps
from chat.turns.recording import build_ending, end_without_document
from chat.turns.writing import write
from citations.attribution.citing import (
    Cited,
    cite,
    cite_afresh,
    is_built_on_deleted,
    leave_out,
    present,
)
from citations.index.scope import Scope
from citations.session_focus.document_scope import count_reachable_documents
from memory import audit
from memory.conversations.asking import choose_rewriting
from memory.conversations.attempts import Ending
from memory.errors import describe_error
from memory.models import Turn, User
from memory.people import rate_limits
from memory.people.display import get_local_day
from memory.recall import Given
from memory.recall.rewriting.exchanges import Exchange
from memory.sqlite.patience import long_patience
from memory.text.token_counting import count_tokens

log = logging.getLogger(__name__)
R = TypeVar("R")

# Placeholder of a missing side of an exchange.
MISSING = "…"


@dataclass(frozen=True)
class Query:
    """A question that is not stored, with its history."""

    owner: User
    text: str
    style: str
    history: Sequence[Exchange] = ()
    # The client's rewrite, in place of ours.
    standalone: str | None = None
    # The name of the structure; empty to choose by the question.
    structure: str = ""
    # The documents to search; None for all readable ones.
    documents: frozenset[UUID] | None = None


def pair_messages(messages: Iterable[Mapping[str, str]]) -> list[Exchange]:
    """Return the messages as exchanges, oldest first.

    Consecutive messages of a role are joined and empty ones skipped. A question without an answer,
    or an answer without its question, stands alone.
    """
    said = [message for message in messages if message["content"].strip()]
    sides = [
        (role, "\n\n".join(message["content"].strip() for message in together))
        for role, together in groupby(said, key=lambda message: message["role"])
    ]
    exchanges: list[Exchange] = []
    for role, text in sides:
        if role == "user":
            exchanges.append(Exchange(text, MISSING))
        elif exchanges:
            exchanges[-1] = Exchange(exchanges[-1].query, text)
        else:
            exchanges.append(Exchange(MISSING, text))
    return exchanges


def admit(query: Query) -> None:
    """Count the question against the limits and audit it; raises refusals."""
    model = llm.choose_model("", query.owner.tier)
    check_length(query.text, settings.MAX_TOKENS_PER_CONTEXT, model)
    admission.check_room()
    with transaction.atomic():
        rate_limits.take_turn(query.owner)
        audit.record("query.asked", actor=query.owner.pk)


# --- The answer as events -------------------------------------------------------------------------


async def stream_answer(query: Query) -> AsyncGenerator[Event, None]:
    """Yield the events of the answer, like a turn's but without ids; the last is its end."""
    told = QuerySink(query)
    async with admission.place(query.owner.pk, told.announce_place) as told.place:
        writing = asyncio.create_task(told.run())
        try:
            while (event := await told.events.get()) is not None:
                yield event
        finally:
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)


class QuerySink:
    """The sink of a question that is not stored: a queue of events for the client."""

    place: QueuePlace

    def __init__(self, query: Query) -> None:
        self.query = query
        # Back-pressure: the answer is at most one event ahead of the client.
        self.events: asyncio.Queue[Event | None] = asyncio.Queue(maxsize=1)
        # The events before the text, and the counts of characters and rows sent.
        self._beginning: list[Event] = []
        self._attempt, self._known, self._rows = 1, 0, 0

    async def run(self) -> None:
        """Write the answer; None is the last item of the queue."""
        try:
            with long_patience():
                await write(self)
        except Exception as error:  # noqa: BLE001 - the client must get an error event
            log.error("query_raised", extra=describe_error(error))
            await self.fail("internal_error")
        await self.events.put(None)

    async def begin(self) -> None:
        """Send the question, and the number of documents in scope."""
        query = self.query
        self._attempt, self._known, self._rows = 1, 0, 0
        documents = await run_in_thread(count_reachable_documents, query.owner.pk, query.documents)
        asked = {"status": Turn.Status.PENDING, "query": query.text, "documents": documents}
        nameless = {"turn_id": None, "session_id": None, "position": None}
        self._beginning = [
            Event("turn", "", nameless | {"attempt": self._attempt, "resumed": False} | asked)
        ]
        await self._tell(self._beginning)
        await self.place.begun.wait()

    def announce_place(self, before: int) -> None:
        """Send the number of answers before it, unless the client hasn't read the last event."""
        if not self.events.full():
            self.events.put_nowait(Event("waiting", "", {"before": before}))

    def prepare(self, shrink: float) -> Ground:
        """Prepare the ground of the answer."""
        query = self.query
        model = llm.choose_model("", query.owner.tier)
        note_asked(query.owner.pk, model)
        request = AnswerRequest(
            query.text,
            Given(query.history),
            limits=llm.prompt_limits(settings.MAX_TOKENS_PER_CONTEXT, model=model, shrink=shrink),
            scope=Scope(owner=query.owner.pk, documents=query.documents),
            begin=cite_afresh,
            today=get_local_day(timezone.now(), query.owner),
            standalone=get_given_rewrite(_turn(query)),
            model=model,
            structure=query.structure,
        )
        return prepare_ground(request)

    async def await_work(self, work: Coroutine[Any, Any, R]) -> R:
        """Await the work; only a disconnection of the client ends it."""
        return await work

    async def open(self, ground: Ground) -> None:
        """Send the rewrite and the passages."""
        admission.prepared(self.place)
        opening: Shape = opening_shape(ground.recalled.rewrite, self.query.text, ground.found)
        rewritten = {key: opening[key] for key in REWRITTEN}
        found = {"passages": opening["passages"]}
        opened = [Event("rewrite", "", rewritten), Event("passages", "", found)]
        self._beginning += opened
        steps = [Event("step", "", step) for step in list_opening_steps(ground)]
        await self._tell([*steps, *opened])

    async def add(self, ground: Ground, step: str | Restart) -> None:
        """Send the text that the client doesn't have yet, in the style."""
        if not isinstance(step, str):  # as for a turn: another text follows
            self._known, self._rows, self._attempt = 0, 0, self._attempt + 1
            turn, *opened = self._beginning
            turn = replace(turn, data={**turn.data, "attempt": self._attempt})
            await self._tell([turn, *opened])
        if fresh := restyle_text(ground.citing.text, self.query.style, after=self._known):
            await self._tell([Event("delta", "", {"text": fresh})])
        self._known = len(ground.citing.text)
        if table := ground.draft.form.make_table():
            await self._tell(list_table_events(table, self._rows))
            self._rows = len(table["rows"])

    def may_lose(self, ground: Ground) -> bool:
        """Return True: there is no earlier text."""
        return True

    async def end(self, ground: Ground, status: str, failure: str) -> None:
        """Send the citations and the finished answer."""
        turn, cited = await run_slow(
            _build_turn, self.query, ground, build_ending(ground, status, failure)
        )
        limit = self.query.documents
        shape = await run_in_thread(unstored_turn_shape, turn, cited, limit)
        closing = list_closing_events(shape, turn.response, turn.style)
        await self._tell(Event(name, "", data) for name, _offset, data in closing)

    async def fail(self, code: str, status: str = Turn.Status.FAILED) -> None:
        """Send the reason why there is no answer."""
        turn = _turn(self.query)
        turn.status, turn.failure = status, code
        failure = {"code": code, "message": answer_failures.describe_failure(code)}
        shape = unstored_turn_shape(turn, Cited())
        await self._tell([Event("error", "", failure | {"turn": shape})])

    async def _tell(self, events: Iterable[Event]) -> None:
        for event in events:
            await self.events.put(event)


def _turn(query: Query) -> Turn:
    """Return an unsaved turn with the fields that a stored one would have."""
    return Turn(
        owner=query.owner,
        query=query.text,
        rewriting=choose_rewriting(query.text, query.standalone),
        standalone_query=query.standalone,
        style=query.style,
        status=Turn.Status.PENDING,
    )


def _build_turn(query: Query, ground: Ground, ending: Ending) -> tuple[Turn, Cited]:
    """Return the unsaved turn as it ended, with its citations."""
    turn, cited = _turn(query), cite(_turn(query), ground.citing)
    with transaction.atomic():
        still = present([offer.passage for offer in ground.citing.offers.values()])
    if is_built_on_deleted(ground.citing, still):
        ending, cited = end_without_document(ending), Cited()
    turn.status, turn.failure, turn.response = ending.status, ending.failure, ending.text
    turn.response_tokens, turn.prompt_tokens = count_tokens(ending.text), ending.prompt_tokens
    rewrite = ground.recalled.rewrite
    turn.standalone_query, turn.rewrite_reason = rewrite.query, rewrite.reason
    turn.rewrite_confidence, turn.new_topic = rewrite.confidence, ending.new_topic
    turn.model, turn.reasoning = ending.model, ending.reasoning or None
    turn.outcome = ending.outcome if ending.status == Turn.Status.COMPLETE else ""
    turn.answerability = ending.answerability
    turn.intent, turn.structure = ending.intent, ending.structure or query.structure
    turn.structured_output = ending.structured_output
    turn.pipeline_steps = list_steps(ground, ending.status, ending.failure)  # type: ignore[attr-defined]
    leave_out(cited, still)  # a deleted document leaves its number and the quote
    for citation in cited.citations:
        if citation.passage is not None:
            citation.source.document = citation.passage.document
    return turn, cited
