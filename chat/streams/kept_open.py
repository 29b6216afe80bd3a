"""Long responses after Django's: a waiting client holds no thread and no connection.

A view whose client waits (for a turn's events, or an answer that is not stored) puts a response
into the request's slot. Django finishes that request as any other and gives back its thread and
connection. `Following`, the ASGI layer around Django, then serves the response.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, MutableMapping
from io import BytesIO
from typing import Any, Protocol

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse

from chat.database_threads import run_in_thread
from chat.protocol.error_pages import away, failed
from chat.streams.reading_rights import Right
from chat.streams.snapshots import NOTHING, Cursor, Event, make_end_event
from chat.streams.watching import RECHECK_SECONDS, watched
from memory.errors import describe_error

log = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

EVENT_STREAM = "text/event-stream"
STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"x-accel-buffering", b"no"),
]
SLOT = "throughline.follow"
# A comment, since proxies close idle connections.
HEARTBEAT = b": still here\n\n"


class Client(Protocol):
    """A request that continues after Django's response."""

    async def serve(self, headers: Headers, receive: Receive, send: Send) -> None: ...


def keep(request: Any, client: Client) -> bool:
    """Have the client served after Django; return False without an ASGI server.

    Takes Django's or REST framework's request.
    """
    http = getattr(request, "_request", request)
    slot = getattr(http, "scope", {}).get(SLOT)
    if slot is None:
        return False
    slot.append(client)
    return True


class Following:
    """ASGI middleware around Django that serves waiting clients."""

    def __init__(self, django: App) -> None:
        self.django = django

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.django(scope, receive, send)
            return
        slot: list[Client] = []
        scope[SLOT] = slot
        held = _Held(send, slot)
        # A client that disconnects while its question is stored must not stop the answer.
        await self.django(scope, _hide_disconnect(receive), held)
        for client in slot:
            await _serve_client(client, scope, held.headers, receive, send)


async def _serve_client(
    client: Client, scope: Scope, headers: Headers, receive: Receive, send: Send
) -> None:
    """Serve the client; if that fails before the first byte, send an error response.

    At shutdown the response asks the client to retry: another process resumes the answer.
    """
    begun = False

    async def noted(message: MutableMapping[str, Any]) -> None:
        nonlocal begun
        begun = True
        await send(message)

    try:
        await client.serve(headers, receive, noted)
    except asyncio.CancelledError:
        if not begun:
            await send_response(away(ASGIRequest(scope, BytesIO())), headers, send)
        raise
    except Exception as error:  # noqa: BLE001 - its message may have personal data
        log.error("serving_raised", extra=describe_error(error))
        if not begun:
            response = await run_in_thread(failed, ASGIRequest(scope, BytesIO()), error)
            await send_response(response, headers, send)


class _Held:
    """Forwards a response, unless its view has kept the client waiting for a stream."""

    def __init__(self, send: Send, slot: list[Client]) -> None:
        self.send, self.slot = send, slot
        self.headers: Headers = []

    async def __call__(self, message: MutableMapping[str, Any]) -> None:
        if not self.slot:
            await self.send(message)
        elif message["type"] == "http.response.start":
            own = {b"content-type", b"content-length"}
            self.headers = [pair for pair in message["headers"] if pair[0].lower() not in own]


def _hide_disconnect(receive: Receive) -> Receive:
    body_is_read = False

    async def receive_body() -> MutableMapping[str, Any]:
        nonlocal body_is_read
        if body_is_read:
            await asyncio.Future()  # Django cancels this when it has answered
        message = await receive()
        body_is_read = not message.get("more_body", False)
        return message

    return receive_body


async def serve_while_connected(receive: Receive, serving: Coroutine[Any, Any, None]) -> None:
    """Serve until the end or the client's disconnection; raises the errors of serving."""
    tasks = [asyncio.create_task(serving), asyncio.create_task(_wait_for_disconnect(receive))]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        served, _left = await asyncio.gather(*tasks, return_exceptions=True)
    if isinstance(served, Exception):
        raise served


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def send_events(
    events: AsyncIterator[Event | None], headers: Headers, send: Send, *, right: Right
) -> None:
    """Send the events as they come, while the reader may read them.

    None marks a pause. A reader who loses the right gets an error event; if the right can't be
    checked, the stream breaks off, to be resumed later.
    """
    start = {"type": "http.response.start", "status": 200, "headers": headers + STREAM_HEADERS}
    await send(start)
    clock = asyncio.get_running_loop().time
    heard, cursor = clock(), NOTHING
    with watched(right) as reader:
        async for event in events:
            if not reader.holds:
                if reader.is_withdrawn:
                    await _send_on(send, make_end_event(cursor).encoded())
                break
            if clock() - heard >= RECHECK_SECONDS:
                heard = clock()
                await _send_on(send, HEARTBEAT)
            if event is not None:
                cursor = Cursor.parse(event.id)
                await _send_on(send, event.encoded())
    await send({"type": "http.response.body", "body": b""})


async def _send_on(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def send_response(response: HttpResponse, headers: Headers, send: Send) -> None:
    """Send a complete response with the headers of Django's middleware."""
    start = {"status": response.status_code, "headers": headers + encode_headers(response)}
    await send({"type": "http.response.start", **start})
    await send({"type": "http.response.body", "body": response.content})


def encode_headers(response: HttpResponse) -> Headers:
    """Return the headers of a response in ASGI's format."""
    return [(name.lower().encode(), value.encode("latin-1")) for name, value in response.items()]
