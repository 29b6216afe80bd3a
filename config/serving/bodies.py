"""Request bodies: read whole before Django sees the request, with a bound on size and time.

A body is held in memory, so it may have MAX_BODY_BYTES. A document may be larger: from a person
who is signed in, one at a time, and a few of all people together.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from io import BytesIO
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.locale import LocaleMiddleware
from django.middleware.security import SecurityMiddleware

from chat.database_threads import run_in_thread
from chat.protocol.error_pages import failed
from chat.streams.kept_open import App, Receive, Scope as Message, Send, encode_headers
from chat.uploads.admission import (
    BodyRefused,
    BodyTooLarge,
    NotSignedIn,
    TooManyUploads,
    TooSlow,
    identify_sender,
    is_upload,
    respond_refusal,
)
from chat.uploads.uploading import UploadTooLarge
from config.middleware import envelope

# Time limit of a body, and the bytes received that extend it by a second each.
BODY_SECONDS, BYTES_A_SECOND = 30.0, 32_768
# Large bodies held at once, and the longest wait for a slot, in seconds.
LARGE_AT_ONCE, PLACE_SECONDS = 8, 10.0
# Longest wait for the processing of others, which takes five times their memory.
TURN_SECONDS = 60.0
# Longest time, in seconds, for the rest of a refused body: closing at once would reset the
# connection before the client has read the answer.
DRAIN_SECONDS = 5.0
# The middleware of an answer without database and session, outermost first.
MIDDLEWARE: tuple[Any, ...] = (
    envelope,
    SecurityMiddleware,
    LocaleMiddleware,
    XFrameOptionsMiddleware,
)


class LargeBodies:
    """The slots for large bodies in one process."""

    def __init__(self) -> None:
        self._places = asyncio.Semaphore(LARGE_AT_ONCE)
        self._of_person: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def place(self, person: UUID) -> AsyncIterator[None]:
        """Hold the person's one slot while the body arrives and is processed."""
        mine = self._of_person.setdefault(person, asyncio.Lock())
        async with _acquired(mine, PLACE_SECONDS), _acquired(self._places, PLACE_SECONDS):
            yield

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait until the previous bodies are processed."""
        async with _acquired(self._turn, TURN_SECONDS):
            yield


@asynccontextmanager
async def _acquired(lock: asyncio.Lock | asyncio.Semaphore, seconds: float) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(seconds):
            await lock.acquire()
    except TimeoutError:
        raise BodyRefused(TooManyUploads) from None
    try:
        yield
    finally:
        lock.release()


def limit_body(app: App) -> App:
    """Read each request's body and pass it to the app whole, or refuse the request."""
    places = LargeBodies()

    async def limited(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        try:
            # A body with a small Content-Length may not be larger.
            may_be_large = (
                is_upload(scope) and not 0 < _read_content_length(scope) <= settings.MAX_BODY_BYTES
            )
            person = await run_in_thread(identify_sender, scope) if may_be_large else None
            if person is None:
                reason = NotSignedIn if is_upload(scope) else BodyTooLarge
                body = await _read(scope, receive, settings.MAX_BODY_BYTES, reason)
                await app(_add_content_length(scope, body), _make_receive(body, receive), send)
                return
            async with places.place(person):
                most = max(settings.MAX_BODY_BYTES, settings.MAX_UPLOAD_BYTES)
                body = await _read(scope, receive, most, UploadTooLarge)
                async with places.turn():
                    await app(_add_content_length(scope, body), _make_receive(body, receive), send)
        except BodyRefused as error:
            answer = partial(respond_refusal, refusal=error.reason())
            await _refuse(scope, receive, send, answer)
        except DatabaseError as error:
            await _refuse(scope, receive, send, partial(failed, error=error))

    return limited


async def _read(scope: Message, receive: Receive, most: int, reason: Any) -> bytes:
    """Return the whole body; raises BodyRefused for one that is too large or too slow."""
    if _read_content_length(scope) > most:
        raise BodyRefused(reason)
    body, begun, more = bytearray(), asyncio.get_running_loop().time(), True
    while more:
        try:
            async with asyncio.timeout_at(begun + BODY_SECONDS + len(body) / BYTES_A_SECOND):
                message = await receive()
        except TimeoutError:
            raise BodyRefused(TooSlow) from None
        if message["type"] == "http.disconnect":
            raise asyncio.CancelledError
        body += message.get("body", b"")
        if len(body) > most:
            raise BodyRefused(reason)
        more = message.get("more_body", False)
    return bytes(body)


def _read_content_length(scope: Message) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"0")
    return int(length) if length.isdigit() else 0


def _add_content_length(scope: Message, body: bytes) -> Message:
    """Return the scope with the length of a chunked body."""
    if not body or b"content-length" in dict(scope["headers"]):
        return scope
    length = (b"content-length", str(len(body)).encode())
    return {**scope, "headers": [*scope["headers"], length]}


def _make_receive(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that yields the body once, and then the original's messages."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def give() -> Message:
        return messages.pop() if messages else await receive()

    return give


async def _refuse(
    scope: Message, receive: Receive, send: Send, answer: Callable[[HttpRequest], HttpResponse]
) -> None:
    response = await run_in_thread(answer_before_django, scope, answer)
    headers = [
        *encode_headers(response),
        (b"content-length", str(len(response.content)).encode()),
        (b"connection", b"close"),
    ]
    status = response.status_code
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": response.content, "more_body": True})
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            while (await receive()).get("more_body", False):
                pass
    await send({"type": "http.response.body", "body": b""})


def answer_before_django(
    scope: Message, answer: Callable[[HttpRequest], HttpResponse]
) -> HttpResponse:
    """Return the answer with Django's headers and language."""
    handler = answer
    for middleware in reversed(MIDDLEWARE):
        handler = middleware(handler)
    return handler(ASGIRequest(scope, BytesIO()))
