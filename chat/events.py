"""Following a turn: a view says who may, and then nobody holds a thread or a connection for it.

A view that took a question, or that lets someone read an open turn, returns `follow(...)`. Django
finishes that request as any other, with its middleware, its thread and its connection given back;
`Following`, the ASGI layer around Django, then keeps the client: it starts the answer in this
process's event loop, streams the turn's events, or waits for its end and sends what the view would
have answered then. The right to read is checked again while it streams. A client that leaves ends
nothing: the answer goes on.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import get_language

from chat.credentials import Credential, credential_of, may_still_read
from chat.live import live_of
from chat.snapshots import Cursor, Event, live_snapshot, news, stored_snapshot
from chat.threads import in_database
from chat.turns import answer, answer_now
from memory.answers import interrupt_lapsed
from memory.models import Attempt, Turn

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

EVENT_STREAM = "text/event-stream"
SLOT = "throughline.follow"
# How often readers in other processes look at the row, and everyone's right is checked again.
POLL_SECONDS = 0.3
# A reader waits as long for news, so a withdrawn right may live twice this.
RECHECK_SECONDS = 2.0
# Proxies close a connection that says nothing for long.
HEARTBEAT = b": still here\n\n"


@dataclass(frozen=True)
class Follow:
    """A request that goes on after Django has answered it."""

    turn: Turn
    attempt: Attempt | None
    credential: Credential
    language: str
    cursor: Cursor
    streams: bool
    respond: Callable[[Turn], HttpResponse]
    missing: Callable[[], HttpResponse]


def _nothing() -> HttpResponse:
    return HttpResponse(status=404)


def follow(
    request: Any,
    turn: Turn,
    attempt: Attempt | None = None,
    *,
    respond: Callable[[Turn], HttpResponse],
    missing: Callable[[], HttpResponse] = _nothing,
    streams: bool = False,
) -> HttpResponse:
    """Answer the request with the turn's events, or with `respond(turn)` once it has ended.

    `attempt` is given by the view that took the question: its answer is started here. `missing`
    answers if the turn may not be read any more when it has ended; `streams` sends events whatever
    the request accepts. Takes Django's request or REST framework's.
    """
    http: HttpRequest = getattr(request, "_request", request)
    after = http.headers.get("Last-Event-ID") or http.GET.get("after", "")
    wish = Follow(
        turn=turn,
        attempt=attempt,
        credential=credential_of(request),
        language=get_language() or settings.LANGUAGE_CODE,
        cursor=Cursor.parse(after),
        streams=streams or EVENT_STREAM in http.headers.get("Accept", ""),
        respond=respond,
        missing=missing,
    )
    slot = getattr(http, "scope", {}).get(SLOT)
    if slot is None:
        return _follow_here(wish)
    slot.append(wish)
    return HttpResponse()


def _follow_here(wish: Follow) -> HttpResponse:
    """Follow to the end in this thread: there is no ASGI server around (WSGI, test client)."""
    if wish.attempt is not None:
        answer_now(wish.attempt)
    if not wish.streams:
        return wish.respond(_ended(wish.turn.pk) or wish.turn)
    snapshot = stored_snapshot(wish.turn.pk)
    events = news(snapshot, wish.cursor) if snapshot else []
    body = b"".join(event.encoded() for event in events)
    return HttpResponse(body, content_type="text/event-stream; charset=utf-8")


def _ended(turn_id: UUID) -> Turn | None:
    return Turn.objects.select_related("session").filter(pk=turn_id).first()


async def follow_turn(turn_id: UUID, cursor: Cursor) -> AsyncIterator[Event | None]:
    """Yield the turn's events after the cursor until it has ended, and None where it has to wait.

    Ends without a closing event if the turn is erased.
    """
    snapshot = await in_database(stored_snapshot, turn_id)
    while snapshot is not None:
        live = live_of(turn_id)
        version = live.version if live else 0
        if live and not live.ended and live.attempt == snapshot.attempt:
            snapshot = live_snapshot(live, snapshot.turn)
        for event in news(snapshot, cursor):
            cursor = Cursor.parse(event.id)
            yield event
        if snapshot.ended is not None:
            return
        yield None
        if live and live.attempt == snapshot.attempt:
            await live.newer_than(version, patience=RECHECK_SECONDS)
            if not live.ended:
                continue
        else:
            await asyncio.sleep(POLL_SECONDS)
        if snapshot.lapsed:
            await in_database(interrupt_lapsed)
        snapshot = await in_database(stored_snapshot, turn_id)


# --- The ASGI layer -------------------------------------------------------------------------------

# The event loop holds its tasks weakly: an answer must not be collected while it waits.
_answers: set[asyncio.Task[None]] = set()


class Following:
    """Wraps Django: keeps the client of a response that says `follow`."""

    def __init__(self, django: App) -> None:
        self.django = django

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.django(scope, receive, send)
            return
        slot: list[Follow] = []
        scope[SLOT] = slot
        held = _Held(send, slot)
        # A client that leaves while its question is being stored must not stop the answer to it.
        await self.django(scope, _without_disconnect(receive), held)
        for wish in slot:
            await _serve(wish, held.headers, receive, send)


async def stop_answers() -> None:
    """Interrupt the answers of this process, keeping what they have: the server goes down."""
    for task in _answers:
        task.cancel()
    if _answers:
        await asyncio.wait(_answers, timeout=4)


class _Held:
    """Lets a response pass, but holds back the one of a view that said `follow`."""

    def __init__(self, send: Send, slot: list[Follow]) -> None:
        self.send, self.slot = send, slot
        self.headers: list[tuple[bytes, bytes]] = []

    async def __call__(self, message: MutableMapping[str, Any]) -> None:
        if not self.slot:
            await self.send(message)
        elif message["type"] == "http.response.start":
            own = {b"content-type", b"content-length"}
            self.headers = [pair for pair in message["headers"] if pair[0].lower() not in own]


def _without_disconnect(receive: Receive) -> Receive:
    body_is_read = False

    async def receive_body() -> MutableMapping[str, Any]:
        nonlocal body_is_read
        if body_is_read:
            await asyncio.Future()  # Django cancels this when it has answered
        message = await receive()
        body_is_read = not message.get("more_body", False)
        return message

    return receive_body


async def _serve(
    wish: Follow, headers: list[tuple[bytes, bytes]], receive: Receive, send: Send
) -> None:
    translation.activate(wish.language)  # for this task and those it starts
    if wish.attempt is not None:
        task = asyncio.create_task(answer(wish.attempt))
        _answers.add(task)
        task.add_done_callback(_answers.discard)
    serving = asyncio.create_task(
        _send_events(wish, headers, send) if wish.streams else _send_end(wish, headers, send)
    )
    leaving = asyncio.create_task(_disconnected(receive))
    await asyncio.wait({serving, leaving}, return_when=asyncio.FIRST_COMPLETED)
    for task in (serving, leaving):
        task.cancel()
    await asyncio.gather(serving, leaving, return_exceptions=True)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send_events(wish: Follow, headers: list[tuple[bytes, bytes]], send: Send) -> None:
    own = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
    await send({"type": "http.response.start", "status": 200, "headers": headers + own})
    clock = asyncio.get_running_loop().time
    checked = clock()
    async for event in follow_turn(wish.turn.pk, wish.cursor):
        if clock() - checked >= RECHECK_SECONDS:
            checked = clock()
            if not await in_database(may_still_read, wish.turn.pk, wish.credential):
                break
            await send({"type": "http.response.body", "body": HEARTBEAT, "more_body": True})
        if event is not None:
            body = event.encoded()
            await send({"type": "http.response.body", "body": body, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def _send_end(wish: Follow, headers: list[tuple[bytes, bytes]], send: Send) -> None:
    async for _ in follow_turn(wish.turn.pk, wish.cursor):
        pass
    response = await in_database(_final_response, wish)
    fields = [(name.lower().encode(), value.encode("latin-1")) for name, value in response.items()]
    start = {"status": response.status_code, "headers": headers + fields}
    await send({"type": "http.response.start", **start})
    await send({"type": "http.response.body", "body": response.content})


def _final_response(wish: Follow) -> HttpResponse:
    turn = _ended(wish.turn.pk)
    allowed = turn is not None and may_still_read(turn.pk, wish.credential)
    return wish.respond(turn) if turn and allowed else wish.missing()
