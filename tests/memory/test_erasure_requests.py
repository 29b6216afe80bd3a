"""Requests for erasure: asked for, confirmed, taken back, held, carried out by jobs."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory import holds
from memory.conversations.asking import create_session
from memory.forgetting.erasure import execution, requests, scrubbing
from memory.forgetting.erasure.requests import AskedAlready, TooLate
from memory.forgetting.erasure.scrubbing import Busy
from memory.forgetting.evidence import scanning
from memory.jobs.queue import run_due
from memory.models import (
    AuditEvent,
    Certificate,
    ErasedPerson,
    ErasureRequest,
    Job,
    Session,
    User,
    WaitingDeletion,
)

pytestmark = pytest.mark.django_db

Status, Scope = ErasureRequest.Status, ErasureRequest.Scope


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be rewritten inside a test's transaction; P13 does it for real."""
    monkeypatch.setattr(execution.scrubbing, "scrub", lambda pulse, **only: ["scrubbed"])
    monkeypatch.setattr(execution.scanning, "search", lambda samples, not_ours, pulse: [])


def asked(person: User, scope: str = Scope.ACCOUNT) -> ErasureRequest:
    return requests.ask(person, scope, actor=person.pk)


def due_now(request: ErasureRequest) -> None:
    ErasureRequest.objects.filter(pk=request.pk).update(due_at=timezone.now())
    Job.objects.filter(subject=request.pk).update(due_at=timezone.now())


def actions() -> list[str]:
    rows = AuditEvent.objects.filter(action__startswith="erasure.").order_by("id")
    return [action.partition(".")[2] for action in rows.values_list("action", flat=True)]


def test_nothing_begins_before_it_is_confirmed_and_the_grace_is_over(
    owner: User, settings: object
) -> None:
    settings.ERASURE_GRACE = 3600
    create_session(owner)
    request = asked(owner)
    run_due()
    assert Session.objects.exists()
    token = requests.confirm(request, actor=owner.pk)
    assert request.status == Status.WAITING
    assert timedelta(minutes=59) < request.due_at - timezone.now() <= timedelta(hours=1)
    assert requests.find_by_token(token) == request
    assert token not in request.link_hash
    run_due()
    assert Session.objects.exists()
    due_now(request)
    run_due()
    request.refresh_from_db()
    assert request.status == Status.VERIFIED
    assert not User.objects.filter(pk=owner.pk).exists()
    assert ErasedPerson.objects.filter(pk=owner.pk).exists()
    assert actions() == ["asked", "confirmed", "begun", "deleted", "verified"]


def test_until_it_begins_it_can_be_taken_back(owner: User) -> None:
    request = asked(owner)
    requests.confirm(request, actor=owner.pk)
    requests.cancel(request, actor=owner.pk)
    assert request.status == Status.CANCELLED
    assert not Job.objects.filter(subject=request.pk).exists()
    due_now(request)
    run_due()
    assert User.objects.filter(pk=owner.pk).exists()
    with pytest.raises(TooLate):
        requests.cancel(request, actor=owner.pk)
    with pytest.raises(TooLate):
        requests.confirm(request, actor=owner.pk)
    assert asked(owner).pk != request.pk


@pytest.mark.postgresql
def test_there_is_one_request_at_a_time(owner: User, colleague: User) -> None:
    asked(owner)
    with pytest.raises(AskedAlready):
        asked(owner, Scope.EVERYTHING)
    asked(colleague)


def test_a_hold_makes_it_wait_and_its_end_lets_it_begin(owner: User, colleague: User) -> None:
    session = create_session(owner)
    hold = holds.place(session, reason="A trial", author=colleague)
    request = asked(owner)
    requests.confirm(request, actor=owner.pk, at_once=True)
    assert request.status == Status.HELD
    run_due()
    assert Session.objects.exists()
    assert WaitingDeletion.objects.open().get().target_id == request.pk
    holds.release(hold, actor=colleague)
    run_due()
    request.refresh_from_db()
    assert request.status == Status.VERIFIED
    assert not WaitingDeletion.objects.open().exists()


def test_a_database_that_is_busy_delays_it_and_says_so(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(pulse: object, **only: object) -> list[str]:
        raise Busy("default")

    monkeypatch.setattr(execution.scrubbing, "scrub", busy)
    request = asked(owner)
    requests.confirm(request, actor=owner.pk, at_once=True)
    run_due()
    request.refresh_from_db()
    assert (request.status, request.delay) == (Status.SCRUBBING, "database_busy")
    again = Job.objects.get(subject=request.pk, status=Job.Status.WAITING)
    assert again.due_at > timezone.now() + timedelta(seconds=30)
    assert not User.objects.filter(pk=owner.pk).exists()


def test_what_is_still_found_is_not_verified(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    left = [scanning.Store("default database", size=10, found=1, is_database=True)]
    monkeypatch.setattr(execution.scanning, "search", lambda samples, not_ours, pulse: left)
    request = asked(owner)
    requests.confirm(request, actor=owner.pk, at_once=True)
    run_due()
    request.refresh_from_db()
    assert (request.status, request.delay) == (Status.SCRUBBING, "something_left")
    assert request.searched[0]["found"] == 1
    assert not Certificate.objects.exists()
    monkeypatch.setattr(execution.scanning, "search", lambda samples, not_ours, pulse: [])
    due_now(request)
    run_due()
    assert Certificate.objects.exists()


def test_a_request_whose_job_is_lost_is_taken_up_again(owner: User) -> None:
    request = asked(owner)
    requests.confirm(request, actor=owner.pk, at_once=True)
    Job.objects.filter(subject=request.pk).delete()
    assert requests.resume() == 1
    assert requests.resume() == 0
    run_due()
    assert Certificate.objects.exists()


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_scrubbing_says_which_database_is_busy(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import connection

    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL waits for the lock of one table only")
    import sqlite3

    monkeypatch.undo()
    monkeypatch.setattr(scrubbing, "PATIENCE", 0.2)
    writer = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    with pytest.raises(Busy, match="default"):
        scrubbing.scrub()
    writer.execute("ROLLBACK")
    writer.close()
    assert "default:vacuum" in scrubbing.scrub()
