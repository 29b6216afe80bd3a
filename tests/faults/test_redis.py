"""Redis killed or frozen: what protects counts on, and whoever signs in waits for nothing."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from urllib.parse import urlsplit

import httpx
import pytest
import redis

from config.programs import build_clock_command
from tests.faults.careful import ROOMY, Careful
from tests.faults.links import Link
from tests.people import PASSWORD
from tests.servers import Redis, Web
from tests.surroundings import end, wait_until

GUESSES, LIMIT = 50, 5
REFUSAL = "Too many failed login attempts"


@pytest.fixture
def linked(start_web: Callable[..., Web], redis_server: Redis) -> Iterator[tuple[Web, Link]]:
    link = Link(("127.0.0.1", urlsplit(redis_server.url).port or 0))
    yield start_web(**ROOMY, CELERY_BROKER_URL=f"redis://127.0.0.1:{link.port}/0"), link
    link.delay = 0
    link.thaw()
    link.cut()


def guess(client: httpx.Client, token: str, password: str) -> httpx.Response:
    form = {"login": "owner", "password": password, "csrfmiddlewaretoken": token}
    return client.post("/account/login/", data=form)


@pytest.mark.parametrize("fault", ["cut", "freeze", "slow"])
def test_of_fifty_guesses_the_sixth_is_refused_and_none_waits(
    linked: tuple[Web, Link], fault: str
) -> None:
    web, link = linked
    client = web.client()
    page = client.get("/account/login/").text
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page)
    assert token
    if fault == "slow":
        link.delay = 2 / 2  # seconds, either way
    else:
        getattr(link, fault)()
    answers, took = [], []
    for number in range(GUESSES):
        began = time.monotonic()
        answers.append(guess(client, token[1], f"guess {number}"))
        took.append(time.monotonic() - began)
    refused = [answer.status_code == 429 or REFUSAL in answer.text for answer in answers]
    assert refused == [False] * LIMIT + [True] * (GUESSES - LIMIT)
    assert guess(client, token[1], PASSWORD).status_code != 302  # not even by the right one
    print(f"{fault}: {sorted(took)[GUESSES // 2]:.2f} s a guess, {max(took):.2f} s at most")
    assert sorted(took)[GUESSES // 2] < 2
    wait_until(lambda: client.get("/readyz").status_code == 200, what="all that people need")
    assert client.get("/readyz").json()["checks"]["broker"] == "failing"


# --- Wrong, or full -------------------------------------------------------------------------------


@contextmanager
def set_to(server: redis.Redis, link: Link, name: str, value: str) -> Iterator[None]:
    """Let a setting of the server be another for a while."""
    before = server.config_get(name)[name]  # type: ignore[index]
    server.config_set(name, value)
    if name == "requirepass":
        server.execute_command("AUTH", value)
    link.drop()
    try:
        yield
    finally:
        server.config_set(name, before)
        link.drop()


@contextmanager
def replica(server: redis.Redis, link: Link) -> Iterator[None]:
    """Let it be the replica of one that is away: it can be read, and takes nothing."""
    server.replicaof("127.0.0.1", 1)
    link.drop()
    try:
        yield
    finally:
        server.replicaof("no", "one")
        link.drop()


@contextmanager
def another(link: Link, answer: bytes) -> Iterator[None]:
    """Let something else listen there."""
    link.lie = answer
    link.drop()
    try:
        yield
    finally:
        link.lie = None
        link.drop()


WRONG: dict[str, Callable[[redis.Redis, Link], AbstractContextManager[None]]] = {
    "full": lambda server, link: set_to(server, link, "maxmemory", "1"),
    "replica": replica,
    "password": lambda server, link: set_to(server, link, "requirepass", "another"),
    "garbage": lambda _, link: another(link, b"HTTP/1.1 400 Bad Request\r\n\r\n"),
    "errors": lambda _, link: another(link, b"-ERR not now\r\n"),
}


def is_limited(web: Web) -> bool:
    """Return whether `/readyz` says that the broker fails; people are served all the same."""
    answer = web.client().get("/readyz")
    assert answer.status_code == 200
    return bool(answer.json()["checks"]["broker"] == "failing")


def is_waited_at(server: redis.Redis) -> bool:
    """Return whether the clock waits for what it is sent."""
    return any(client["cmd"] == "brpop" for client in server.client_list())


@pytest.mark.deep
def test_a_redis_that_is_wrong_or_full_is_told_and_nobody_waits(
    linked: tuple[Web, Link], redis_server: Redis
) -> None:
    web, link = linked
    web.environment["JOB_SWEEP_INTERVAL"] = "1"
    web.start_worker()
    clock = web.spawn(*build_clock_command(), log="clock.log")
    client, server = Careful(web), redis.from_url(redis_server.url, single_connection_client=True)
    try:
        wait_until(lambda: is_waited_at(server), what="the clock")
        for fault, wrong in WRONG.items():
            with wrong(server, link):
                began = time.monotonic()
                works_on(client)
                print(f"{fault}: asked and read in {time.monotonic() - began:.1f} s")
                wait_until(lambda: is_limited(web), what=f"telling {fault}")
            wait_until(lambda: not is_limited(web), what="the broker")
        assert client.told == []
        assert clock.poll() is None
        wait_until(lambda: is_waited_at(server), what="the clock")
    finally:
        end(clock)


def works_on(client: Careful) -> None:
    """Ask, and add a document that is read."""
    assert client.ask()
    paper = {"title": "A paper", "text": f"Its fact {len(client.asked)} is known to all."}
    answer = client.api.post("/api/v1/documents", json=paper).raise_for_status()
    place = f"/api/v1/documents/{answer.json()['document_id']}"
    wait_until(lambda: client.api.get(place).json()["status"] == "ready", what="the paper")


# --- Away, thirty times ---------------------------------------------------------------------------


@contextmanager
def away(link: Link, *, fault: str, over: str) -> Iterator[None]:
    getattr(link, fault)()
    try:
        yield
    finally:
        getattr(link, over)()


@pytest.mark.deep
@pytest.mark.parametrize(("fault", "over"), [("cut", "mend"), ("freeze", "thaw")])
def test_p40_without_redis_thirty_times_all_is_answered_and_read(
    linked: tuple[Web, Link], fault: str, over: str
) -> None:
    web, link = linked
    web.environment["JOB_SWEEP_INTERVAL"] = "1"
    web.start_worker()
    clock = web.spawn(*build_clock_command(), log="clock.log")
    client = Careful(web)
    try:
        client.endures(lambda: away(link, fault=fault, over=over), lambda: works_on(client))
        assert client.told == []
        for process in (web.worker, clock):
            assert process
            assert process.poll() is None
    finally:
        end(clock)
