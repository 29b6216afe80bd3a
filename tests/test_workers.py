"""Workers as processes: whoever asks for much, and whatever is away, others' work goes on."""

import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from config.programs import build_clock_command
from tests.servers import Redis, Web
from tests.surroundings import end, wait_until

QUESTION = "What is the Determination Date?"
# Some ten seconds of embedding on an idle core.
BOOK = "\n\n".join(
    f"## Part {number}\n\n" + f"Of number {number} much is known to those who count. " * 16
    for number in range(250)
)
ERASE = """
from memory.forgetting.erasure import requests
from memory.models import User
person = User.objects.get(username="stranger")
requests.confirm(requests.ask(person, "account", actor=person.pk), actor=person.pk, at_once=True)
"""
# The states of other people's jobs, and the document's slices while each waited.
OTHERS = """
SELECT kind, status, (SELECT count(*) FROM memory_job AS slice WHERE slice.kind = 'ingest'
    AND slice.finished_at BETWEEN other.created_at AND other.finished_at)
FROM memory_job AS other WHERE kind IN ('embed_turn', 'remember_turn', 'erase')
"""
FIRST_SLICE = "SELECT 1 FROM memory_job WHERE kind = 'ingest' AND progress > 0"
UNREAD = "SELECT 1 FROM citations_document WHERE status = 'waiting'"
DONE = "SELECT count(*) FROM memory_job WHERE status = 'done' AND kind {}"
TURNS = DONE.format("IN ('embed_turn', 'remember_turn')")
CUT = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""
# Of those that were done only the last is kept.
CLEANED = "SELECT id FROM memory_job WHERE status = 'done' AND kind = 'clean_up'"


def ask(web: Web, person: str = "colleague") -> None:
    with web.client(person) as client:
        session = client.post("/api/v1/sessions", json={}).raise_for_status().json()["session_id"]
        client.post(
            f"/api/v1/sessions/{session}/turns", json={"query": QUESTION}
        ).raise_for_status()


def serves(web: Web) -> dict[str, str] | None:
    """Return the checks of /readyz once people can be served."""
    answer = web.client().get("/readyz")
    checks: dict[str, str] = answer.json()["checks"]
    return checks if answer.status_code == 200 else None


def number(web: Web, query: str) -> int:
    return int(web.rows(query)[0][0])


def test_a_large_file_delays_another_s_turn_and_an_erasure_by_one_slice(
    start_web: Callable[..., Web],
) -> None:
    """With one worker alone, which nobody keeps free; counted in slices, whatever else runs."""
    web = start_web(JOB_SWEEP_INTERVAL="3600")
    web.start_worker()
    book = web.data_dir / "book.md"
    book.write_text(BOOK)
    web.manage("ingest", "--background", "--owner", "owner", str(book))
    wait_until(lambda: web.rows(FIRST_SLICE), what="the first slice")
    ask(web)
    web.python(ERASE)
    wait_until(lambda: {row[1] for row in web.rows(OTHERS)} == {"done"}, what="their end")
    assert web.rows(UNREAD)  # all of this while it was read
    others = web.rows(OTHERS)
    assert {kind for kind, *_ in others} == {"embed_turn", "remember_turn", "erase"}
    assert all(slices <= 2 for *_, slices in others), others


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[Redis]:
    if not shutil.which("redis-server"):
        pytest.skip("redis-server is not installed")
    server = Redis(tmp_path)
    yield server
    server.stop()


def test_redis_frozen_and_killed_keeps_nobody_waiting(
    start_web: Callable[..., Web], own_redis: Redis
) -> None:
    web = start_web(CELERY_BROKER_URL=own_redis.url, CLEANUP_INTERVAL="1", JOB_SWEEP_INTERVAL="1")
    web.start_worker()
    clock = web.spawn(*build_clock_command(), log="clock.log")

    def goes_on(what: str) -> None:
        turns, cleaned = number(web, TURNS), web.rows(CLEANED)
        ask(web)
        wait_until(lambda: number(web, TURNS) >= turns + 2, what=f"the turn, {what}")
        wait_until(lambda: web.rows(CLEANED) not in ([], cleaned), what=f"the clean-up, {what}")

    try:
        goes_on("with Redis")
        own_redis.signal(signal.SIGSTOP)
        goes_on("with Redis frozen")
        port = urlsplit(own_redis.url).port
        for process in (web.process, web.worker):  # neither of them has anything to do with it
            assert process
            remote = [each.raddr for each in psutil.Process(process.pid).net_connections()]
            assert port not in [address.port for address in remote if address]
        own_redis.signal(signal.SIGCONT)
        own_redis.signal(signal.SIGKILL)
        goes_on("with Redis killed")
        assert clock.poll() is None, web.log("clock.log")
        checks = wait_until(lambda: serves(web), what="all that people need")
        assert checks["broker"] == "failing"
    finally:
        end(clock, signal.SIGKILL)
