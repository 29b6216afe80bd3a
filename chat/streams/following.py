"""Following a turn without a thread or a connection.

A view that took a question, or that lets someone read an open turn, returns `follow(...)`. Once
Django has finished that request (chat.streams.kept_open), the answer starts in this process's event
loop. Its events are streamed; or its end is awaited, and sent as the view's response. The right to
read is checked again meanwhile. A client that disconnects ends nothing: the answer goes on.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import get_language

from chat.database_threads import run_in_thread
from chat.streams.answering import begin_answer, is_left, take_up
from chat.streams.kept_open import (
    EVENT_STREAM,
    Headers,
    Receive,
    Send,
    keep,
    send_events,
    send_response,
    serve_while_connected,
)
from chat.streams.reading_rights import Right, is_valid
from chat.streams.snapshots import (
    Cursor,
    Event,
    Snapshot,
    list_new_events,
    make_end_event,
    make_first_snapshot,
    make_waiting_event,
    read_snapshot,
    take_live_snapshot,
)
from chat.streams.watching import RECHECK_SECONDS
from chat.turns.live import Live, find_live
from chat.turns.pipeline import answer_now
from memory.models import Attempt, Turn
from memory.people.credentials import Credential, get_credential
from memory.recall.rewriting.exchanges import Exchange

# Seconds between reads of the row by readers in other processes.
POLL_SECONDS = 0.3
# The same in this process, after a text was discarded and begun again.
ANEW_SECONDS = 0.01
# Seconds after which a reader of an answer whose end can't be stored gets a 503.
LEFT_SECONDS = 5.0


@dataclass(frozen=True)
class Follow:
    """A request that continues after Django's response."""

    turn: Turn
    attempt: Attempt | None
    credential: Credential
    language: str
    cursor: Cursor
    streams: bool
    respond: Callable[[Turn], HttpResponse]
    missing: Callable[[], HttpResponse]
    style: str
    history: Sequence[Exchange]

    async def serve(self, headers: Headers, receive: Receive, send: Send) -> None:
        translation.activate(self.language)  # for this task and those it starts
        if self.attempt is not None:
            begin_answer(self.attempt, self.history)
        await serve_while_connected(receive, self._send(headers, send))

    async def _send(self, headers: Headers, send: Send) -> None:
        right = Right(self.credential, self.turn.pk)
        events = follow_turn(self.turn, self.cursor, self.style, begun=self.attempt)
        if self.streams:
            await send_events(events, headers, send, right=right)
            return
        await self._wait_for_end(events)
        await send_response(await run_in_thread(self._answer_at_end, right), headers, send)

    async def _wait_for_end(self, events: AsyncIterator[Event | None]) -> None:
        """Wait for the end; raises OperationalError if the end can't be stored."""
        now, since = asyncio.get_running_loop().time, None
        async for _ in events:
            since = (since or now()) if is_left(self.turn.pk) else None
            if since and now() - since > LEFT_SECONDS:
                raise OperationalError("the end of the answer can't be stored")

    def _answer_at_end(self, right: Right) -> HttpResponse:
        turn = _read_turn(self.turn)
        return self.respond(turn) if turn and is_valid(right) else self.missing()


def _respond_missing() -> HttpResponse:
    return HttpResponse(status=404)


def follow(
    request: Any,
    turn: Turn,
    attempt: Attempt | None = None,
    *,
    respond: Callable[[Turn], HttpResponse],
    missing: Callable[[], HttpResponse] = _respond_missing,
    streams: bool = False,
    style: str = "",
    history: Sequence[Exchange] = (),
) -> HttpResponse:
    """Respond with the turn's events, or with `respond(turn)` once it has ended.

    `attempt` is set by the view that took the question: its answer is started here. `missing`
    responds if the turn may not be read any more when it has ended. `streams` forces events
    whatever the request accepts. `style` is the citation style, if not the turn's own. `history` is
    the client's, in place of the stored one. Takes Django's or REST framework's request.
    """
    http: HttpRequest = getattr(request, "_request", request)
    after = http.headers.get("Last-Event-ID") or http.GET.get("after", "")
    reader = Follow(
        turn=turn,
        attempt=attempt,
        credential=get_credential(request),
        language=get_language() or settings.LANGUAGE_CODE,
        cursor=Cursor.parse(after),
        streams=streams or EVENT_STREAM in http.headers.get("Accept", ""),
        respond=respond,
        missing=missing,
        style=style,
        history=history,
    )
    return HttpResponse() if keep(http, reader) else _follow_here(reader)


def _follow_here(reader: Follow) -> HttpResponse:
    """Follow to the end in this thread, without an ASGI server (WSGI, test client)."""
    if reader.attempt is not None:
        answer_now(reader.attempt, reader.history)
    if not reader.streams:
        return reader.respond(_read_turn(reader.turn) or reader.turn)
    snapshot = read_snapshot(reader.turn, reader.style, reader.cursor)
    events = (
        list_new_events(snapshot, reader.cursor) if snapshot else [make_end_event(reader.cursor)]
    )
    body = b"".join(event.encoded() for event in events)
    return HttpResponse(body, content_type="text/event-stream; charset=utf-8")


def _read_turn(turn: Turn) -> Turn | None:
    mine = Turn.objects.filter(pk=turn.pk, owner=turn.owner_id)
    return mine.select_related("session").first()


async def follow_turn(
    turn: Turn, cursor: Cursor, style: str = "", *, begun: Attempt | None = None
) -> AsyncIterator[Event | None]:
    """Yield the turn's events after the cursor until its end, and None while waiting.

    An `error` event ends it if the turn is erased meanwhile. `begun` is the attempt just stored
    with its turn, if there is one; the rows need not be read first then.
    """
    snapshot: Snapshot | None
    if begun is not None and begun.number == 1:
        snapshot = await run_in_thread(make_first_snapshot, begun, style)
    else:
        snapshot = await run_in_thread(read_snapshot, turn, style, cursor)
    before: int | None = None
    rows = 0
    while snapshot is not None:
        live = find_live(turn.pk)
        version = live.version if live else 0
        if live and not live.ended and live.attempt == snapshot.attempt:
            snapshot = take_live_snapshot(live, snapshot)
        rows = rows if snapshot.attempt == cursor.attempt else 0
        for event in list_new_events(snapshot, cursor, rows):
            cursor = Cursor.parse(event.id)
            yield event
        rows = len(snapshot.table["rows"]) if snapshot.table else 0
        if snapshot.before not in (None, before):
            yield make_waiting_event(snapshot)
        before = snapshot.before
        if snapshot.ended is not None:
            return
        yield None
        if await _has_live_news(live, snapshot, version):
            continue
        if snapshot.lapsed:
            await take_up()
        snapshot = await run_in_thread(read_snapshot, turn, style, cursor)
    yield make_end_event(cursor)


async def _has_live_news(live: Live | None, snapshot: Snapshot, version: int) -> bool:
    """Wait for something newer; return whether this process's own text has it."""
    if live and live.attempt == snapshot.attempt:
        await live.wait_for_news(version, patience=RECHECK_SECONDS)
        return not live.ended
    has_begun_anew = live is not None and live.attempt > snapshot.attempt
    await asyncio.sleep(ANEW_SECONDS if has_begun_anew else POLL_SECONDS)
    return False
