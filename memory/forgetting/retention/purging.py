"""Purging what has expired: in short transactions, resumable, past rows that can't be deleted.

What has expired is hidden from that moment (SessionQuerySet.live); the purge follows. Each batch
locks its sessions, asks again whether a hold is on them, and deletes them with all that hangs on
them. Killed in between, the next purge goes on; two at once take different sessions, or find them
gone. A session that raises is noted and left out for a while, and the others go. Where the database
itself can't write for now, no session is to blame: the purge ends, and comes again.
"""

import logging
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection
from django.db.models import F, Q
from django.utils import timezone

from memory import audit
from memory.errors import Held, described
from memory.forgetting.answers import delete_answers_made_of
from memory.forgetting.erasure.lineage import delete_jobs
from memory.forgetting.retention.due import Due
from memory.holds import held_among
from memory.jobs import Pulse
from memory.jobs.batches import delete_whole
from memory.models import PurgeFailure, Session, Turn
from memory.outages import is_passing, one_transaction
from memory.personal_data.packages import delete_packages, unfetched_with

log = logging.getLogger(__name__)

SESSIONS_AT_ONCE = 50
TURNS_AT_ONCE = 1000
FEWEST_AT_ONCE = 50
# How long a transaction should take, in seconds: a batch becomes smaller where one takes longer.
LONGEST = 0.15
# A writer who waits for SQLite's lock looks for it now and then: it needs a gap to find.
SHARE_OF_PAUSE = 0.3
LONGEST_WAIT = timedelta(days=1)

# Told what a batch has deleted, in its transaction: sessions_gone, turns_gone.
Count = Callable[..., None]


@dataclass
class Purged:
    """What a purge has deleted, and the sessions that it could not delete."""

    sessions: int = 0
    turns: int = 0
    skipped: int = 0
    # Whether time ran out before all was gone, or the database couldn't write.
    is_unfinished: bool = False

    def add(self, other: "Purged") -> None:
        """Add what another purge has done."""
        self.sessions += other.sessions
        self.turns += other.turns
        self.skipped += other.skipped
        self.is_unfinished |= other.is_unfinished


@dataclass(frozen=True)
class _Place:
    """Where in the order of expiry a purge has come to."""

    expires_at: datetime
    pk: UUID

    @property
    def behind(self) -> Q:
        return Q(expires_at__gt=self.expires_at) | Q(expires_at=self.expires_at, pk__gt=self.pk)


def purge(
    due: Due,
    *,
    pulse: Pulse = lambda: None,
    count: Count = lambda **gone: None,
    seconds: float = math.inf,
) -> Purged:
    """Delete the sessions that are due and that nothing holds, for at most so many seconds."""
    purged = Purged()
    place: _Place | None = None
    end = time.monotonic() + seconds
    at_once = TURNS_AT_ONCE
    while rows := _next(due, place, at_once):
        if time.monotonic() >= end:
            purged.is_unfinished = True
            break
        place = _Place(rows[-1].expires_at, rows[-1].pk)
        began = time.monotonic()
        try:
            _purge_batch(due, rows, purged, count)
        except Exception as error:
            if not is_passing(error):
                raise
            log.warning("purge_interrupted", extra=described(error))
            purged.is_unfinished = True
            break
        took = time.monotonic() - began
        at_once = _paced(at_once, took)
        pulse()
        if connection.vendor == "sqlite":
            time.sleep(took * SHARE_OF_PAUSE)
    return purged


def _paced(at_once: int, took: float) -> int:
    """Return how many turns to take next, after so many took so long."""
    if took > LONGEST:
        return max(at_once // 2, min(FEWEST_AT_ONCE, at_once))
    return min(at_once * 2, TURNS_AT_ONCE) if took < LONGEST / 3 else at_once


def _next(due: Due, place: _Place | None, at_once: int) -> list[Session]:
    """Return the next sessions, as many as one transaction should delete, but at least one."""
    rows = due.takable().order_by("expires_at", "pk").only("expires_at", "turn_count")
    found = list((rows.filter(place.behind) if place else rows)[:SESSIONS_AT_ONCE])
    turns = 0
    for number, session in enumerate(found):
        turns += session.turn_count
        if turns > at_once and number:
            return found[:number]
    return found


def _purge_batch(due: Due, rows: Sequence[Session], purged: Purged, count: Count) -> None:
    try:
        _delete(due, rows, purged, count)
    except Exception as error:  # a row that raises must not stop the others
        if is_passing(error):
            raise
        if len(rows) == 1:
            note_failure(rows[0].pk, error)
            purged.skipped += 1
            return
        for row in rows:
            _purge_batch(due, [row], purged, count)


def _delete(due: Due, rows: Sequence[Session], purged: Purged, count: Count) -> None:
    rows = _told_nowhere(rows)
    for session in rows:
        if session.turn_count > TURNS_AT_ONCE:
            purged.turns += _purge_turns(due, session.pk, count)
    gone, turns = _delete_sessions(due, [session.pk for session in rows], count)
    purged.sessions += gone
    purged.turns += turns


@one_transaction
def _delete_sessions(due: Due, session_ids: Sequence[UUID], count: Count) -> tuple[int, int]:
    """Delete those of the sessions that are ours to delete; return how many, with their turns."""
    ids = _locked(due, session_ids)
    if not ids:
        return 0, 0
    audit.record_all("session.expired", [Session(pk=pk) for pk in ids])
    turns = Turn.objects.filter(session_id__in=ids)
    number = turns.count()
    delete_jobs(ids)
    delete_jobs(turns.values("pk"))
    packages = unfetched_with(ids)
    PurgeFailure.objects.filter(session_id__in=ids).delete()
    delete_whole(Session, ids)
    delete_packages(packages)  # not before: sessions are locked first
    count(sessions_gone=len(ids), turns_gone=number)
    return len(ids), number


def _told_nowhere(rows: Sequence[Session]) -> list[Session]:
    """Return those of the sessions that no answer elsewhere tells of, once such are withdrawn.

    One that a held answer tells of stays hidden until the end of the hold.
    """
    try:
        delete_answers_made_of(Turn.objects.filter(session__in=[row.pk for row in rows]))
    except Held:
        if len(rows) == 1:
            return []
        return [each for row in rows for each in _told_nowhere([row])]
    return list(rows)


def _purge_turns(due: Due, session_id: UUID, count: Count) -> int:
    """Delete turns of a large session until what is left goes with it; return how many went."""
    emptied = 0
    while gone := _purge_some_turns(due, session_id, count):
        emptied += gone
    return emptied


@one_transaction
def _purge_some_turns(due: Due, session_id: UUID, count: Count) -> int:
    ids = _locked(due, [session_id])
    rows = Turn.objects.filter(session_id__in=ids).order_by("position")
    turns = list(rows.values_list("pk", flat=True)[: TURNS_AT_ONCE + 1])
    if len(turns) <= TURNS_AT_ONCE:
        return 0
    delete_jobs(turns)
    gone = delete_whole(Turn, turns)
    Session.objects.filter(pk=session_id).update(turn_count=F("turn_count") - len(turns))
    count(turns_gone=len(turns))
    return gone


def _locked(due: Due, session_ids: Sequence[UUID]) -> list[UUID]:
    """Return those of the sessions that are ours to delete, locked until the transaction ends."""
    rows = due.sessions().filter(pk__in=session_ids).order_by("pk")
    ours = set(rows.select_for_update(skip_locked=True, of=("self",)).values_list("pk", flat=True))
    # Asked once they are locked: a hold that was being placed is there now.
    return sorted(ours - held_among(ours))


def note_failure(session_id: UUID, error: Exception) -> None:
    """Note that the session can't be deleted, or trimmed, to be tried again later and later."""
    # Whoever watches the logs is to be told, since this does not mend itself; and first, since a
    # process that is killed after the note never would: what is noted isn't tried again soon.
    log.error("purge_failed", extra={"session": str(session_id), **described(error)})
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
