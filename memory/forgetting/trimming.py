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
from memory.models import Session, Turn

TRIM = "trim"
TURNS_AT_ONCE = 200


def trim(session_id: UUID, *, keep: int, after_batch: Callable[[], None] = lambda: None) -> int:
    """Delete the oldest turns of a session that has more than it may keep; return how many went.

    Of one that is held nothing goes: the wish is noted, and Held is raised.
    """
    trimmed = 0
    try:
        while gone := _trim_some(session_id, keep):
            trimmed += gone
            after_batch()
    except Held:
        owner_id = Session.objects.filter(pk=session_id).values_list("owner_id", flat=True).first()
        waiting.wait(TRIM, session_id, person=owner_id, actor=None)
        raise
    return trimmed


@waiting.carries_out(TRIM)
def trim_later(session_id: UUID, actor: UUID | None) -> None:
    """Trim what a hold kept whole to what its owner's policy allows by now."""
    session = Session.objects.select_related("owner").filter(pk=session_id).first()
    if session is not None:
        trim(session_id, keep=session.policy.max_turns)


def _trim_some(session_id: UUID, keep: int) -> int:
    with transaction.atomic():
        session = Session.objects.select_for_update().filter(pk=session_id).first()
        if session is None or session.turn_count <= keep:
            return 0
        if held(session):
            raise Held
        excess = min(session.turn_count - keep, TURNS_AT_ONCE)
        turns = list(session.turns.order_by("position")[:excess])
        audit.record("session.trimmed", actor=None, subject=session)
        return _drop(session, turns)


def _drop(session: Session, turns: list[Turn]) -> int:
    ids = [turn.pk for turn in turns]
    if not ids:
        return 0
    unlearn(session, turns)
    forget_jobs(ids)
    delete_whole(Turn, ids)
    Session.objects.filter(pk=session.pk).update(
        turn_count=F("turn_count") - len(turns),
        context_tokens=F("context_tokens") - sum(turn.tokens for turn in turns),
    )
    # A title is made of the first question.
    retitle(session, turns[0])
    return len(turns)
