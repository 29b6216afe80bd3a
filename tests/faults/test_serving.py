"""Around Django: half-sent requests are closed, connections are bounded, answers come in time."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

import httpx
import pytest
import uvicorn
from django.db import OperationalError

from config.serving import intake
from config.serving.connections import MOST_HEAD_BYTES, BoundedConnection
from config.serving.deadlines import answer_in_time
from config.serving.door import AT_THE_DOOR
from config.serving.intake import App, Message, Receive, Send, limit_body
from memory.metrics.counting import counted
from tests.surroundings import PATIENCE, wait_until

pytestmark = pytest.mark.once


class Few(BoundedConnection):
    most = 20


class Hasty(Few):
    head_seconds = 0.5
    reading_seconds = 1.0


async def hello(scope: Message, receive: Receive, send: Send) -> None:
    while (await receive()).get("more_body"):
        pass
    if scope["path"] == "/slow":
        await asyncio.sleep(1.5)
    if scope["path"] == "/large":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": bytes(LARGE)})
        return
    if scope["path"] == "/raises":
        raise OperationalError("could not connect to server") from ConnectionRefusedError()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


@contextmanager
def served(app: App, http: Any = Few) -> Iterator[int]:
    """Serve the app by uvicorn in a thread; yield its port."""
    config = uvicorn.Config(app, port=0, http=http, lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        wait_until(lambda: server.started, what="uvicorn")
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


def opened(port: int, sent: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    connection.sendall(sent)
    return connection


def heard(connection: socket.socket) -> bytes:
    """Return all that comes until the server closes."""
    with closing(connection):
        answer = b""
        while piece := connection.recv(65_536):
            answer += piece
        return answer


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "])
def test_a_head_that_does_not_come_to_its_end_is_closed(sent: bytes) -> None:
    with served(hello, Hasty) as port:
        half = [opened(port, sent) for _ in range(10)]
        answers = [heard(connection) for connection in half]
        assert all(answer.startswith(b"HTTP/1.1 408") for answer in answers)
        assert heard(opened(port, sent)).startswith(b"HTTP/1.1 408"), "it serves on"


LARGE = 32 << 20
TOO_MUCH = b"a" * (MOST_HEAD_BYTES + (1 << 20))  # more than one read brings
HEAD, CHUNKED = b"POST / HTTP/1.1\r\nHost: a\r\n", b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /" + TOO_MUCH,
        HEAD + b"X-Long: " + TOO_MUCH,
        HEAD + b"X-Many: a\r\n" * (len(TOO_MUCH) // 10),
        HEAD + CHUNKED + b"1;" + TOO_MUCH,
        HEAD + CHUNKED + b"1\r\na\r\n0\r\nX-Trailer: " + TOO_MUCH,
    ],
    ids=["address", "header", "headers", "extension of a chunk", "trailer"],
)
def test_what_stands_around_a_body_is_bounded(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.serving.connections.LISTENING_SECONDS", PATIENCE)
    with served(hello) as port:
        answer = heard(opened(port, sent))
        assert answer.startswith(b"HTTP/1.1 431") or not answer  # the app may have it by then
        body = b"a" * (4 * MOST_HEAD_BYTES)
        url = f"http://127.0.0.1:{port}/"
        assert httpx.post(url, content=body, timeout=PATIENCE).text == "hello"


def read_slowly(pause: float) -> int:
    """Return how much came of a large answer to who reads some of it after each pause."""
    with served(hello, Hasty) as port, socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        reader.connect(("127.0.0.1", port))
        reader.sendall(b"GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        came = 0
        with suppress(ConnectionResetError):
            while piece := reader.recv(4 << 20, socket.MSG_WAITALL):
                came += len(piece)
                time.sleep(pause)
        return came


def test_an_answer_is_kept_for_who_reads_it_however_slowly() -> None:
    # The machine may be held up as we read: one of three times it isn't.
    assert any(read_slowly(0.3) >= LARGE for _ in range(3))


def test_an_answer_that_nobody_reads_is_not_kept() -> None:
    assert read_slowly(2.0) < LARGE


def test_nobody_speaks_websocket() -> None:
    """A connection that changed to it would be out of all bounds."""
    key = b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\n"
    wish = b"Host: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n"
    with served(hello) as port:
        answer = heard(opened(port, b"GET / HTTP/1.1\r\n" + wish + key + b"\r\n"))
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"hello" in answer


def test_an_answer_on_its_way_is_not_cut_by_half_of_the_next_request() -> None:
    request = b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n"
    with served(hello, Hasty) as port:
        answer = heard(opened(port, request + b"GET / HT"))
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"hello" in answer


def test_what_a_connection_answers_itself_is_counted() -> None:
    before = counted()
    with served(hello, Hasty) as port:
        held = [opened(port, b"GET /") for _ in range(Few.most)]
        assert heard(opened(port, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")).startswith(b"HTTP/1.1 503")
        assert all(heard(each).startswith(b"HTTP/1.1 408") for each in held)
        assert heard(opened(port, b"no HTTP\r\n\r\n")).startswith(b"HTTP/1.1 400")
    part = 'throughline_responses_total{part="connection",status='
    now = counted() - before
    assert {name: number for name, number in now.items() if name.startswith(part)} == {
        part + '"refused"}': 1,
        part + '"4xx"}': Few.most + 1,
    }


def test_beyond_the_most_connections_each_is_told_to_come_again() -> None:
    with served(hello) as port:
        held = [opened(port, b"GET /") for _ in range(Few.most)]
        refused = heard(opened(port, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        assert refused.startswith(b"HTTP/1.1 503")
        assert b"Retry-After: 1" in refused
        for connection in held:
            connection.close()
        url = f"http://127.0.0.1:{port}/"
        wait_until(lambda: httpx.get(url, timeout=PATIENCE).text == "hello", what="their room")


def test_a_body_that_stops_coming_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "SMALL_BODY_SECONDS", 0.3)
    monkeypatch.setattr(intake, "DRAIN_SECONDS", 0.1)
    head = b"POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n"
    with served(limit_body(hello)) as port:
        answer = heard(opened(port, head + b'{"title": "Wh'))
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"too_slow" in answer


@pytest.mark.parametrize(
    ("path", "shape"), [("/slow", "text/html"), ("/api/slow", "application/json")]
)
def test_who_waits_too_long_is_told_to_come_again_and_the_work_goes_on(
    path: str, shape: str
) -> None:
    done: list[str] = []

    async def late(scope: Message, receive: Receive, send: Send) -> None:
        await receive()
        await asyncio.sleep(0.8)
        await send({"type": "http.response.start", "status": 201, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        done.append(scope["path"])

    with served(answer_in_time(late, seconds=0.3)) as port:
        answer = httpx.get(f"http://localhost:{port}{path}", timeout=PATIENCE)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert answer.headers["content-type"].startswith(shape)
        wait_until(lambda: done == [path], what="the end of the work")


def test_the_time_does_not_run_at_the_door(monkeypatch: pytest.MonkeyPatch) -> None:
    async def waiting(scope: Message, receive: Receive, send: Send) -> None:
        scope[AT_THE_DOOR] = scope["path"] == "/door"
        await hello(scope | {"path": "/slow"}, receive, send)

    monkeypatch.setattr("config.serving.deadlines.LOOK_SECONDS", 0.1)
    with served(answer_in_time(waiting, seconds=0.3)) as port:
        assert httpx.get(f"http://localhost:{port}/elsewhere", timeout=PATIENCE).status_code == 503
        assert httpx.get(f"http://localhost:{port}/door", timeout=PATIENCE).status_code == 200


@pytest.mark.parametrize(("is_vain", "status"), [(True, 503), (False, 200)])
def test_who_waits_in_vain_is_told_sooner_than_who_waits_for_something_slow(
    is_vain: bool, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.serving.deadlines.SILENCE_SECONDS", 0.3)
    with served(answer_in_time(hello, is_vain=lambda: is_vain)) as port:
        assert httpx.get(f"http://localhost:{port}/slow", timeout=PATIENCE).status_code == status


def test_what_an_outage_raises_beside_django_is_told_as_one() -> None:
    with served(answer_in_time(hello)) as port:
        answer = httpx.get(f"http://localhost:{port}/raises", timeout=PATIENCE)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")


def test_the_product_is_served_so(start_web: Callable[..., Any]) -> None:
    web = start_web()
    for target in (b"*", b"http://localhost/healthz"):  # neither is a path
        asked = b"OPTIONS " + target + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        assert heard(opened(web.port, asked)).startswith(b"HTTP/1.1 4")
    long = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"a" * (2 * MOST_HEAD_BYTES)
    assert heard(opened(web.port, long)).startswith(b"HTTP/1.1 431")
