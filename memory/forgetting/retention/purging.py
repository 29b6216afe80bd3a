"""Purging of expired sessions: in short transactions, resumable, past rows that can't be deleted.

An expired session is hidden at once (SessionQuerySet.live); the purge follows. Each batch locks its
sessions, checks holds again, and deletes the sessions with all their rows. A killed purge is
resumed by the next one; two at once skip each other's sessions. A session that raises is noted and
retried later. If the database can't write for now, the purge ends and is retried.
"""

import logging
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db.models import F, Q
from django.utils import timezone

from memory import audit
from memory.errors import Held, describe_error
from memory.forgetting.answers import delete_derived_answers
from memory.forgetting.erasure.lineage import delete_jobs
from memory.forgetting.retention.due import Due
from memory.holds import find_held
from memory.jobs import Pulse
from memory.jobs.batches import delete_whole
from memory.models import PurgeFailure, Session, Turn
from memory.outages import is_passing, one_transaction
from memory.personal_data.packages import delete_packages, find_unfetched

log = logging.getLogger(__name__)

SESSIONS_AT_ONCE = 50
TURNS_AT_ONCE = 500  # SQLite deletes these in about .15 s, in which other writers wait
LONGEST_WAIT = timedelta(days=1)

# Called with the counts of a batch, in its transaction: sessions_gone, turns_gone.
Count = Callable[..., None]


@dataclass
class Purged:
    """The counts of a purge, and the number of sessions that it could not delete."""

    sessions: int = 0
    turns: int = 0
    skipped: int = 0
    # Whether time ran out before the end, or the database couldn't write.
    is_unfinished: bool = False

    def add(self, other: "Purged") -> None:
        """Add the counts of another purge."""
        self.sessions += other.sessions
        self.turns += other.turns
        self.skipped += other.skipped
        self.is_unfinished |= other.is_unfinished


def purge(
    due: Due,
    *,
    pulse: Pulse = lambda: None,
    count: Count = lambda **gone: None,
    seconds: float = math.inf,
) -> Purged:
    """Delete the due sessions without a hold, within a time limit in seconds."""
    purged = Purged()
    behind, end = Q(), time.monotonic() + seconds
    while rows := _read_next_sessions(due, behind):
        if time.monotonic() >= end:
            purged.is_unfinished = True
            break
        at, pk = rows[-1].expires_at, rows[-1].pk
        behind = Q(expires_at__gt=at) | Q(expires_at=at, pk__gt=pk)
        try:
            _purge_batch(due, rows, purged, count)
        except Exception as error:
            if not is_passing(error):
                raise
            log.warning("purge_interrupted", extra=describe_error(error))
            purged.is_unfinished = True
            break
        pulse()
    return purged


def _read_next_sessions(due: Due, behind: Q) -> list[Session]:
    """Return the next sessions, as many as fit into one transaction, but at least one."""
    rows = due.takable().order_by("expires_at", "pk").only("expires_at", "turn_count")
    found = list(rows.filter(behind)[:SESSIONS_AT_ONCE])
    turns = 0
    for number, session in enumerate(found):
        turns += session.turn_count
        if turns > TURNS_AT_ONCE and number:
            return found[:number]
    return found


def _purge_batch(due: Due, rows: Sequence[Session], purged: Purged, count: Count) -> None:
    try:
        _delete(due, rows, purged, count)
    except Exception as error:  # a failing row must not stop the others
        if is_passing(error):
            raise
        if len(rows) == 1:
            note_failure(rows[0].pk, error)
            purged.skipped += 1
            return
        for row in rows:
            _purge_batch(due, [row], purged, count)


def _delete(due: Due, rows: Sequence[Session], purged: Purged, count: Count) -> None:
    rows = _withdraw_derived_answers(rows)
    for session in rows:
        if session.turn_count > TURNS_AT_ONCE:
            while gone := _purge_some_turns(due, session.pk, count):
                purged.turns += gone
    sessions, turns = _delete_sessions(due, [session.pk for session in rows], count)
    purged.sessions += sessions
    purged.turns += turns


@one_transaction
def _delete_sessions(due: Due, session_ids: Sequence[UUID], count: Count) -> tuple[int, int]:
    """Delete the sessions that may be deleted; return how many, with their turns."""
    ids = _lock_sessions(due, session_ids)
    if not ids:
        return 0, 0
    audit.record_all("session.expired", [Session(pk=pk) for pk in ids])
    turns = Turn.objects.filter(session_id__in=ids)
    number = turns.count()
    delete_jobs(ids)
    delete_jobs(turns.values("pk"))
    packages = find_unfetched(ids)
    PurgeFailure.objects.filter(session_id__in=ids).delete()
    delete_whole(Session, ids)
    delete_packages(packages)  # not before: sessions are locked first
    count(sessions_gone=len(ids), turns_gone=number)
    return len(ids), number


def _withdraw_derived_answers(rows: Sequence[Session]) -> list[Session]:
    """Return the sessions without derived answers elsewhere, after withdrawing these.

    A session with a held derived answer stays hidden until the hold's release.
    """
    try:
        delete_derived_answers(Turn.objects.filter(session__in=[row.pk for row in rows]))
    except Held:
        if len(rows) == 1:
            return []
        return [each for row in rows for each in _withdraw_derived_answers([row])]
    return list(rows)


@one_transaction
def _purge_some_turns(due: Due, session_id: UUID, count: Count) -> int:
    """Delete turns of a large session, until few are left; return how many were deleted."""
    ids = _lock_sessions(due, [session_id])
    rows = Turn.objects.filter(session_id__in=ids).order_by("position")
    turns = list(rows.values_list("pk", flat=True)[: TURNS_AT_ONCE + 1])
    if len(turns) <= TURNS_AT_ONCE:
        return 0
    delete_jobs(turns)
    gone = delete_whole(Turn, turns)
    Session.objects.filter(pk=session_id).update(turn_count=F("turn_count") - len(turns))
    count(turns_gone=len(turns))
    return gone


def _lock_sessions(due: Due, session_ids: Sequence[UUID]) -> list[UUID]:
    """Return the sessions that may be deleted, locked until the transaction ends."""
    rows = due.sessions().filter(pk__in=session_ids).order_by("pk")
    ours = set(rows.select_for_update(skip_locked=True, of=("self",)).values_list("pk", flat=True))
    # Checked after locking: a hold that was being placed is visible now.
    return sorted(ours - find_held(ours))


def note_failure(session_id: UUID, error: Exception) -> None:
    """Note that the session can't be deleted, or trimmed, to be retried at growing intervals."""
    # Operators must see it, since it does not mend itself. It is logged before it is noted: a
    # process killed in between would otherwise never report it, since a noted session isn't retried
    # soon.
    log.error("purge_failed", extra={"session": str(session_id), **describe_error(error)})
    failure = PurgeFailure.objects.filter(pk=session_id).first()
    failures = failure.failures + 1 if failure else 1
    wait = min(timedelta(minutes=2 ** min(failures, 20)), LONGEST_WAIT)
    PurgeFailure.objects.update_or_create(
        pk=session_id,
        defaults={
            "failures": failures,
            "error": type(error).__name__[:80],
            "retry_at": timezone.now() + wait,
        },
    )
