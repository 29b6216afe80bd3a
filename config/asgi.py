"""The ASGI application: Django, with bodies limited before it and streams kept beside it."""

import asyncio
import os
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django: Any = get_asgi_application()

# Only now are the models there that these need.
from chat.bodies import is_known, is_upload, refusal  # noqa: E402
from chat.events import stop_answers  # noqa: E402
from chat.keeping import Following  # noqa: E402
from chat.threads import in_database  # noqa: E402
from memory.embedding import embedder  # noqa: E402
from memory.tokens import count_tokens  # noqa: E402

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]


# How long a client may go on sending a body that has been refused.
DRAIN_SECONDS = 5.0
# A large body is held in memory from its first byte on: a few at a time, each within its time.
LARGE_AT_ONCE, LARGE_SECONDS = 3, 600.0
few_large = asyncio.Semaphore(LARGE_AT_ONCE)
# What is made of it takes five times as much: one after the other.
one_large = asyncio.Lock()


class BodyTooLarge(Exception):
    """The client sends more than it may, whatever it said it would send."""


def limit_body(app: App) -> App:
    """Refuse larger bodies with 413 while they arrive, before anything holds them."""

    async def limited(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        limit = await _limit(scope)
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                raise BodyTooLarge
            return message

        try:
            if _announced(scope) > limit:
                raise BodyTooLarge
            if limit <= settings.MAX_BODY_BYTES:
                await app(scope, counted, send)
                return
            async with few_large:
                async with asyncio.timeout(LARGE_SECONDS):
                    known, body = await _taken_in(scope, counted)
                async with one_large:
                    await app(known, body, send)
        except BodyTooLarge:
            await _refuse(scope, limit, receive, send)

    return limited


async def _taken_in(scope: Message, receive: Receive) -> tuple[Message, Receive]:
    """Take in the whole body; return the scope with its length, and what gives it out again."""
    messages = deque([await receive()])
    while messages[-1].get("more_body", False):
        messages.append(await receive())
    length = sum(len(message.get("body", b"")) for message in messages)
    others = [header for header in scope["headers"] if header[0] != b"content-length"]
    known = {**scope, "headers": [*others, (b"content-length", str(length).encode())]}

    async def again() -> Message:
        return messages.popleft() if messages else await receive()

    return known, again


async def _limit(scope: Message) -> int:
    """Return how large the body may be: as a document, if someone who is known uploads one."""
    small, large = settings.MAX_BODY_BYTES, settings.MAX_UPLOAD_BYTES
    may_be_large = is_upload(scope) and not 0 < _announced(scope) <= small
    return max(small, large) if may_be_large and await in_database(is_known, scope) else small


def _announced(scope: Message) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"0")
    return int(length) if length.isdigit() else 0


async def _refuse(scope: Message, limit: int, receive: Receive, send: Send) -> None:
    status, media_type, body = refusal(scope, limit)
    headers = [
        (b"content-type", media_type.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": True})
    # Closing on a client that is still sending would reset the connection under the answer.
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            while (await receive()).get("more_body", False):
                pass
    await send({"type": "http.response.body", "body": b""})


def with_lifespan(app: App) -> App:
    """Load what the first question would wait for; interrupt open answers when the server stops."""

    async def lived(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await app(scope, receive, send)
            return
        await receive()
        _warm_up()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await stop_answers()
        await send({"type": "lifespan.shutdown.complete"})

    return lived


def _warm_up() -> None:
    count_tokens("")
    engine = None if settings.EMBEDDING_BASE_URL else embedder()
    if engine is not None:
        engine.embed(["warm"])


application = with_lifespan(limit_body(Following(django)))
