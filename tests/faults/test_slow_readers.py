"""Slow readers and readers that stop hold no resource that others need."""

import json
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from threading import Event, Thread

import httpx
import psutil
import pytest
from django.db import connection

from tests.faults.careful import API, QUESTION
from tests.model_server import ModelServer
from tests.servers import Web
from tests.surroundings import PATIENCE, wait_until

# Each is longer than what the machine holds for who doesn't read.
PACKAGES = """
from datetime import timedelta
from django.utils import timezone
from memory.models import ExportPackage, PackagePart
from tests.people import person, token_of
for number in range({people}):
    reader = person(f"reader-{{number}}")
    package = ExportPackage.objects.create(
        owner=reader, status="ready", size=8 << 20, expires_at=timezone.now() + timedelta(days=1)
    )
    for number in range(1, 9):
        part = PackagePart(package=package, owner_id=reader.pk, number=number)
        part.payload = bytes(1 << 20)
        part.save(force_insert=True)
    print(package.pk, token_of(reader))
"""
POOL = 4


def downloads(web: Web, people: int) -> list[bytes]:
    """Return the requests by which so many people fetch their packages."""
    words = web.python(PACKAGES.format(people=people)).split()
    return [
        request_of(web, package, token)
        for package, token in zip(words[-2 * people :: 2], words[1 - 2 * people :: 2], strict=True)
    ]


def request_of(web: Web, package: str, token: str) -> bytes:
    """Return the request by which a person fetches a package, by a link that works once."""
    bearer = f"Bearer {token}"
    link = web.client().post(
        f"/api/v1/packages/{package}/link", json={}, headers={"Authorization": bearer}
    )
    assert link.status_code == 201, link.text
    head = f"Host: localhost\r\nAuthorization: {bearer}\r\n\r\n"
    return f"GET {link.json()['path']} HTTP/1.1\r\n{head}".encode()


def reading_nothing(web: Web, request: bytes) -> socket.socket:
    """Return a connection on which the file has begun to come, and is read no further."""
    reader = socket.create_connection(("127.0.0.1", web.port), timeout=PATIENCE)
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    reader.sendall(request)
    assert reader.recv(12) == b"HTTP/1.1 200"
    return reader


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has no pool")
def test_who_reads_a_file_slowly_holds_no_connection_to_the_database(
    start_web: Callable[..., Web],
) -> None:
    web = start_web(DATABASE_POOL=str(POOL))
    requests = downloads(web, 2 * POOL)
    with ExitStack() as held:
        for request in requests:
            held.enter_context(closing(reading_nothing(web, request)))
        others = web.client("stranger", timeout=PATIENCE)
        for _ in range(POOL):
            assert others.get("/api/v1/sessions").status_code == 200


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has no pool")
def test_downloads_that_begin_at_once_give_their_connections_back(
    start_web: Callable[..., Web],
) -> None:
    """Each is answered in a thread of its own, which must not keep what it has read the rows by."""
    web = start_web(DATABASE_POOL=str(POOL))
    requests = downloads(web, 4 * POOL)
    with ExitStack() as held, ThreadPoolExecutor(len(requests)) as threads:
        begun = [threads.submit(reading_nothing, web, request) for request in requests]
        for reader in begun:
            held.enter_context(closing(reader.result()))
        assert web.client("stranger", timeout=PATIENCE).get("/api/v1/sessions").status_code == 200


# --- Answers as they are written -----------------------------------------------------------------

WORDS = 400
FEW = 8
REQUESTS = 60


def test_p41_who_reads_an_answer_byte_by_byte_hurts_nobody(
    start_web: Callable[..., Web], model_server: ModelServer
) -> None:
    hurt_nobody(start_web, model_server, readers=20)


@pytest.mark.deep
def test_p41_two_hundred_who_read_a_byte_a_second_hurt_nobody(
    start_web: Callable[..., Web], model_server: ModelServer
) -> None:
    hurt_nobody(start_web, model_server, readers=200)


def hurt_nobody(start_web: Callable[..., Web], model_server: ModelServer, *, readers: int) -> None:
    """Beside them others cost what they did, the answer comes to its end, and nothing is left."""
    said = " ".join(f"word{number}" for number in range(WORDS)) + "."
    model_server.reply(said, hold_after=WORDS // 2)
    pool = {} if connection.vendor == "sqlite" else {"DATABASE_POOL": str(POOL)}
    web = start_web(LLM_STALL_TIMEOUT="600", **pool, **model_server.environment)
    assert web.process
    process, others = psutil.Process(web.process.pid), web.client("stranger")
    turn = begun(web)
    wait_until(lambda: model_server.said == WORDS // 2, what="half of the answer")
    cost_of_others(process, others)
    alone, before = cost_of_others(process, others), process.memory_info()
    with slow_readers(web, f"{turn}/events", readers) as came:
        wait_until(lambda: min(came) > 1, what="something for each")
        assert clients_of(web, process) >= readers
        assert any(cost_of_others(process, others) < 2 * alone for _ in range(3))
        model_server.go_on()
        api = web.client("owner")
        wait_until(lambda: api.get(turn).json()["status"] == "complete", what="the answer")
        assert api.get(turn).json()["response"] == said
        assert process.memory_info().rss - before.rss < 100_000_000
    wait_until(lambda: clients_of(web, process) < FEW, what="the readers to be let go of")


def clients_of(web: Web, process: psutil.Process) -> int:
    """Return how many connections the server holds."""
    found = process.net_connections(kind="tcp")
    return sum(each.laddr.port == web.port and bool(each.raddr) for each in found)


def begun(web: Web) -> str:
    """Ask, and leave; return where the turn is."""
    api = web.client("owner")
    session = api.post(API, json={}).json()["session_id"]
    events = {"Accept": "text/event-stream"}
    with api.stream("POST", f"{API}/{session}/turns", json=QUESTION, headers=events) as answer:
        told = next(line for line in answer.iter_lines() if line.startswith("data: "))
    return f"{API}/{session}/turns/{json.loads(told.removeprefix('data: '))['turn_id']}"


def cost_of_others(process: psutil.Process, client: httpx.Client) -> float:
    """Return the processor time of the server while someone else is served, in seconds."""
    used = process.cpu_times()
    for _ in range(REQUESTS):
        assert client.get(API).status_code == 200
    now = process.cpu_times()
    return float(now.user + now.system - used.user - used.system)


@contextmanager
def slow_readers(web: Web, path: str, number: int) -> Iterator[list[int]]:
    """Let so many read the events, a byte a second each; yield how many bytes each has read."""
    head = f"Host: localhost\r\nAuthorization: Bearer {web.tokens['owner']}\r\n\r\n"
    request, came, over = f"GET {path} HTTP/1.1\r\n{head}".encode(), [0] * number, Event()
    with ExitStack() as stack:
        readers = [
            stack.enter_context(closing(reading_nothing(web, request))) for _ in range(number)
        ]

        def read() -> None:
            while not over.wait(1):
                for at, reader in enumerate(readers):
                    came[at] += len(reader.recv(1))

        thread = Thread(target=read)
        thread.start()
        try:
            yield came
        finally:
            over.set()
            thread.join()
