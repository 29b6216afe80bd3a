"""The clean-up: no step keeps another from being done, and what is left goes on in one job."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memory import tasks
from memory.forgetting.retention import sweeping
from memory.jobs.queue import run_due
from memory.models import ExportPackage, Fact, Job, Session, User
from memory.personal_data import package_ends
from memory.recall.facts import ending
from tests.memory.retained import expired_session_of
from tests.memory.test_package_ends import stored

pytestmark = pytest.mark.django_db


def test_a_step_that_raises_stops_no_other(
    owner: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    expired_session_of(owner, turns=1)

    def raising() -> None:
        raise RuntimeError("poison")

    forgotten = []
    monkeypatch.setattr(package_ends, "purge_expired", raising)
    monkeypatch.setattr("memory.audit.expiry.purge_audit", lambda: forgotten.append(1))
    tasks.clean_up_all()
    assert not Session.objects.exists()
    assert forgotten
    assert [record.getMessage() for record in caplog.records].count("clean_up_failed") == 1


def raises_for(owner: User, wrapped: Any) -> Any:
    """Return the function as it raises for what is the owner's."""

    def wrapping(given: Any, *rest: Any, **more: Any) -> Any:
        theirs = {owner.pk, *ExportPackage.objects.filter(owner=owner).values_list("pk", flat=True)}
        if theirs & (set(given) if isinstance(given, list) else {given}):
            raise RuntimeError("poison")
        return wrapped(given, *rest, **more)

    return wrapping


def test_a_fact_or_a_package_that_raises_keeps_no_other_from_going(
    owner: User, colleague: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    past = timezone.now() - timedelta(days=1)
    for person in (owner, colleague):
        Fact.objects.create(
            owner=person, kind="fact", state="confirmed", subject="s", text="t", expires_at=past
        )
        stored(person, parts=1, end=-timedelta(days=1))
    with monkeypatch.context() as patched:
        for module in (ending, package_ends):
            patched.setattr(module, "_delete_expired", raises_for(owner, module._delete_expired))
        assert ending.purge_expired() == 1
        package_ends.purge_expired()
    for kind in (Fact, ExportPackage):
        assert [row.owner for row in kind.objects.all()] == [owner]
    said = {record.getMessage() for record in caplog.records}
    assert {"facts_not_purged", "package_not_purged"} <= said
    assert ending.purge_expired() == 1, "the next sweep tries it again"
    package_ends.purge_expired()
    assert not ExportPackage.objects.exists()


def test_what_a_sweep_leaves_is_one_job_however_often_it_is_asked_for(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    expired_session_of(owner, turns=1)
    waiting = Job.objects.filter(kind=sweeping.SWEEP, finished_at=None)
    with monkeypatch.context() as patched:
        patched.setattr(sweeping, "SWEEP_SECONDS", 0)
        for _ in range(3):
            tasks.clean_up_all()
        assert waiting.count() == 1
        run_due(limit=3)
        assert waiting.count() == 1
    run_due()
    assert waiting.count() == 0
    assert not Session.objects.exists()
