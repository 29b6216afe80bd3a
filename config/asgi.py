"""The ASGI application: Django, with bodies limited before it and streams kept beside it."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django: Any = get_asgi_application()

# Only now are the models there that these need.
from chat.events import Following, stop_answers  # noqa: E402
from memory.embedding import embedder  # noqa: E402
from memory.tokens import count_tokens  # noqa: E402

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]


# How long a client may go on sending a body that has been refused.
DRAIN_SECONDS = 5.0


class BodyTooLarge(Exception):
    """The client sent more than MAX_BODY_BYTES, whatever it said it would send."""


def limit_body(app: App) -> App:
    """Refuse larger bodies with 413 while they arrive, before anything holds them."""

    async def limited(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > settings.MAX_BODY_BYTES:
                raise BodyTooLarge
            return message

        try:
            if _announced(scope) > settings.MAX_BODY_BYTES:
                raise BodyTooLarge
            await app(scope, counted, send)
        except BodyTooLarge:
            await _refuse(receive, send)

    return limited


def _announced(scope: Message) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"0")
    return int(length) if length.isdigit() else 0


async def _refuse(receive: Receive, send: Send) -> None:
    message = f"The request is larger than {settings.MAX_BODY_BYTES} bytes."
    body = json.dumps({"error": {"code": "body_too_large", "message": message}}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
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
