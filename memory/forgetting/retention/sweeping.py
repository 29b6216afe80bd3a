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

# Limit in seconds, because one worker has other work: an unfinished sweep is enqueued again.
SWEEP_SECONDS = 20.0
SWEEP, EVERYONE = (
    jobs.register_kind("retention_sweep", jobs.WorkClass.RIGHTS, jobs.AuditClass.ACTS),
    UUID(int=0),
)
Status = RetentionRun.Status


@dataclass(frozen=True)
class Lag:
    """The lag of the purge: seconds since the oldest expiry, and sessions it can't delete.

    Held sessions don't count, nor do those that failed and wait for a retry.
    """

    seconds: float
    failing: int


def get_policy(person: User) -> RetentionPolicy:
    """Return the current policy of the person's tier."""
    return RetentionPolicy.objects.ruling(person.tier)


def sweep_all() -> None:
    """Sweep; after the time limit, the rest is left to a job, of which at most one waits."""
    if sweep().is_unfinished:
        jobs.enqueue(SWEEP, EVERYONE)


@jobs.job(SWEEP)
def sweep_on(lease: jobs.Lease) -> None:
    """Sweep once more, and again after other due work, until nothing is left."""
    purged = sweep(pulse=lease.pulse)
    with lease.finishing():
        if purged.is_unfinished:
            jobs.enqueue(SWEEP, EVERYONE)


def sweep(*, pulse: jobs.Pulse = lambda: None, seconds: float | None = None) -> Purged:
    """Purge expired rows, for SWEEP_SECONDS or another limit, and record the run."""
    end = time.monotonic() + (SWEEP_SECONDS if seconds is None else seconds)
    now = timezone.now()
    own = RetentionRun(status=Status.DONE, created_at=now, confirmed_at=now, finished_at=now)
    own.lag = round(compute_lag().seconds)
    purged = Purged()
    # Sessions ended by a confirmed run are counted as its own.
    for run in (*RetentionRun.objects.filter(status=Status.RUNNING), own):
        left = end - time.monotonic()
        due = Due(tier=run.tier, person=run.person_id, at=run.confirmed_at or now)
        gone = purge(due, pulse=pulse, count=run.count, seconds=left)
        run.count(skipped=gone.skipped)
        purged.add(gone)
    with transaction.atomic():  # an empty sweep is no run, and not stored
        if RetentionRun.objects.filter(pk=own.pk).update(finished_at=timezone.now()):
            audit.record("retention.done", actor=None, subject=own)
    behind = compute_lag()
    numbers = {"sessions": purged.sessions, "turns": purged.turns, "skipped": purged.skipped}
    lagging = {"lag_seconds": round(behind.seconds), "failing": behind.failing}
    log.info("purge", extra=numbers | lagging)
    return purged


def compute_lag() -> Lag:
    """Return the current lag of the purge."""
    now = timezone.now()
    # Every end of a session, and the release of a hold, sets expires_at to its moment.
    oldest = Due(at=now).takable().order_by("expires_at", "pk").only("expires_at").first()
    seconds = (now - oldest.expires_at).total_seconds() if oldest else 0.0
    return Lag(seconds, PurgeFailure.objects.count())
