"""What Celery calls: wake-ups without content; the work itself is in rows (memory.jobs)."""

import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from celery import shared_task

from memory import jobs, postponed
from memory.audit import expiry
from memory.conversations.asking import purge_idempotency_keys
from memory.conversations.interrupting import interrupt_lapsed
from memory.conversations.liveness import delete_dead
from memory.errors import described
from memory.forgetting.erasure import requests
from memory.forgetting.retention import sweeping
from memory.people import api_tokens, devices
from memory.personal_data import packages

log = logging.getLogger(__name__)


@shared_task
def work() -> None:
    """Do the jobs that are due."""
    jobs.run_due()


@shared_task
def sweep() -> None:
    """Find what a lost message or a dead process left behind."""
    interrupt_lapsed()
    jobs.run_due()


@shared_task
def clean_up() -> None:
    """Purge what has expired, and what is only kept for a while.

    No step that raises keeps the others from being done.
    """
    steps: dict[str, Callable[[], object]] = {
        "sessions": sweeping.sweep_all,
        "waiting": postponed.resume,
        "requests": requests.resume,
        "packages": packages.purge_expired,
        "tokens": api_tokens.purge_expired,
        "devices": devices.purge_ended,
        "keys": partial(purge_idempotency_keys, older_than=timedelta(days=1)),
        "processes": delete_dead,
        "jobs": partial(jobs.purge_finished, older_than=timedelta(days=7)),
        "audit": expiry.purge_audit,
    }
    for name, step in steps.items():
        try:
            step()
        except Exception as error:  # noqa: BLE001 - see above
            log.error("clean_up_failed", extra={"step": name, **described(error)})
