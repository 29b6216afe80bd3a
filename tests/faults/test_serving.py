"""Around Django: a late answer is 503 and the work goes on; an outage before it is told as one."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import httpx
import pytest
import uvicorn
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse

from config.serving import bodies, handler
from config.serving.bodies import App, limit_body
from config.serving.handler import ThreadedHandler, is_computing
from tests.surroundings import PATIENCE, wait_until

done: list[str] = []


def slow(request: HttpRequest) -> HttpResponse:
    time.sleep(0.8)
    done.append(request.path)
    return HttpResponse("done", status=201)


urlpatterns = [path("slow", slow), path("api/slow", slow)]


@contextmanager
def served(app: App) -> Iterator[str]:
    """Serve the app by uvicorn in a thread; yield its address."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, lifespan="off", log_config=None))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        wait_until(lambda: server.started, what="uvicorn")
        yield f"http://localhost:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.mark.parametrize(
    ("path", "shape"), [("/slow", "text/html"), ("/api/slow", "application/json")]
)
def test_a_late_answer_is_503_and_the_work_goes_on(
    path: str, shape: str, settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ROOT_URLCONF, settings.MIDDLEWARE = __name__, ["config.middleware.envelope"]
    monkeypatch.setattr(handler, "ANSWER_SECONDS", 0.3)
    with served(ThreadedHandler()) as address:
        answer = httpx.get(address + path, timeout=PATIENCE)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert answer.headers["content-type"].startswith(shape)
        assert "x-request-id" in answer.headers
        wait_until(lambda: path in done, what="the end of the work")


def test_what_computes_is_waited_for_longer() -> None:
    one = {"session_id": uuid4(), "document_id": uuid4(), "citation_id": uuid4()}
    computing = [
        ("chat:export", "session_id", {"form": "pdf"}),
        ("api:export", "session_id", {}),
        ("chat:page_picture", "document_id", {"number": 1}),
        ("api:page", "document_id", {"number": 1}),
        ("chat:citation_page", "citation_id", {}),
        ("api:citation_pages", "citation_id", {}),
        ("api:verify", "", {}),
    ]
    for name, row, more in computing:
        given = more | ({row: one[row]} if row else {})
        request = {"path": reverse(name, kwargs=given), "headers": [], "method": "GET"}
        assert is_computing(request), name
    assert not is_computing(request | {"path": reverse("api:sessions")})


def test_a_body_that_stops_coming_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.3)

    async def stops() -> Iterator[bytes]:  # type: ignore[misc]
        yield b'{"title": "Wh'
        await asyncio.sleep(1)
        yield b"}"

    async def asked(address: str) -> httpx.Response:
        async with httpx.AsyncClient(timeout=PATIENCE) as client:
            return await client.post(f"{address}/api/v1/sessions", content=stops())

    with served(limit_body(None)) as address:  # type: ignore[arg-type]
        answer = asyncio.run(asked(address))
    assert (answer.status_code, answer.json()["error"]["code"]) == (408, "too_slow")


def test_an_outage_before_django_is_told_as_one() -> None:
    async def away(scope: object, receive: object, send: object) -> None:
        raise OperationalError("could not connect to server") from ConnectionRefusedError()

    with served(limit_body(away)) as address:  # type: ignore[arg-type]
        answer = httpx.get(f"{address}/api/v1/sessions", timeout=PATIENCE)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
