"""Work that must happen: once, whatever is killed."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from uuid import UUID

import pytest
from celery import current_app
from django.db import transaction
from django.utils import timezone
from kombu import pools
from uuid_utils.compat import uuid7

from memory.jobs import queue
from memory.jobs.queue import Lease, LostLease, enqueue, run, run_due
from memory.models import AuditEvent, Job

pytestmark = pytest.mark.django_db


@pytest.fixture
def handled() -> Iterator[list[UUID]]:
    """Register a kind of job whose effect is one row in the database."""
    seen: list[UUID] = []

    @queue.job("test")
    def handle(lease: Lease) -> None:
        seen.append(lease.subject)
        with lease.finishing():
            AuditEvent.objects.create(action="test.effect", subject_id=lease.subject)

    yield seen
    del queue._handlers["test"]


def effects(subject: UUID) -> int:
    return AuditEvent.objects.filter(action="test.effect", subject_id=subject).count()


def test_a_job_is_done_once(handled: list[UUID]) -> None:
    row = enqueue("test", uuid7())
    assert run_due() == 1
    assert run_due() == 0
    row.refresh_from_db()
    assert row.status == Job.Status.DONE
    assert effects(row.subject) == 1


def test_work_that_waits_is_not_doubled(handled: list[UUID]) -> None:
    subject = uuid7()
    assert enqueue("test", subject) == enqueue("test", subject)


def test_a_job_is_not_done_before_its_time(handled: list[UUID]) -> None:
    enqueue("test", uuid7(), delay=timedelta(minutes=5))
    assert run_due() == 0


def test_a_job_enqueued_in_a_transaction_that_fails_never_was(handled: list[UUID]) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        enqueue("test", uuid7())
        raise ZeroDivisionError
    assert not Job.objects.exists()


def test_a_job_of_a_killed_worker_is_taken_again_when_its_lease_ends(handled: list[UUID]) -> None:
    row = enqueue("test", uuid7())
    abandoned = queue._take(row.pk)
    assert abandoned
    assert run_due() == 0
    Job.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    assert run_due() == 1
    with pytest.raises(LostLease), abandoned.finishing():
        AuditEvent.objects.create(action="test.effect", subject_id=row.subject)
    assert effects(row.subject) == 1


def test_a_worker_that_lost_its_lease_learns_it_when_it_holds(handled: list[UUID]) -> None:
    row = enqueue("test", uuid7())
    slow = queue._take(row.pk)
    assert slow
    Job.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    assert queue._take(row.pk)
    with pytest.raises(LostLease):
        slow.pulse(progress=1, total=2)


def test_a_job_that_raises_is_tried_again_later_and_then_given_up() -> None:
    @queue.job("poison")
    def raise_always(lease: Lease) -> None:
        raise ValueError("a person's words")

    row = enqueue("poison", uuid7())
    for _ in range(queue.MAX_FAILURES):
        Job.objects.update(due_at=timezone.now() - timedelta(seconds=1))
        assert run(row.pk)
    row.refresh_from_db()
    assert (row.status, row.error) == (Job.Status.FAILED, "ValueError")
    assert run_due() == 0


def test_a_poison_job_does_not_stop_the_others(handled: list[UUID]) -> None:
    @queue.job("poison")
    def raise_always(lease: Lease) -> None:
        raise ValueError

    enqueue("poison", uuid7())
    subject = enqueue("test", uuid7()).subject
    run_due()
    assert effects(subject) == 1


def test_finished_rows_are_forgotten_in_batches(handled: list[UUID]) -> None:
    for _ in range(5):
        enqueue("test", uuid7())
    run_due()
    waiting = enqueue("test", uuid7())
    Job.objects.exclude(pk=waiting.pk).update(finished_at=timezone.now() - timedelta(days=8))
    assert queue.purge_finished(older_than=timedelta(days=7), batch=2) == 5
    assert Job.objects.get() == waiting


@contextmanager
def broker_away() -> Iterator[None]:
    """Send messages where nobody listens, without the connections that are open already."""
    broker = current_app.conf.broker_url
    try:
        use_broker("redis://127.0.0.1:1/0")
        yield
    finally:
        use_broker(broker)


def use_broker(url: str) -> None:
    current_app.conf.broker_url = url
    pools.reset()
    current_app.amqp._producer_pool = current_app._pool = None


def test_a_broker_that_is_away_loses_nothing(handled, django_capture_on_commit_callbacks) -> None:
    with broker_away(), django_capture_on_commit_callbacks(execute=True):
        row = enqueue("test", uuid7())
    run_due()
    assert effects(row.subject) == 1
