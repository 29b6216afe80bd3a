"""P25: what expires is gone soon, and the lag that is published is true."""

import time
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from memory.forgetting.retention import sweeping
from memory.models import Session, User

EXPIRIES = 50_000
DAY, INTERVAL = 86_400, 300


def let_expire(
    monkeypatch: pytest.MonkeyPatch, owner: User, expiries: int, seconds: int = DAY
) -> None:
    """Let so many sessions expire over a day, or another time, swept as CLEANUP_INTERVAL says."""
    began = timezone.now()
    moments = [began + timedelta(seconds=seconds * number / expiries) for number in range(expiries)]
    Session.objects.bulk_create(
        (Session(owner=owner, expires_at=moment) for moment in moments), batch_size=1000
    )
    now = began
    monkeypatch.setattr("django.utils.timezone.now", lambda: now)
    waited: list[float] = []
    for step in range(1, seconds // INTERVAL + 2):
        now = began + timedelta(seconds=step * INTERVAL)
        due = [moment for moment in moments[len(waited) :] if moment <= now]
        assert sweeping.compute_lag().seconds == pytest.approx(_late(now, due), abs=5)
        started = time.process_time()
        assert not sweeping.sweep().is_unfinished
        took = time.process_time() - started
        waited += [(now - moment).total_seconds() + took for moment in due]
        assert Session.objects.count() == expiries - len(waited)
        assert sweeping.compute_lag().seconds == 0
    assert len(waited) == expiries
    assert sorted(waited)[int(expiries * 0.99)] <= 15 * 60


def _late(now: datetime, due: list[datetime]) -> float:
    return (now - due[0]).total_seconds() if due else 0


@pytest.mark.django_db
def test_p25_what_expires_is_gone_within_a_quarter_of_an_hour(
    monkeypatch: pytest.MonkeyPatch, owner: User
) -> None:
    let_expire(monkeypatch, owner, EXPIRIES // 10, seconds=DAY // 10)


@pytest.mark.deep
@pytest.mark.django_db
def test_p25_in_full(monkeypatch: pytest.MonkeyPatch, owner: User) -> None:
    let_expire(monkeypatch, owner, EXPIRIES)
