"""Questions of clients that keep their own history, like an editor: nothing of them is stored.

They go the way of every turn: recall, find, build, stream, cite (chat.turns.grounding,
citations.attribution.citing). Only the record is missing, and with it whatever a record makes
possible: an answer can't be read twice or taken up again. So it ends when its client leaves
(chat.streams.unstored).
"""

import logging
from collections.abc import AsyncGenerator, Collection, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from chat import llm
from chat.database_threads import aside, in_database
from chat.shapes import failures
from chat.shapes.citation_styles import restyled
from chat.shapes.resources.events import opening_shape
from chat.shapes.resources.turns import unkept_shape
from chat.streams.snapshots import REWRITTEN, Event, Shape, attribution_of
from chat.turns.checking import judged
from chat.turns.composing import written
from chat.turns.drafting import ANEW
from chat.turns.grounding import SHRUNK, Ground, as_asked_for, check_length, lay_ground
from citations.attribution.citing import (
    Cited,
    cite,
    cite_afresh,
    is_built_on_deleted,
    leave_out,
    present,
)
from citations.retrieval import Scope
from citations.session_focus.document_scope import within_reach
from memory import audit
from memory.conversations.asking import rewriting
from memory.errors import ModelError, QuestionTooLong, described
from memory.models import Turn, User
from memory.models.turns import WITHDRAWN
from memory.people import rate_limits
from memory.people.display import day_of
from memory.recall import Given
from memory.recall.rewriting import Exchange
from memory.text.token_counting import count_tokens

log = logging.getLogger(__name__)

# What stands for a side of an exchange that the client doesn't have.
MISSING = "…"


@dataclass(frozen=True)
class Query:
    """A question that nobody stores, with what was said before it."""

    owner: User
    text: str
    style: str
    history: Sequence[Exchange] = ()
    # What to search for in the place of what would be made of it.
    standalone: str | None = None
    # All that the person may read, if none are named.
    documents: frozenset[UUID] | None = None


def exchanges_of(messages: Iterable[Mapping[str, str]]) -> list[Exchange]:
    """Return the messages of user and assistant as questions with their answers, oldest first.

    Messages in a row of the same role are one; empty ones are passed over. A question without an
    answer, or an answer whose question the client has let go, stands alone.
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
    """Count the question and note in the audit that it was asked; raises what refuses it."""
    model = llm.chosen("", query.owner.tier)
    check_length(query.text, settings.MAX_TOKENS_PER_CONTEXT, model)
    with transaction.atomic():
        rate_limits.take_turn(query.owner)
        audit.record("query.asked", actor=query.owner.pk)


# --- The answer as events -------------------------------------------------------------------------


async def answer_of(query: Query) -> AsyncGenerator[Event, None]:
    """Yield the events of the answer, as a turn's but without ids; the last tells the end."""
    try:
        try:
            async with aclosing(_attempt(query, shrink=1.0)) as events:
                async for event in events:
                    yield event
        except llm.ContextOverflow:
            async with aclosing(_attempt(query, shrink=SHRUNK)) as events:
                async for event in events:
                    yield event
    except QuestionTooLong:
        yield _failed(_turn(query), "context_overflow")
    except ModelError as error:
        yield _failed(_turn(query), error.code)
    except Exception as error:  # noqa: BLE001 - whatever it is, the client must hear of it
        log.error("query_raised", extra=described(error))
        yield _failed(_turn(query), "internal_error")


async def _attempt(query: Query, *, shrink: float) -> AsyncGenerator[Event, None]:
    begun, attempt = _turn(query), 1
    nameless = {"turn_id": None, "session_id": None, "position": None}
    documents = await in_database(within_reach, query.owner.pk, query.documents)
    told = {"status": begun.status, "query": query.text, "documents": documents}
    yield Event("turn", "", nameless | {"attempt": attempt} | told)
    ground = await aside(_ground, query, shrink)
    known_first: Shape = opening_shape(ground.recalled.rewrite, query.text, ground.found)
    opening = {key: known_first[key] for key in REWRITTEN}
    found = {"passages": known_first["passages"]}
    yield Event("rewrite", "", opening)
    yield Event("passages", "", found)
    known, failure = 0, ""
    try:
        async with aclosing(written(ground, last_try=shrink < 1)) as steps:
            async for step in steps:
                if step is ANEW:  # as for a turn: what follows is another text
                    known, attempt = 0, attempt + 1
                    yield Event("turn", "", nameless | {"attempt": attempt} | told)
                    yield Event("rewrite", "", opening)
                    yield Event("passages", "", found)
                for event in _delta(query, ground, known):
                    yield event
                known = len(ground.citing.text)
    except llm.ContextOverflow:
        raise
    except ModelError as error:
        failure = error.code
    ground.draft.close()
    for event in _delta(query, ground, known):
        yield event
    ground.citing.judged = await judged(ground)
    turn, cited = await aside(_ended, query, ground, failure)
    for event in _ending(turn, cited):
        yield event


def _ground(query: Query, shrink: float) -> Ground:
    model = llm.chosen("", query.owner.tier)
    return lay_ground(
        query.text,
        Given(query.history),
        limits=llm.limits(settings.MAX_TOKENS_PER_CONTEXT, model=model, shrink=shrink),
        scope=Scope(owner=query.owner.pk, documents=query.documents),
        begin=cite_afresh,
        today=day_of(timezone.now(), query.owner),
        standalone=as_asked_for(_turn(query)),
        model=model,
    )


def _delta(query: Query, ground: Ground, known: int) -> Iterable[Event]:
    """Yield what there is of the text behind what is known, in the style."""
    if fresh := restyled(ground.citing.text, query.style, after=known):
        yield Event("delta", "", {"text": fresh})


def _turn(query: Query) -> Turn:
    """Return a turn that is never saved: what a stored one would say."""
    return Turn(
        owner=query.owner,
        query=query.text,
        rewriting=rewriting(query.text, query.standalone),
        standalone_query=query.standalone,
        style=query.style,
        status=Turn.Status.PENDING,
    )


def _ended(query: Query, ground: Ground, failure: str) -> tuple[Turn, Cited]:
    cited = cite(_turn(query), ground.citing)
    with transaction.atomic():
        still = present([offer.passage for offer in ground.citing.offers.values()])
    turn, withdrawn = _turn(query), is_built_on_deleted(ground.citing, still)
    turn.failure = WITHDRAWN if withdrawn else failure or ground.draft.failure
    turn.status = Turn.Status.FAILED if withdrawn or failure else Turn.Status.COMPLETE
    turn.response = "" if withdrawn else ground.citing.text
    turn.response_tokens = count_tokens(turn.response)
    rewrite = ground.recalled.rewrite
    turn.standalone_query, turn.rewrite_reason = rewrite.query, rewrite.reason
    turn.rewrite_confidence, turn.new_topic = rewrite.confidence, ground.recalled.new_topic
    turn.prompt_tokens = ground.prompt.tokens
    turn.model, turn.reasoning = ground.model, ground.draft.reasoning or None
    turn.outcome = ground.outcome if turn.status == Turn.Status.COMPLETE else ""
    turn.answerability = ground.answerability
    return turn, Cited() if withdrawn else _present(cited, still)


def _present(cited: Cited, still: Collection[int]) -> Cited:
    """Return what is cited, never saved; a document that went leaves its number and the quote."""
    leave_out(cited, still)
    for citation in cited.citations:
        if citation.passage is not None:
            citation.source.document = citation.passage.document
    return cited


def _ending(turn: Turn, cited: Cited) -> Iterable[Event]:
    shape = unkept_shape(turn, cited)
    if below := shape["response"][len(restyled(turn.response, turn.style)) :]:
        yield Event("delta", "", {"text": below})
    yield Event("citations", "", attribution_of(shape))
    if turn.status == Turn.Status.FAILED:
        yield Event("error", "", {**(shape["failure"] or {}), "turn": shape})
    else:
        yield Event("done", "", shape)


def _failed(turn: Turn, code: str) -> Event:
    turn.status, turn.failure = Turn.Status.FAILED, code
    failure = {"code": code, "message": failures.message(code)}
    return Event("error", "", failure | {"turn": unkept_shape(turn, Cited())})
