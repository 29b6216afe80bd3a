"""A web process lives as long as its event loop answers, however long that takes."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import pytest

from config import heart
from config.heart import Heart
from memory.conversations import liveness
from memory.models import Process

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def short(settings) -> None:
    settings.ANSWER_LEASE = 0.6


def living_after(seconds: float) -> bool:
    time.sleep(seconds)
    return Process.objects.living().filter(pk=liveness.own_process()).exists()


def lives_after_a_busy(seconds: float) -> bool:
    """Tell whether a process lives whose event loop has just been busy for so long."""

    async def lived() -> bool:
        beating = Heart()
        await beating.start()
        await asyncio.sleep(0.1)
        with ThreadPoolExecutor(1) as aside:  # the loop stands still while it is asked
            answer = aside.submit(living_after, seconds).result()
        await beating.stop()
        return answer

    return asyncio.run(lived())


def test_a_busy_event_loop_is_no_death() -> None:
    assert lives_after_a_busy(1.2)
    assert not Process.objects.exists()  # it has said that it ends


def test_an_event_loop_that_does_not_answer_any_more_is_one(monkeypatch) -> None:
    monkeypatch.setattr(heart, "STUCK_SECONDS", 0.3)
    assert not lives_after_a_busy(1.5)


def test_a_process_that_was_started_again_ends_the_life_of_the_one_before(
    monkeypatch, tmp_path
) -> None:
    before, now = uuid4(), uuid4()
    liveness.begin(before)
    monkeypatch.setenv("PROCESS", str(now))
    monkeypatch.setenv("PROCESS_BEFORE", str(before))
    monkeypatch.setenv("ALIVE_FILE", str(tmp_path / "alive"))

    async def started() -> list[UUID]:
        beating = Heart()
        await beating.start()
        await asyncio.sleep(0.05)
        rows = await asyncio.to_thread(lambda: [row.pk for row in Process.objects.all()])
        await beating.stop()
        return rows

    assert asyncio.run(started()) == [now]
    assert (tmp_path / "alive").exists()
