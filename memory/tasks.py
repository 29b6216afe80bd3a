"""Periodic tasks: dead processes and workers are detected, and expired data is purged.

Celery's beat is the clock. While it or its broker is down, the workers check by themselves.
"""

import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from memory import jobs, postponed, samples
from memory.audit import expiry, feed
from memory.audit.integrity import keeping
from memory.conversations.idempotency import purge_idempotency_keys
from memory.conversations.interrupting import interrupt_lapsed
from memory.conversations.liveness import delete_dead
from memory.errors import describe_error
from memory.forgetting.erasure import requests
from memory.forgetting.retention import sweeping
from memory.jobs import Lease, WorkClass
from memory.models import Job
from memory.people import api_tokens
from memory.people.sign_in import devices
from memory.people.staff import approvals, emergencies
from memory.personal_data import package_ends
from memory.recall.facts import ending

log = logging.getLogger(__name__)

CLEAN_UP = jobs.register_kind("clean_up", WorkClass.RIGHTS, jobs.AuditClass.ACTS)
EVERYONE = UUID(int=1)
# Clean-up steps of other apps: called with a pulse that renews the lease.
CleanUp = Callable[[jobs.Pulse], object]
_registered: dict[str, CleanUp] = {}
# After so many missed beats of the clock, the workers clean up by themselves.
MISSED = 2


@shared_task
def work() -> None:
    """Do the due jobs, for installations with only Celery's workers."""
    jobs.run_due()


@shared_task
def sweep() -> None:
    """Detect dead processes, and do the jobs that are due."""
    _look_around()
    jobs.run_due()


@shared_task
def clean_up() -> None:
    """Enqueue the clean-up."""
    jobs.enqueue(CLEAN_UP, EVERYONE)


def look() -> None:
    """Detect dead processes, and start a clean-up that the clock has missed."""
    _look_around()
    now, missed = timezone.now(), timedelta(seconds=MISSED * settings.CLEANUP_INTERVAL)
    # A job that ended in the future comes from a clock that was set back.
    lately = Q(finished_at__range=(now - missed, now + missed))
    known = Job.objects.filter(kind=CLEAN_UP, subject=EVERYONE)
    if not known.filter(Q(finished_at=None) | lately).exists():
        clean_up()


def _look_around() -> None:
    interrupt_lapsed()
    jobs.advance_postponed()
    keeping.extend_and_anchor()
    feed.enqueue_feed()


@jobs.job(CLEAN_UP)
def clean_up_once(lease: Lease) -> None:
    """Clean up, and keep only the last of the finished jobs.

    These jobs are frequent, and workers check every few seconds for a missing one.
    """
    clean_up_all(lease.pulse)
    with lease.finishing():
        done = Job.objects.filter(kind=CLEAN_UP, subject=EVERYONE, status=Job.Status.DONE)
        done.exclude(pk=lease.job_id).delete()


def cleans_up(name: str) -> Callable[[CleanUp], CleanUp]:
    """Register a clean-up step of an app."""

    def register(step: CleanUp) -> CleanUp:
        _registered[name] = step
        return step

    return register


def clean_up_all(pulse: jobs.Pulse = lambda: None) -> None:
    """Purge expired and temporary rows.

    A step that raises doesn't prevent the others.
    """
    steps: dict[str, Callable[[], object]] = {
        "sessions": sweeping.sweep_all,
        "waiting": postponed.resume,
        "requests": requests.resume,
        "facts": ending.purge_expired,
        "packages": partial(package_ends.purge_expired, pulse),
        "tokens": api_tokens.purge_expired,
        "devices": devices.purge_ended,
        "emergencies": emergencies.tell_waiting,
        "approvals": approvals.end_overdue,
        "keys": partial(purge_idempotency_keys, older_than=timedelta(days=1)),
        "processes": delete_dead,
        "jobs": partial(jobs.purge_finished, older_than=timedelta(days=7)),
        "audit": expiry.purge_audit,
        "audit chain": keeping.watch,
        "samples": samples.take_samples,
        **{name: partial(step, pulse) for name, step in _registered.items()},
    }
    for name, step in steps.items():
        pulse()
        try:
            step()
        except jobs.LostLease:
            raise
        except Exception as error:  # noqa: BLE001 - see above
            log.error("clean_up_failed", extra={"step": name, **describe_error(error)})
