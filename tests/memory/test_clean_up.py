"""The clean-up: no step keeps another from being done, and what is left goes on in one job."""

import pytest

from memory import tasks
from memory.forgetting.retention import sweeping
from memory.jobs.queue import run_due
from memory.models import Job, Session, User
from memory.personal_data import package_ends
from tests.memory.retained import expired_session_of

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
