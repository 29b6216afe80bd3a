"""The keys database alone is held by another, or full: who needs no new key goes on."""

import itertools
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from django.db import connection

from tests.faults.careful import API, QUESTION
from tests.faults.test_disk import fill, small_disk
from tests.people import PASSWORD
from tests.servers import Blueprint, Web

on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's files and its lock")
SEALED = {"title": "Sealed, so it takes a key"}
OPEN = {"SIGNUP": "open", "EMAIL_VERIFICATION": "optional"}
numbers = itertools.count()


def goes_on_but_for_new_keys(web: Web, asks: Callable[[], float]) -> float:
    """See that a question of somebody with a key is answered; return until a new one was told."""
    assert asks() < 10
    began = time.monotonic()
    answer = signed_up(web)
    took = time.monotonic() - began
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
@pytest.mark.slow("fills a disk")
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
@pytest.mark.slow("waits for SQLite's lock as long as the product does")
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
