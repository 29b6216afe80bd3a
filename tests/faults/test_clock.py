"""The clock of a whole server jumps: forward by a day, back by an hour."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from django.db import connection

from tests.faults.careful import API, QUESTION, ROOMY, Careful
from tests.people import PASSWORD
from tests.servers import PYTHON, Blueprint, Web, come_in
from tests.surroundings import PATIENCE, wait_until

FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
pytestmark = pytest.mark.skipif(FAKETIME is None, reason="libfaketime is not installed")


class Clocked:
    """The product by a clock that can be set."""

    def __init__(self, blueprint: Blueprint, **environment: str) -> None:
        self.web = blueprint.copy(**environment)
        self._clock = self.web.data_dir / "clock"
        self.jump("+0")
        self.web.environment |= {
            "LD_PRELOAD": str(FAKETIME),
            "FAKETIME_TIMESTAMP_FILE": str(self._clock),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        self.web.start()

    def jump(self, to: str) -> None:
        self._clock.write_text(f"{to}\n")

    def jump_ahead(self, hours: int) -> None:
        """Let the clock jump, and the web process beat by it where the database goes by it, too:
        until then a worker takes it for dead, and may end what it answers, which goes on by itself.
        """
        self.jump(f"+{hours}h")
        if connection.vendor != "sqlite":
            return  # whose server has a clock of its own, which is right
        ahead = datetime.now(UTC) + timedelta(hours=hours - 1)
        beaten = f"SELECT 1 FROM memory_process WHERE beat_at > '{ahead:%Y-%m-%d %H:%M:%S}'"
        wait_until(lambda: self.web.rows(beaten), what="a beat")

    def work(self) -> None:
        """Start a worker, without Celery's clock."""
        self.web.worker = self.web.spawn(PYTHON, "manage.py", "work", log="worker.log")

    def said_at(self, client: httpx.Client) -> datetime:
        """Return the time by which a conversation begins now."""
        written = client.post(API, json={}).json()["created_at"]
        return datetime.fromisoformat(written)


@pytest.fixture
def clocked(blueprint: Blueprint) -> Iterator[Clocked]:
    product = Clocked(blueprint)
    yield product
    product.web.stop()


def guess(web: Web, password: str) -> int:
    with httpx.Client(base_url=web.url, timeout=PATIENCE) as browser:
        browser.get("/account/login/")
        form = {"login": "owner", "password": password}
        form["csrfmiddlewaretoken"] = browser.cookies["csrftoken"]
        return browser.post("/account/login/", data=form).status_code


def is_ready(api: httpx.Client, document: str) -> bool:
    return bool(api.get(f"/api/v1/documents/{document}").json()["status"] == "ready")


@pytest.mark.slow("a server and a worker by another clock")
def test_a_clock_that_goes_back_by_an_hour_puts_nothing_off_and_opens_nothing(
    clocked: Clocked,
) -> None:
    web, api = clocked.web, clocked.web.client("owner")
    session = api.post(API, json={}).json()["session_id"]
    text = {"title": "Fees", "text": "The fee of the Zanzibar office is 4711 euros."}
    document = api.post("/api/v1/documents", json=text).json()["document_id"]
    assert [guess(web, "wrong") for _ in range(6)][-1] != 302
    clocked.jump("-1h")
    assert clocked.said_at(api) < datetime.now(UTC) - timedelta(minutes=50), "the clock jumped"
    assert guess(web, PASSWORD) != 302
    clocked.work()
    wait_until(lambda: is_ready(api, document), what="the document")
    answer = api.post(f"{API}/{session}/turns", json={"query": "What is the Zanzibar fee?"})
    assert (answer.status_code, answer.json()["status"]) == (201, "complete")
    assert "4711" in answer.json()["response"]


@pytest.mark.slow("a server and a worker by another clock")
def test_a_clock_that_goes_forward_by_a_day_ends_what_lasts_a_day_and_nothing_else(
    clocked: Clocked,
) -> None:
    web, api = clocked.web, clocked.web.client("owner")
    session = api.post(API, json={}).json()["session_id"]
    link = web.sign_in_link("owner")
    clocked.work()
    clocked.jump_ahead(23)
    answer = api.post(f"{API}/{session}/turns", json=QUESTION)
    assert (answer.status_code, answer.json()["status"]) == (201, "complete")
    with web.client() as late:
        come_in(late, link)
        assert late.get("/account/settings").status_code == 302, "a link lasts an hour"
    clocked.jump_ahead(50)
    assert api.get(f"{API}/{session}").status_code == 404
    anew = api.post(API, json={}).json()["session_id"]
    answer = api.post(f"{API}/{anew}/turns", json=QUESTION)
    assert (answer.status_code, answer.json()["status"]) == (201, "complete")
    wait_until(lambda: web.client().get("/readyz").status_code == 200)


@pytest.mark.deep
@pytest.mark.slow("a server and a worker by another clock")
def test_p40_a_clock_that_jumps_by_an_hour_thirty_times(blueprint: Blueprint) -> None:
    clocked = Clocked(blueprint, **ROOMY)
    try:
        clocked.work()
        client = Careful(clocked.web)

        def asks_by_each() -> None:
            assert client.ask()
            clocked.jump("-1h")
            assert client.ask()

        client.endures(lambda: jumping(clocked), asks_by_each)
        assert client.told == []
    finally:
        clocked.web.stop()


@contextmanager
def jumping(clocked: Clocked) -> Iterator[None]:
    clocked.jump_ahead(1)
    try:
        yield
    finally:
        clocked.jump_ahead(0)
