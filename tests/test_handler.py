"""Django behind the event loop: a request is answered in one thread, and the next in the same."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextvars import ContextVar

import pytest
from django.core.signals import request_finished, request_started
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path

from config.serving.bodies import Message
from config.serving.handler import ThreadedHandler

SAID: ContextVar[str] = ContextVar("said", default="")


def whole(request: HttpRequest) -> HttpResponse:
    SAID.set("by the view")
    return HttpResponse(threading.current_thread().name + request.POST.get("more", ""))


def pieces(request: HttpRequest) -> StreamingHttpResponse:
    async def content() -> object:
        yield b"one, "
        yield b"two"

    return StreamingHttpResponse(content())


def forwarded(request: HttpRequest) -> HttpResponse:
    names = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_HOST")
    return HttpResponse(" ".join(request.META.get(name, "-") for name in names))


def failing(request: HttpRequest) -> HttpResponse:
    raise RuntimeError


urlpatterns = [path("whole", whole), path("pieces", pieces)]
urlpatterns += [path("failing", failing), path("forwarded", forwarded)]


@pytest.fixture(autouse=True)
def addresses(settings: object) -> None:
    settings.ROOT_URLCONF = __name__
    settings.MIDDLEWARE = ["config.middleware.envelope"]


@pytest.fixture
def threads() -> Iterator[list[str]]:
    """The threads in which requests began and ended, in order."""
    seen: list[str] = []

    def note(**_: object) -> None:
        seen.append(threading.current_thread().name)

    for signal in (request_started, request_finished):
        signal.connect(note)
    yield seen
    for signal in (request_started, request_finished):
        signal.disconnect(note)


async def answered(
    handler: ThreadedHandler,
    address: str,
    body: bytes = b"",
    more: Sequence[tuple[bytes, bytes]] = (),
) -> tuple[int, bytes]:
    sent: list[Message] = []
    form = (b"content-type", b"application/x-www-form-urlencoded")
    length = (b"content-length", str(len(body)).encode())
    scope = {
        "type": "http",
        "method": "POST" if body else "GET",
        "path": address,
        "query_string": b"",
        "headers": [(b"host", b"testserver"), form, length, *more],
    }

    async def receive() -> Message:
        return {"type": "http.request", "body": body}

    async def send(message: Message) -> None:
        sent.append(message)

    await handler(scope, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)


def test_a_request_has_one_thread_from_its_beginning_to_its_end(threads: list[str]) -> None:
    handler = ThreadedHandler()

    async def two() -> tuple[tuple[int, bytes], tuple[int, bytes]]:
        return await answered(handler, "/whole", b"more=!"), await answered(handler, "/whole")

    first, second = asyncio.run(two())
    assert first == (200, second[1] + b"!")
    assert set(threads) == {second[1].decode()}
    assert len(threads) == 4


def test_p45_a_header_with_underscores_is_none_of_a_proxy() -> None:
    """A proxy replaces X-Forwarded-For, and lets X_Forwarded_For through."""
    spoofed = [
        (b"x_forwarded_for", b"127.0.0.1"),
        (b"x_forwarded-proto", b"https"),
        (b"h_ost", b"-"),
    ]
    told = [(b"x-forwarded-for", b"10.0.0.1"), (b"x-forwarded-proto", b"http")]
    found = asyncio.run(answered(ThreadedHandler(), "/forwarded", more=[*spoofed, *told, *spoofed]))
    assert found == (200, b"10.0.0.1 http testserver")
    found = asyncio.run(answered(ThreadedHandler(), "/forwarded", more=spoofed))
    assert found == (200, b"- - testserver")


def test_what_comes_in_pieces_ends_once_the_last_is_sent(threads: list[str]) -> None:
    assert asyncio.run(answered(ThreadedHandler(), "/pieces")) == (200, b"one, two")
    assert len(threads) == 2


def test_an_error_is_an_answer_and_the_request_ends(threads: list[str]) -> None:
    status, _ = asyncio.run(answered(ThreadedHandler(), "/failing"))
    assert status == 500
    assert len(threads) == 2


def test_what_a_view_sets_for_its_context_is_so_for_what_follows() -> None:
    async def follows() -> str:
        await answered(ThreadedHandler(), "/whole")
        return SAID.get()

    assert asyncio.run(follows()) == "by the view"
