"""Work that must happen: once, whatever is killed."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import transaction
from django.utils import timezone
from uuid_utils.compat import uuid7

from memory import tasks
from memory.jobs import kinds, queue
from memory.jobs.queue import Lease, LostLease, enqueue, run, run_due
from memory.models import AuditEvent, Job

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def handled() -> Iterator[list[UUID]]:
    """Register a kind of job whose effect is one row in the database."""
    seen: list[UUID] = []

    @kinds.job("test")
    def handle(lease: Lease) -> None:
        seen.append(lease.subject)
        with lease.finishing():
            AuditEvent.objects.create(action="test.effect", subject_id=lease.subject)

    yield seen
    del kinds._handlers["test"]


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


def test_a_job_enqueued_in_a_transaction_that_fails_never_was(handled: list[UUID]) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        enqueue("test", uuid7())
        raise ZeroDivisionError
    assert not Job.objects.exists()


def test_a_job_of_a_killed_worker_is_taken_again_when_its_lease_ends(handled: list[UUID]) -> None:
    row = enqueue("test", uuid7())
    abandoned = queue._take(row)
    assert abandoned
    assert run_due() == 0
    Job.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    assert run_due() == 1
    with pytest.raises(LostLease), abandoned.finishing():
        AuditEvent.objects.create(action="test.effect", subject_id=row.subject)
    assert effects(row.subject) == 1


def test_a_worker_that_lost_its_lease_learns_it_when_it_holds(handled: list[UUID]) -> None:
    row = enqueue("test", uuid7())
    slow = queue._take(row)
    assert slow
    Job.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    row.refresh_from_db()
    assert queue._take(row)
    with pytest.raises(LostLease):
        slow.pulse(progress=1, total=2)


def test_a_job_that_raises_is_tried_again_later_and_then_given_up() -> None:
    @kinds.job("poison")
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
    @kinds.job("poison")
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


def test_a_clock_that_went_back_puts_nothing_off(handled: list[UUID]) -> None:
    hour, now = timedelta(hours=1), timezone.now()
    asked, later, taken = (enqueue("test", uuid7()) for _ in range(3))
    jobs = Job.objects.all()
    jobs.filter(pk=asked.pk).update(created_at=now + hour, due_at=now + hour)
    jobs.filter(pk=later.pk).update(created_at=now + hour, due_at=now + 3 * hour)
    jobs.filter(pk=taken.pk).update(status=Job.Status.RUNNING, due_at=now + hour)
    assert run_due() == 0
    assert queue.advance_postponed() == 3
    assert run_due() == 1
    assert effects(asked.subject) == 1
    later.refresh_from_db()
    taken.refresh_from_db()
    assert hour < later.due_at - now < 2.1 * hour, "the delay that was asked for stays"
    assert taken.due_at <= queue.compute_lease_end()
    assert queue.advance_postponed() == 0


def test_what_a_clock_has_done_in_the_future_is_asked_for_again() -> None:
    tasks.look()
    run_due()
    tasks.look()
    assert Job.objects.filter(kind=tasks.CLEAN_UP).count() == 1
    Job.objects.filter(kind=tasks.CLEAN_UP).update(finished_at=timezone.now() + timedelta(hours=1))
    tasks.look()
    assert Job.objects.filter(kind=tasks.CLEAN_UP, finished_at=None).exists()
