"""Order of jobs: rights, then conversations, then bulk; within a class, people in turn."""

import random
from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from uuid_utils.compat import uuid7

from memory.jobs import (
    Lease,
    WorkClass,
    compute_backlog,
    enqueue,
    give_way,
    kinds,
    picking,
    run_due,
)
from memory.models import Job

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

RIGHTS, CONVERSATIONS, BULK = WorkClass
Done = list[tuple[str, UUID | None]]


@pytest.fixture
def done() -> Iterator[Done]:
    """Register a kind of each class, and note in which order they are done, and for whom."""
    order: Done = []

    def do(lease: Lease) -> None:
        order.append((WorkClass(lease.work_class).name, lease.owner_id))
        with lease.finishing():
            pass

    picking._served.clear()
    for each in WorkClass:
        kinds.job(kinds.register_kind(each.name, each, kinds.AuditClass.DERIVED))(do)
    yield order
    for each in WorkClass:
        del kinds._handlers[each.name], kinds._classes[each.name]


def ask(work_class: WorkClass, owner: UUID | None = None, *, ago: float = 0.0) -> Job:
    row = enqueue(work_class.name, uuid7(), owner=owner)
    Job.objects.filter(pk=row.pk).update(due_at=timezone.now() - timedelta(seconds=ago))
    return row


def test_rights_go_first_and_bulk_last_whatever_is_older(done: Done) -> None:
    for work_class, age in ((BULK, 30), (CONVERSATIONS, 20), (RIGHTS, 10)):
        ask(work_class, ago=age)
    run_due()
    assert [name for name, _ in done] == ["RIGHTS", "CONVERSATIONS", "BULK"]


def test_a_worker_takes_only_its_classes_in_its_order(done: Done, settings) -> None:
    for each in WorkClass:
        ask(each)
    settings.WORKER_CLASSES = ["conversations", "rights"]
    run_due()
    assert [name for name, _ in done] == ["CONVERSATIONS", "RIGHTS"]
    settings.WORKER_CLASSES = []
    assert run_due() == 0


def test_who_asks_for_much_waits_for_who_asks_for_little(done: Done) -> None:
    """Ninety-six of one person, older than one each of two others and of the installation."""
    busy, *others = sorted([uuid7(), uuid7(), uuid7()], key=lambda _: random.random())
    for _ in range(96):
        ask(BULK, busy, ago=60)
    for owner in (*others, None):
        ask(BULK, owner)
    run_due(limit=4)
    assert {owner for _, owner in done} == {busy, *others, None}
    run_due(limit=96)
    assert [owner for _, owner in done[4:]] == [busy] * 95


def test_bulk_work_gives_way_and_keeps_its_lease_meanwhile(done: Done, settings) -> None:
    """Another worker must not take over a job whose worker does a person's urgent work."""
    settings.JOB_LEASE = 60
    row = ask(BULK)

    @kinds.job("BULK")
    def long(lease: Lease) -> None:
        Job.objects.filter(pk=row.pk).update(due_at=timezone.now())
        for each in WorkClass:
            ask(each)
        give_way(lease)
        assert [name for name, _ in done] == ["RIGHTS", "CONVERSATIONS"]
        with lease.finishing():
            pass

    @kinds.job("RIGHTS")
    def renewing(lease: Lease) -> None:
        done.append(("RIGHTS", None))
        lease.pulse()
        assert Job.objects.get(pk=row.pk).due_at > timezone.now() + timedelta(seconds=50)
        with lease.finishing():
            pass

    assert run_due(limit=1) == 1
    row.refresh_from_db()
    assert row.status == Job.Status.DONE
    assert Job.objects.exclude(status=Job.Status.DONE).get().kind == "BULK"


def test_the_backlog_has_each_class_with_its_oldest_in_one_query(
    done: Done,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    ask(RIGHTS, ago=30)
    ask(RIGHTS, ago=10)
    ask(BULK, ago=-60)  # not due yet
    Job.objects.filter(pk=ask(CONVERSATIONS, ago=5).pk).update(status=Job.Status.DONE)
    with django_assert_num_queries(1):
        found = compute_backlog()
    assert list(found) == ["rights", "conversations", "bulk"]
    assert found["rights"].jobs == 2
    assert 30 <= found["rights"].oldest_age < 40
    assert found["conversations"] == found["bulk"] == (0, 0.0)
