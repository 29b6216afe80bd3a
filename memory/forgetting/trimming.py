"""Trimming: turns over a cap that was lowered leave, oldest first, with what was made from them.

The others keep their positions. Nothing is trimmed but by a confirmed run (memory.forgetting.runs),
and by what such a run had to leave waiting for the end of a hold.
"""

from collections.abc import Callable
from uuid import UUID

from django.db import transaction
from django.db.models import F

from memory import audit
from memory.errors import Held
from memory.forgetting import waiting
from memory.forgetting.batches import delete_whole
from memory.forgetting.holds import held
from memory.forgetting.lineage import forget_jobs, retitle, unlearn
from memory.forgetting.packages import discard_packages
from memory.forgetting.purging import Counted, nobody, note_failure
from memory.models import PurgeFailure, Session, Turn

TRIM = "trim"
TURNS_AT_ONCE = 200


def trim(
    session_id: UUID,
    *,
    keep: int,
    after_batch: Callable[[], None] = lambda: None,
    counted: Counted = nobody,
) -> int:
    """Delete the oldest turns of a session that has more than it may keep; return how many went.

    Of one that is held nothing goes: the wish is noted, and Held is raised. `counted` is told of
    each batch in its transaction.
    """
    trimmed = 0
    try:
        while gone := _trim_some(session_id, keep, counted):
            trimmed += gone
            after_batch()
    except Held:
        _wait(session_id)
        raise
    PurgeFailure.objects.filter(pk=session_id).delete()
    return trimmed


def note_untrimmed(session_id: UUID, error: Exception) -> None:
    """Note that the session can't be trimmed, to be tried again; who watches the log is told."""
    note_failure(session_id, error)
    _wait(session_id)


def _wait(session_id: UUID) -> None:
    owner_id = Session.objects.filter(pk=session_id).values_list("owner_id", flat=True).first()
    waiting.wait(TRIM, session_id, person=owner_id, actor=None)


@waiting.carries_out(TRIM)
def trim_later(session_id: UUID, actor: UUID | None) -> None:
    """Trim what a hold kept whole to what its owner's policy allows by now."""
    session = Session.objects.select_related("owner").filter(pk=session_id).first()
    if session is not None:
        trim(session_id, keep=session.policy.max_turns)


def _trim_some(session_id: UUID, keep: int, counted: Counted) -> int:
    with transaction.atomic():
        session = Session.objects.select_for_update().filter(pk=session_id).first()
        if session is None or session.turn_count <= keep:
            return 0
        if held(session):
            raise Held
        excess = min(session.turn_count - keep, TURNS_AT_ONCE)
        turns = list(session.turns.order_by("position")[:excess])
        audit.record("session.trimmed", actor=None, subject=session)
        gone = _drop(session, turns)
        counted(trimmed=gone)
        return gone


def _drop(session: Session, turns: list[Turn]) -> int:
    ids = [turn.pk for turn in turns]
    if not ids:
        return 0
    unlearn(session, turns)
    forget_jobs(ids)
    discard_packages(session.owner_id)
    delete_whole(Turn, ids)
    Session.objects.filter(pk=session.pk).update(
        turn_count=F("turn_count") - len(turns),
        context_tokens=F("context_tokens") - sum(turn.tokens for turn in turns),
    )
    # A title is made of the first question.
    retitle(session, turns[0])
    return len(turns)
