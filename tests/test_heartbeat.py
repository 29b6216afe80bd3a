"""A web process lives as long as its event loop answers, however long that takes."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from uuid import UUID, uuid4

import httpx
import psutil
import pytest
import yaml
from django.conf import settings

from config import heartbeat
from config.heartbeat import Heartbeat
from memory.conversations import liveness
from memory.models import Process
from tests.servers import Web
from tests.surroundings import PYTHON, ROOT, end, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


ended: list[bool] = []


@pytest.fixture(autouse=True)
def short(settings, monkeypatch) -> None:
    settings.ANSWER_LEASE = 0.6
    ended.clear()
    monkeypatch.setattr(heartbeat, "end_process", lambda: ended.append(True))


def while_the_loop_stands_still(watch: Callable[[], object]) -> None:
    """Watch a process whose event loop is busy for as long as that takes."""

    async def lived() -> None:
        beating = Heartbeat()
        await beating.start()
        await asyncio.sleep(0.1)
        with ThreadPoolExecutor(1) as aside:
            aside.submit(watch).result()
        await beating.stop()

    asyncio.run(lived())


def own_row() -> Process:
    return Process.objects.get(pk=liveness.get_own_process())


def beats_for_longer_than_a_lease() -> None:
    enough = own_row().beat_at + timedelta(seconds=2 * settings.ANSWER_LEASE)
    wait_until(lambda: own_row().beat_at > enough, what="a beat")


def dies() -> None:
    """It counts as dead, comes back to life no more, and ends itself."""
    living = Process.objects.living().filter(pk=liveness.get_own_process())
    wait_until(lambda: not living.exists(), what="its death")
    beaten = own_row().beat_at
    time.sleep(settings.ANSWER_LEASE)
    assert own_row().beat_at == beaten, "it doesn't come back"
    wait_until(lambda: ended, what="its end")


def test_a_busy_event_loop_is_no_death() -> None:
    while_the_loop_stands_still(beats_for_longer_than_a_lease)
    assert not Process.objects.exists()  # it has said that it ends
    assert not ended


def test_an_event_loop_that_does_not_answer_any_more_is_one(monkeypatch) -> None:
    monkeypatch.setattr(heartbeat, "STUCK_SECONDS", 0.3)
    while_the_loop_stands_still(dies)


@pytest.mark.parametrize(("looks", "ends"), [(heartbeat.BEATS_A_LEASE, False), (20, True)])
def test_a_process_that_was_frozen_has_time_to_move_again(monkeypatch, looks, ends) -> None:
    """All its threads stood still, as where its container is paused: the loop had no chance."""
    beating = Heartbeat()
    left = iter([False] * looks + [True])
    monkeypatch.setattr(beating._stopping, "wait", lambda seconds: next(left))
    beating._moved = time.monotonic() - 2 * heartbeat.STUCK_SECONDS
    beating._beat()
    assert bool(ended) == ends


def test_of_two_web_processes_the_one_that_hangs_is_started_again(blueprint) -> None:
    """By the command of compose and Kubernetes, where no supervisor of ours watches."""
    place = blueprint.copy(ANSWER_LEASE="6")
    server = place.spawn(*as_in_compose(place.port), log="web.log")
    try:
        wait_until(lambda: len(web_processes(server.pid)) == 2 and answers(place), what="the two")
        with pytest.raises(httpx.ReadTimeout):
            httpx.get(f"{place.url}/stand-still", timeout=5, verify=False)
        hanging = int((place.data_dir / "stands-still").read_text())
        others = web_processes(server.pid) - {hanging}
        assert others
        wait_until(lambda: hanging not in web_processes(server.pid), what="its end")
        wait_until(lambda: len(web_processes(server.pid)) == 2, what="another one")
        assert others < web_processes(server.pid), "the other one goes on"
        assert "event_loop_hangs" in place.log()
        assert answers(place)
    finally:
        end(server)


def as_in_compose(port: int) -> list[str]:
    """Return the command of the service web, with an application that can be made to hang."""
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    told = {
        "config.asgi:application": "tests.faults.standing_still:application",
        "--host=0.0.0.0": "--host=127.0.0.1",
        "--port=8000": f"--port={port}",
    }
    # As in life and no fork: it starts processes itself.
    python, *rest = services["web"]["command"]
    assert (python, told.keys() - set(rest)) == ("python", set())
    return [PYTHON, "-u", *(told.get(option, option) for option in rest)]


def web_processes(parent: int) -> set[int]:
    return {
        child.pid
        for child in psutil.Process(parent).children()
        if child.status() != psutil.STATUS_ZOMBIE and "spawn_main" in " ".join(child.cmdline())
    }


def answers(place: Web) -> bool:
    with suppress(httpx.TransportError):
        return httpx.get(f"{place.url}/healthz", timeout=5, verify=False).status_code == 200
    return False


def test_a_process_that_was_started_again_ends_the_life_of_the_one_before(
    monkeypatch,
) -> None:
    before, now = uuid4(), uuid4()
    liveness.begin(before)
    monkeypatch.setenv("PROCESS", str(now))
    monkeypatch.setenv("PROCESS_BEFORE", str(before))

    async def started() -> list[UUID]:
        beating = Heartbeat()
        await beating.start()
        await asyncio.sleep(0.05)
        rows = await asyncio.to_thread(lambda: [row.pk for row in Process.objects.all()])
        await beating.stop()
        return rows

    assert asyncio.run(started()) == [now]
