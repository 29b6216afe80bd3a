"""A web process lives as long as its event loop answers, however long that takes."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.conf import settings

from config import heart
from config.heart import Heart
from memory.conversations import liveness
from memory.models import Process
from tests.surroundings import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def short(settings) -> None:
    settings.ANSWER_LEASE = 0.6


def while_the_loop_stands_still(watch: Callable[[], object]) -> None:
    """Watch a process whose event loop is busy for as long as that takes."""

    async def lived() -> None:
        beating = Heart()
        await beating.start()
        await asyncio.sleep(0.1)
        with ThreadPoolExecutor(1) as aside:
            aside.submit(watch).result()
        await beating.stop()

    asyncio.run(lived())


def own_row() -> Process:
    return Process.objects.get(pk=liveness.own_process())


def beats_for_longer_than_a_lease() -> None:
    enough = own_row().beat_at + timedelta(seconds=2 * settings.ANSWER_LEASE)
    wait_until(lambda: own_row().beat_at > enough, what="a beat")


def dies() -> None:
    living = Process.objects.living().filter(pk=liveness.own_process())
    wait_until(lambda: not living.exists(), what="its death")
    beaten = own_row().beat_at
    time.sleep(settings.ANSWER_LEASE)
    assert own_row().beat_at == beaten, "it doesn't come back"


def test_a_busy_event_loop_is_no_death() -> None:
    while_the_loop_stands_still(beats_for_longer_than_a_lease)
    assert not Process.objects.exists()  # it has said that it ends


def test_an_event_loop_that_does_not_answer_any_more_is_one(monkeypatch) -> None:
    monkeypatch.setattr(heart, "STUCK_SECONDS", 0.3)
    while_the_loop_stands_still(dies)


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
