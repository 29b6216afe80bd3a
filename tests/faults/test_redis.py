"""Redis killed or frozen: what protects counts on, and whoever signs in waits for nothing."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx
import pytest

from config.supervisor import clock_command
from tests.faults.careful import ROOMY, Careful
from tests.faults.links import Link
from tests.people import PASSWORD
from tests.servers import Redis, Web
from tests.surroundings import end, wait_until

pytestmark = pytest.mark.once
GUESSES, LIMIT = 50, 5
REFUSAL = "Too many failed login attempts"


@pytest.fixture
def linked(start_web: Callable[..., Web], redis_server: Redis) -> Iterator[tuple[Web, Link]]:
    link = Link(("127.0.0.1", urlsplit(redis_server.url).port or 0))
    yield start_web(**ROOMY, CELERY_BROKER_URL=f"redis://127.0.0.1:{link.port}/0"), link
    link.thaw()
    link.cut()


def guess(client: httpx.Client, token: str, password: str) -> httpx.Response:
    form = {"login": "owner", "password": password, "csrfmiddlewaretoken": token}
    return client.post("/account/login/", data=form)


@pytest.mark.parametrize("fault", ["cut", "freeze"])
@pytest.mark.slow("fifty guesses at a real server")
def test_of_fifty_guesses_the_sixth_is_refused_and_none_waits(
    linked: tuple[Web, Link], fault: str
) -> None:
    web, link = linked
    client = web.client()
    page = client.get("/account/login/").text
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page)
    assert token
    getattr(link, fault)()
    answers, took = [], []
    for number in range(GUESSES):
        began = time.monotonic()
        answers.append(guess(client, token[1], f"guess {number}"))
        took.append(time.monotonic() - began)
    refused = [answer.status_code == 429 or REFUSAL in answer.text for answer in answers]
    assert refused == [False] * LIMIT + [True] * (GUESSES - LIMIT)
    assert guess(client, token[1], PASSWORD).status_code != 302  # not even by the right one
    assert sorted(took)[GUESSES // 2] < 2
    wait_until(lambda: client.get("/readyz").status_code == 200, what="all that people need")
    assert client.get("/readyz").json()["checks"]["broker"] == "failing"


@contextmanager
def away(link: Link, *, fault: str, over: str) -> Iterator[None]:
    getattr(link, fault)()
    try:
        yield
    finally:
        getattr(link, over)()


@pytest.mark.deep
@pytest.mark.slow("thirty times a worker and a server without Redis")
@pytest.mark.parametrize(("fault", "over"), [("cut", "mend"), ("freeze", "thaw")])
def test_p40_without_redis_thirty_times_all_is_answered_and_read(
    linked: tuple[Web, Link], fault: str, over: str
) -> None:
    web, link = linked
    web.environment["JOB_SWEEP_INTERVAL"] = "1"
    web.start_worker()
    clock = web.spawn(*clock_command(), log="clock.log")
    client = Careful(web)

    def works_on() -> None:
        assert client.ask()
        paper = {"title": "A paper", "text": f"Its fact {len(client.asked)} is known to all."}
        answer = client.api.post("/api/v1/documents", json=paper).raise_for_status()
        place = f"/api/v1/documents/{answer.json()['document_id']}"
        wait_until(lambda: client.api.get(place).json()["status"] == "ready", what="the paper")

    try:
        client.endures(lambda: away(link, fault=fault, over=over), works_on)
        assert client.told == []
        for process in (web.worker, clock):
            assert process
            assert process.poll() is None
    finally:
        end(clock)
