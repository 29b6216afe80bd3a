"""Trimming: the oldest turns beyond a lowered limit are deleted, with everything made from them.

The others keep their positions. Only a confirmed run trims (memory.forgetting.retention.runs), or
the release of a hold that had deferred a run's trimming.
"""

from uuid import UUID

from memory import audit, postponed
from memory.errors import Held
from memory.forgetting.answers import delete_derived_answers
from memory.forgetting.erasure.lineage import delete_turns
from memory.forgetting.retention.purging import Count, note_failure
from memory.holds import refuse_held
from memory.jobs import Pulse
from memory.models import PurgeFailure, Session, Turn
from memory.outages import one_transaction

TRIM = "trim"
TURNS_AT_ONCE = 200


def trim(
    session_id: UUID,
    *,
    keep: int,
    pulse: Pulse = lambda: None,
    count: Count = lambda **gone: None,
) -> int:
    """Delete the oldest turns of a session that are over the limit; return how many were deleted.

    Of a held session nothing is deleted: the deletion is deferred, and Held is raised. `count` is
    called for each batch in its transaction.
    """
    trimmed = 0
    try:
        while gone := _trim_some(session_id, keep, count):
            trimmed += gone
            pulse()
    except Held:
        _wait(session_id)
        raise
    PurgeFailure.objects.filter(pk=session_id).delete()
    return trimmed


def note_untrimmed(session_id: UUID, error: Exception) -> None:
    """Note that the session can't be trimmed, to be retried; the failure is logged."""
    note_failure(session_id, error)
    _wait(session_id)


def _wait(session_id: UUID) -> None:
    owner_id = Session.objects.filter(pk=session_id).values_list("owner_id", flat=True).first()
    postponed.wait(TRIM, session_id, person=owner_id, actor=None)


@postponed.carries_out(TRIM)
def trim_later(session_id: UUID, actor: UUID | None) -> None:
    """Trim after a hold's release to the current policy of the owner."""
    session = Session.objects.select_related("owner").filter(pk=session_id).first()
    if session is not None:
        trim(session_id, keep=session.policy.max_turns)


def _trim_some(session_id: UUID, keep: int, count: Count) -> int:
    _delete_made_of_oldest(session_id, keep)
    return _delete_oldest(session_id, keep, count)


@one_transaction
def _delete_oldest(session_id: UUID, keep: int, count: Count) -> int:
    """Delete some of the turns over the limit, or raise Held; return how many."""
    session = Session.objects.select_for_update().filter(pk=session_id).first()
    if session is None or session.turn_count <= keep:
        return 0
    refuse_held(session)
    excess = min(session.turn_count - keep, TURNS_AT_ONCE)
    turns = list(session.turns.order_by("position")[:excess])
    audit.record("session.trimmed", actor=None, subject=session)
    count(trimmed=len(turns))  # the run is locked before the dependent rows of the turns
    if turns:
        delete_turns(session, turns)
    return len(turns)


def _delete_made_of_oldest(session_id: UUID, keep: int) -> None:
    """Delete the answers derived from the turns about to be trimmed, or raise Held."""
    session = Session.objects.filter(pk=session_id).first()
    if session is None or session.turn_count <= keep:
        return
    refuse_held(session)
    oldest = session.turns.order_by("position").values_list("pk", flat=True)
    excess = list(oldest[: min(session.turn_count - keep, TURNS_AT_ONCE)])
    delete_derived_answers(Turn.objects.filter(pk__in=excess))
