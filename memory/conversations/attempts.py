"""The life of an answer in its rows: begun, restarted, ended. Only the attempt's owner writes.

A process owns one attempt for each answer. It may write while the attempt is open and its own.
After an erasure, an end by another process, or a false report of its death, each later write does
nothing and raises LostAttempt. Partial text is written by memory.conversations.checkpoints.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone

from memory.conversations import sources
from memory.conversations.liveness import claim
from memory.holds import is_held
from memory.metrics.counting import count
from memory.models import Attempt, RewriteSource, Session, Turn
from memory.models.conversations import SessionQuerySet
from memory.models.rows import get_row_or_none, lock_rows
from memory.models.turns import WITHDRAWN
from memory.outages import one_transaction
from memory.recall.rewriting.exchanges import Rewrite
from memory.sealing import UnsealError
from memory.text.citation_markers import strip_markers
from memory.text.token_counting import count_tokens

# Set in an opening if the answer may repeat earlier turns or facts of its person. Which ones is
# known once it is recorded whole.
IS_PERSONAL = "is_personal"
# The failure of an answer that would have replaced a text under a legal hold.
KEPT_BY_HOLD = "held"


class LostAttempt(Exception):
    """The attempt no longer belongs to this process: it ended, lapsed, or was erased."""


@dataclass(frozen=True)
class Ending:
    """The end of an attempt: its status, text and failure, and its results."""

    status: str
    text: str
    failure: str = ""
    model: str = ""
    rewrite: Rewrite | None = None
    new_topic: bool = False
    # The first position of its topic; None if unknown.
    topic: int | None = None
    prompt_tokens: int = 0
    reasoning: str = ""
    # The outcome of the text (Turn.Outcome), and the probability that the library had an answer.
    outcome: str = ""
    answerability: float | None = None
    # The detected intent of the question, the form of the answer, and its content in that form.
    intent: str = ""
    structure: str = ""
    structured_output: Mapping[str, Any] | None = None


def begin_again(turn: Turn, **values: object) -> Attempt:
    """Begin the next attempt at the turn, inside a transaction."""
    number = (turn.attempts.aggregate(last=Max("number"))["last"] or 0) + 1
    return Attempt.objects.create(turn=turn, owner=turn.owner, number=number, **claim(), **values)


def begin(attempt: Attempt, *, opening: dict[str, object]) -> None:
    """Store the opening of the answer, for readers in other processes."""
    with transaction.atomic():
        _write(attempt, opening=_seal_value(attempt, "opening", opening))
        Turn.objects.filter(pk=attempt.turn_id).update(status=Turn.Status.ANSWERING)


def begin_anew(attempt: Attempt, **values: object) -> None:
    """Drop the text under the attempt's next number, so that readers notice the change."""
    partial = _seal_value(attempt, "partial", "")
    _write(attempt, number=attempt.number + 1, partial=partial, **values)
    attempt.number += 1


def request_stop(turn: Turn) -> bool:
    """Request a stop of the answer; return whether one is open."""
    return bool(turn.attempts.filter(finished_at=None).update(stop_requested=True))


def lock(attempt: Attempt) -> Session:
    """Lock the attempt's session, which is always locked first; raises LostAttempt if erased.

    It is read after locking, with its owner and the current policy. Meanwhile a run may have ended
    it, or its owner may have changed tier.
    """
    mine = lock_rows(_select_session(attempt).only("pk").order_by())
    whole = mine.defer(None).select_related("owner").defer("title", "metadata").join_policy()
    session = next(iter(whole), None)
    if session is None:
        raise LostAttempt
    return session


def _select_session(attempt: Attempt) -> SessionQuerySet:
    return Session.objects.filter(pk=attempt.turn.session_id, owner=attempt.owner_id)


def end(attempt: Attempt, ending: Ending, *, locked: Session | None = None) -> Ending:
    """End the attempt and give its turn the answer, inside a transaction; raises LostAttempt.

    Returns the actual end: without its text, if that may not be stored any more. `locked` is the
    session, if the caller has locked it.
    """
    now = timezone.now()
    session = locked or lock(attempt)
    ending = _drop_overwriting_text(attempt, _drop_deleted_text(attempt.turn, ending))
    _write(
        attempt,
        finished_at=now,
        outcome=ending.status,
        failure=ending.failure,
        opening=None,
        partial=_seal_value(attempt, "partial", ""),
    )
    _move_clock(session, now, grown=_store_answer(attempt, ending, now))
    return ending


def _store_answer(attempt: Attempt, ending: Ending, now: datetime) -> int:
    """Store the attempt's result on the turn; return by how many tokens its answer has grown."""
    turn = attempt.turn
    had_text = bool(turn.response_tokens)
    if had_text:  # it may have been withdrawn since the attempt began
        turn.refresh_from_db(fields=["response_tokens", "outcome"])
    # An attempt without text keeps the previous text and its citations; and a complete answer stays
    # complete, even if a better one failed.
    stays = bool(turn.response_tokens) and not ending.text
    text = {} if stays else _build_answer_values(turn, ending)
    if stays and not turn.outcome and ending.status == Turn.Status.COMPLETE:
        text = {"outcome": ending.outcome}
    if ending.text and had_text:
        sources.delete_sources(turn)
    Turn.objects.filter(pk=turn.pk, owner=turn.owner_id).update(
        status=Turn.Status.COMPLETE if stays and turn.outcome else ending.status,
        failure=ending.failure,
        finished_at=now,
        prompt_tokens=ending.prompt_tokens,
        new_topic=ending.new_topic,
        topic=ending.topic,
        **_build_rewrite_values(turn, ending.rewrite),
        **text,
    )
    if ending.rewrite:
        _note_sources(turn, ending.rewrite, is_first=attempt.number == 1)
    transaction.on_commit(partial(_count, ending, text.get("response_tokens", 0)))
    return int(text.get("response_tokens", turn.response_tokens)) - turn.response_tokens


def _count(ending: Ending, tokens: int) -> None:
    count("turns_total", status=ending.status, outcome=ending.outcome)
    count("tokens_total", ending.prompt_tokens, kind="prompt", model=ending.model)
    count("tokens_total", tokens, kind="answer", model=ending.model)


def _move_clock(session: Session, now: datetime, *, grown: int) -> None:
    """Restart the locked session's lifetime; one that has expired meanwhile stays expired."""
    if session.expires_at > now:
        # A temporary session whose page was closed isn't extended.
        ends = session.expires_at if session.is_closing else session.compute_expiry(now)
        Session.objects.filter(pk=session.pk, owner=session.owner_id).update(
            last_activity=now,
            expires_at=ends,
            context_tokens=F("context_tokens") + grown,
        )


def _drop_deleted_text(turn: Turn, ending: Ending) -> Ending:
    """Drop the text of an answer that may be built on a private document deleted meanwhile.

    An answer that is recorded whole knows its citations (chat.turns.recording); a rescued text
    doesn't.
    """
    if (
        ending.status == Turn.Status.COMPLETE
        or not sources.has_lost_sources(turn)
        or not ending.text
    ):
        return ending
    return replace(ending, text="", failure=WITHDRAWN)


def _drop_overwriting_text(attempt: Attempt, ending: Ending) -> Ending:
    """Drop the text of a repeated attempt if a hold was placed meanwhile."""
    if attempt.number == 1 or not ending.text or not has_text(attempt.turn_id):
        return ending
    if not is_held(attempt.turn):
        return ending
    return replace(ending, status=Turn.Status.FAILED, text="", failure=KEPT_BY_HOLD, rewrite=None)


def has_text(turn_id: UUID) -> bool:
    """Return whether the turn has an answer, or a part of one."""
    return Turn.objects.filter(pk=turn_id, response_tokens__gt=0).exists()


def _build_answer_values(turn: Turn, ending: Ending) -> dict[str, Any]:
    """Return the columns of a turn's answer, with its tokens counted once."""
    return {
        "response": _seal_value(turn, "response", ending.text),
        "response_tokens": count_tokens(ending.text),
        "recalled_tokens": count_tokens(strip_markers(ending.text)),
        "reasoning": _seal_value(turn, "reasoning", ending.reasoning or None),
        "intent": ending.intent,
        "structure": ending.structure or turn.structure,
        "structured_output": _seal_value(turn, "structured_output", ending.structured_output),
        "model": ending.model,
        # A partial answer has no known outcome.
        "outcome": ending.outcome if ending.status == Turn.Status.COMPLETE else "",
        "answerability": ending.answerability,
    }


def _build_rewrite_values(turn: Turn, rewrite: Rewrite | None) -> dict[str, Any]:
    """Return the columns of the rewrite; without one, they stay unchanged."""
    if rewrite is None:
        return {}
    return {
        "standalone_query": _seal_value(turn, "standalone_query", rewrite.query),
        "rewrite_reason": rewrite.reason,
        "rewrite_confidence": rewrite.confidence,
    }


def _note_sources(turn: Turn, rewrite: Rewrite, *, is_first: bool) -> None:
    if not is_first:
        turn.rewrite_sources.all().delete()
    if not rewrite.positions:  # composing a query takes a millisecond, even if it isn't sent
        return
    drawn_from = turn.session.turns.filter(position__in=rewrite.positions)
    RewriteSource.objects.bulk_create(
        RewriteSource(turn=turn, source=source)
        for source in drawn_from.only("owner_id", "session_id")
    )


def end_alone(attempt: Attempt, ending: Ending) -> None:
    """End the attempt with only its text; raises LostAttempt."""
    mine = Turn.objects.filter(pk=attempt.turn_id, owner=attempt.owner_id)
    turn = get_row_or_none(mine.select_related("session__owner"))
    if turn is None:
        raise LostAttempt
    attempt.turn = turn
    try:
        one_transaction(end)(attempt, ending)
    except UnsealError as error:  # its person is being erased: the key is gone
        raise LostAttempt from error


def rescue_text(turn: Turn, text: str, opening: Mapping[str, object]) -> str:
    """Return the part to keep of a text whose citations were lost with its process.

    Its markers are removed. Nothing is kept if the text continues the turn's own text, or may hold
    personal memories, which it could not be deleted with.
    """
    goes_on = turn.response_tokens and text.startswith(turn.response)
    return "" if goes_on or opening.get(IS_PERSONAL) else strip_markers(text)


def _write(attempt: Attempt, **values: object) -> None:
    mine = Attempt.objects.filter(pk=attempt.pk, owner=attempt.owner_id)
    if not mine.held(attempt.holder).update(**values):
        raise LostAttempt


def _seal_value(row: Attempt | Turn, field: str, value: object) -> object:
    return row._meta.get_field(field).seal_value(row, value)  # type: ignore[union-attr]


def open_attempt(turn_id: UUID) -> Attempt | None:
    """Return the open attempt of the turn, if there is one."""
    return Attempt.objects.filter(turn_id=turn_id, finished_at=None).order_by("-number").first()
