"""Clients of answers that are not stored: the answer is written while they wait.

No client holds a thread or a connection meanwhile (chat.streams.kept_open). A client that
disconnects ends its answer.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass
from threading import Lock
from typing import Any
from uuid import UUID

from asgiref.sync import async_to_sync
from django.conf import settings
from django.http import HttpResponse
from django.utils import translation
from django.utils.translation import get_language, gettext_lazy

from chat.database_threads import in_this_thread, run_in_thread
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
from chat.streams.querying import Query, admit, stream_answer
from chat.streams.reading_rights import Right, is_valid
from chat.streams.snapshots import Event
from chat.streams.watching import RECHECK_SECONDS
from memory.errors import Refusal
from memory.people.credentials import Credential, get_credential

# Most simultaneous answers of a person in one process.
MOST_AT_ONCE = 4
_answering: Counter[UUID] = Counter()
_counting = Lock()


class TooManyAtOnce(Refusal):
    code = "too_many_at_once"
    says = gettext_lazy("Other questions of yours are still being answered.")


@dataclass(frozen=True)
class Unstored:
    """A client that waits for its own answer, as events or as one response."""

    query: Query
    credential: Credential
    language: str
    streams: bool
    respond: Callable[[Event], HttpResponse]
    refuse: Callable[[], HttpResponse]

    async def serve(self, headers: Headers, receive: Receive, send: Send) -> None:
        try:
            translation.activate(self.language)  # for this task and those it starts
            await serve_while_connected(receive, self._send(headers, send))
        finally:
            _leave_place(self.query.owner.pk)

    async def _send(self, headers: Headers, send: Send) -> None:
        right = Right(self.credential)
        async with aclosing(stream_answer(self.query)) as events:
            if not self.streams:
                *_before, last = [event async for event in events]
                response = (
                    self.respond(last) if await run_in_thread(is_valid, right) else self.refuse()
                )
                await send_response(response, headers, send)
                return
            async with aclosing(add_pauses(events)) as paused:
                await send_events(paused, headers, send, right=right)


def _take_place(person: UUID) -> None:
    with _counting:
        if _answering[person] >= MOST_AT_ONCE:
            raise TooManyAtOnce
        _answering[person] += 1


def _leave_place(person: UUID) -> None:
    with _counting:
        _answering[person] -= 1
        if not _answering[person]:
            del _answering[person]


def answer_unstored(
    request: Any,
    query: Query,
    *,
    respond: Callable[[Event], HttpResponse],
    refuse: Callable[[], HttpResponse],
) -> HttpResponse:
    """Respond with the events, if the request accepts them, or with `respond(the last)`.

    `refuse` responds if the credential has been withdrawn meanwhile. Raises a Refusal, with nothing
    counted, for a question that can't be answered now.
    """
    streams = EVENT_STREAM in request.headers.get("Accept", "")
    language = get_language() or settings.LANGUAGE_CODE
    client = Unstored(query, get_credential(request), language, streams, respond, refuse)
    _take_place(query.owner.pk)
    is_kept = False  # the place is left once the client is served
    try:
        admit(query)
        is_kept = keep(request, client)
        return HttpResponse() if is_kept else _respond_here(client)
    finally:
        if not is_kept:
            _leave_place(query.owner.pk)


def _respond_here(client: Unstored) -> HttpResponse:
    """Answer to the end in this thread, without an ASGI server (WSGI, test client)."""

    async def gathered() -> list[Event]:
        return [event async for event in stream_answer(client.query)]

    token = in_this_thread.set(True)
    try:
        events = async_to_sync(gathered)()
    finally:
        in_this_thread.reset(token)
    if not client.streams:
        return client.respond(events[-1])
    body = b"".join(event.encoded() for event in events)
    return HttpResponse(body, content_type=f"{EVENT_STREAM}; charset=utf-8")


async def add_pauses(events: AsyncIterator[Event]) -> AsyncGenerator[Event | None, None]:
    """Yield the events, and None after each interval without one."""
    following = asyncio.ensure_future(anext(events, None))
    try:
        while True:
            if not (await asyncio.wait({following}, timeout=RECHECK_SECONDS))[0]:
                yield None
                continue
            event = following.result()
            if event is None:
                return
            yield event
            following = asyncio.ensure_future(anext(events, None))
    finally:
        following.cancel()
        with suppress(asyncio.CancelledError):
            await following
