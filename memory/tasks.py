"""What Celery calls: wake-ups without content; the work itself is in rows (memory.jobs)."""

from datetime import timedelta

from celery import shared_task

from memory import api_tokens, devices, jobs
from memory.answers import interrupt_lapsed
from memory.asking import forget_idempotency_keys
from memory.forgetting import packages, requests, retention


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
    """Forget what is only kept for a while."""
    jobs.forget_finished(older_than=timedelta(days=7))
    forget_idempotency_keys(older_than=timedelta(days=1))
    devices.forget_ended()
    api_tokens.forget_expired()
    packages.forget_expired()
    requests.resume()
    retention.forget_audit()
    if retention.sweep().is_unfinished:
        clean_up.delay()
