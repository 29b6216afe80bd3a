"""After a sleep of the machine everyone seems dead to the first that wakes."""

from types import SimpleNamespace

import pytest
from pytest_django import Settings

from memory.jobs import working
from memory.jobs.working import Worker


@pytest.mark.parametrize(("slept", "looks"), [(0, [0.0, 60.0]), (3600, [0.0])])
def test_a_worker_that_slept_with_the_machine_lets_others_wake_before_it_looks(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, slept: int, looks: list[float]
) -> None:
    settings.JOB_SWEEP_INTERVAL = 60
    now, looked = [0.0], []

    def sleep(seconds: float) -> None:
        now[0] += seconds
        worker._is_stopping = now[0] > 70

    clock = SimpleNamespace(monotonic=lambda: now[0], sleep=sleep)
    monkeypatch.setattr(working, "time", clock)
    monkeypatch.setattr(working, "get_uptime", lambda: now[0] + (slept if now[0] > 59 else 0))
    monkeypatch.setattr(working, "run_due", lambda limit: 0)
    monkeypatch.setattr(working, "close_old_connections", lambda: None)
    worker = Worker(lambda: looked.append(now[0]))
    worker.work()
    assert looked == looks
