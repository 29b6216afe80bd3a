"""Retention sweep: the current policy of a tier, the sweep that purges, and its lag."""

import logging
import time
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memory import audit, jobs
from memory.forgetting.retention.due import Due
from memory.forgetting.retention.purging import Purged, purge
from memory.models import PurgeFailure, RetentionPolicy, RetentionRun, User

log = logging.getLogger(__name__)

# One worker has other work as well: a sweep that isn't done by then comes again behind it.
SWEEP_SECONDS = 20.0
SWEEP, EVERYONE = (
    jobs.register_kind("retention_sweep", jobs.WorkClass.RIGHTS, jobs.AuditClass.ACTS),
    UUID(int=0),
)
Status = RetentionRun.Status


@dataclass(frozen=True)
class Lag:
    """How far the purge is behind: seconds since the oldest expiry, and sessions it can't delete.

    What a hold keeps doesn't count, nor do the sessions that failed and wait for another try.
    """

    seconds: float
    failing: int


def get_policy(person: User) -> RetentionPolicy:
    """Return the policy that rules the person's tier now."""
    return RetentionPolicy.objects.ruling(person.tier)


def sweep_all() -> None:
    """Sweep; what is left after the time of one sweep goes in a job, of which one waits at most."""
    if sweep().is_unfinished:
        jobs.enqueue(SWEEP, EVERYONE)


@jobs.job(SWEEP)
def sweep_on(lease: jobs.Lease) -> None:
    """Sweep once more, and again behind what else has to be done, until nothing is left."""
    purged = sweep(pulse=lease.pulse)
    with lease.finishing():
        if purged.is_unfinished:
            jobs.enqueue(SWEEP, EVERYONE)


def sweep(*, pulse: jobs.Pulse = lambda: None, seconds: float | None = None) -> Purged:
    """Purge what has expired, for SWEEP_SECONDS or another time at most, and record what went."""
    end = time.monotonic() + (SWEEP_SECONDS if seconds is None else seconds)
    now = timezone.now()
    own = RetentionRun(status=Status.DONE, created_at=now, confirmed_at=now, finished_at=now)
    own.lag = round(compute_lag().seconds)
    purged = Purged()
    # What a confirmed run has ended is counted as its own.
    for run in (*RetentionRun.objects.filter(status=Status.RUNNING), own):
        left = end - time.monotonic()
        due = Due(tier=run.tier, person=run.person_id, at=run.confirmed_at or now)
        gone = purge(due, pulse=pulse, count=run.count, seconds=left)
        run.count(skipped=gone.skipped)
        purged.add(gone)
    with transaction.atomic():  # a sweep that has done nothing is no run, and not stored
        if RetentionRun.objects.filter(pk=own.pk).update(finished_at=timezone.now()):
            audit.record("retention.done", actor=None, subject=own)
    behind = compute_lag()
    numbers = {"sessions": purged.sessions, "turns": purged.turns, "skipped": purged.skipped}
    lagging = {"lag_seconds": round(behind.seconds), "failing": behind.failing}
    log.info("purge", extra=numbers | lagging)
    return purged


def compute_lag() -> Lag:
    """Return how far the purge is behind now."""
    now = timezone.now()
    # Whatever ended a session, and the end of a hold, gave it that moment as its end.
    oldest = Due(at=now).takable().order_by("expires_at", "pk").only("expires_at").first()
    seconds = (now - oldest.expires_at).total_seconds() if oldest else 0.0
    return Lag(seconds, PurgeFailure.objects.count())
