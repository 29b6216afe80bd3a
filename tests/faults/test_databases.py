"""A database that is away, restarted, locked or gone: 503 in time, back without a restart."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import httpx
import pytest
from django.db import connection

from tests.faults.careful import API, ROOMY, Careful
from tests.faults.links import Link
from tests.servers import URLS, Blueprint, Web, come_in
from tests.surroundings import wait_until

# Seconds, where a request is waited for for twenty-five whatever happens.
IN_TIME = 20
on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's files and its lock")
on_postgresql = pytest.mark.skipif(connection.vendor == "sqlite", reason="a server over a network")


@pytest.fixture
def linked(blueprint: Blueprint) -> Iterator[tuple[Web, dict[str, Link]]]:
    """The product, with a link to each of its two databases."""
    web = blueprint.copy(**ROOMY)
    links = {}
    for name in URLS:
        links[name], web.environment[name] = Link.to_database(web.environment[name])
    web.start()
    yield web, links
    for link in links.values():
        link.thaw()
    web.stop()
    for link in links.values():
        link.cut()


def is_told_to_come_again(answer: httpx.Response) -> bool:
    return answer.status_code == 503 and int(answer.headers["Retry-After"]) > 0


def soonest(within: float, asked: Callable[[], httpx.Response]) -> tuple[float, httpx.Response]:
    """Ask until it is answered within the time, three times at most: the machine is held up, too.

    Return the least time, in seconds, and the last answer.
    """
    least = float("inf")
    for _ in range(3):
        began = time.monotonic()
        answer = asked()
        least = min(least, time.monotonic() - began)
        if least < within:
            break
    return least, answer


def back_again(web: Web) -> None:
    """Wait until both faces serve again, without a restart."""
    wait_until(lambda: web.client().get("/readyz").status_code == 200)
    assert web.client("owner").get(API).status_code == 200
    assert web.client().get("/account/login/").status_code == 200


@on_postgresql
@pytest.mark.parametrize("name", URLS)
def test_a_database_that_was_killed_answers_503_and_comes_back(
    linked: tuple[Web, dict[str, Link]], name: str
) -> None:
    web, links = linked
    page, api = web.client(), web.client("owner")
    links[name].cut()
    sealed = {"title": "Sealed, so it takes a key"}
    took, session = soonest(IN_TIME, lambda: api.post(API, json=sealed))
    assert took < IN_TIME
    assert is_told_to_come_again(session), session.text
    assert session.json()["error"]["code"] == "unavailable"
    assert page.get("/readyz").status_code == 503
    login = page.post("/account/login/", data={"login": "owner", "password": "wrong"})
    assert login.status_code in ((403, 503) if name == "DATABASE_URL" else (200, 403))
    links[name].mend()
    back_again(web)
    assert api.post(API, json={"title": "Now"}).status_code == 201


@on_postgresql
@pytest.mark.parametrize("name", URLS)
def test_a_database_that_is_frozen_is_told_within_fifteen_seconds_and_goes_on(
    linked: tuple[Web, dict[str, Link]], name: str
) -> None:
    web, links = linked
    page, api = web.client(), web.client("owner")
    links[name].freeze()
    key = {"Idempotency-Key": "while it was frozen"}
    told, answer = soonest(15, lambda: api.post(API, json={"title": "Sealed"}, headers=key))
    assert told < 15
    assert is_told_to_come_again(answer)
    assert page.get("/readyz").status_code == 503
    links[name].thaw()
    back_again(web)
    assert api.post(API, json={"title": "Now"}).status_code == 201


@on_postgresql
def test_a_server_that_restarts_between_two_requests_is_noticed_by_nobody(
    linked: tuple[Web, dict[str, Link]],
) -> None:
    web, links = linked
    client = web.client("owner")
    for _ in range(5):
        assert client.get(API).status_code == 200
        for link in links.values():
            link.drop()
        assert client.post(API, json={}).status_code == 201


@contextmanager
def away(links: dict[str, Link], *, fault: str, over: str) -> Iterator[None]:
    """Let both databases be away: what is in the clear needs one of them, and an answer both."""
    for link in links.values():
        getattr(link, fault)()
    try:
        yield
    finally:
        for link in links.values():
            getattr(link, over)()


@pytest.mark.deep
@on_postgresql
@pytest.mark.parametrize(("fault", "over"), [("cut", "mend"), ("freeze", "thaw")])
def test_p40_databases_that_are_away_thirty_times(
    linked: tuple[Web, dict[str, Link]], fault: str, over: str
) -> None:
    web, links = linked
    client = Careful(web)
    client.endures(lambda: away(links, fault=fault, over=over), client.sees_it_is_not_ready)


@on_sqlite
def test_a_keys_database_that_is_gone_answers_503_and_comes_back(web: Web) -> None:
    keys = web.data_dir / "keys.sqlite3"
    put_away = keys.rename(web.data_dir / "put-away")
    for rest in web.data_dir.glob("keys.sqlite3-*"):
        rest.unlink()
    keys.mkdir()
    answer = web.client("owner").post(API, json={"title": "Sealed"})
    assert is_told_to_come_again(answer)
    keys.rmdir()
    put_away.rename(keys)
    back_again(web)
    assert web.client("owner").post(API, json={"title": "Sealed"}).status_code == 201


USED_LONG_AGO = """
from importlib import import_module
from django.conf import settings
from django.contrib.sessions.models import Session
store = import_module(settings.SESSION_ENGINE).SessionStore()
for row in Session.objects.all():
    row.session_data = store.encode(store.decode(row.session_data) | {"seen_at": 0})
    row.save()
"""
# Seconds, where a write waits for twenty.
HELD_UP = 10


@on_sqlite
def test_a_database_that_another_holds_answers_503_and_reading_goes_on(web: Web) -> None:
    api, page = web.client("owner"), web.client()
    assert come_in(page, web.sign_in_link("owner")).status_code == 200
    web.manage("shell", "--operator", "Tests", "--reason", "An old row", "-c", USED_LONG_AGO)
    with closing(sqlite3.connect(web.data_dir / "throughline.sqlite3")) as other:
        other.execute("BEGIN IMMEDIATE")
        # That it is in use would be noted now.
        took, read = soonest(HELD_UP, lambda: page.get("/"))
        assert took < HELD_UP
        assert read.status_code == 200
        assert is_told_to_come_again(api.post(API, json={}))
    assert api.post(API, json={}).status_code == 201


@on_sqlite  # the same code as on the other
def test_an_error_in_the_code_is_told_as_one(web: Web) -> None:
    with closing(sqlite3.connect(web.data_dir / "throughline.sqlite3")) as other:
        other.execute("ALTER TABLE memory_session RENAME TO memory_elsewhere")
        answer = web.client("owner").get(API)
        other.execute("ALTER TABLE memory_elsewhere RENAME TO memory_session")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal_error")


NOTHING_ENDS = """
CREATE TRIGGER nothing_ends BEFORE UPDATE ON memory_attempt {when}
BEGIN SELECT RAISE(FAIL, 'nothing ends'); END
"""
# Where a disk is full, a row may have room to be let go of, and none for how it ended.
ENDS = "WHEN NEW.finished_at IS NOT NULL"


@on_sqlite
def test_who_waits_for_an_answer_whose_end_cannot_be_stored_is_told_and_has_it_later(
    web: Web,
) -> None:
    client = Careful(web)
    for when in ("", ENDS):
        with closing(sqlite3.connect(web.data_dir / "throughline.sqlite3")) as other:
            other.execute(NOTHING_ENDS.format(when=when))
            assert client.ask() is None
            assert max(client.told) < IN_TIME
            other.execute("DROP TRIGGER nothing_ends")
        wait_until(client.ask)
    client.finds_each_once()
