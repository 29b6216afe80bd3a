"""Clients that wait for an answer which nobody stores: it is written for them while they wait.

Nobody holds a thread or a connection meanwhile (chat.keeping), and a client that leaves ends it.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from asgiref.sync import async_to_sync
from django.conf import settings
from django.http import HttpResponse
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from chat.credentials import Credential, credential_of, still_lets_in
from chat.keeping import (
    EVENT_STREAM,
    RECHECK_SECONDS,
    Headers,
    Receive,
    Send,
    keep,
    send_events,
    send_response,
    while_there,
)
from chat.querying import Query, answer_of
from chat.snapshots import Event
from chat.threads import in_this_thread
from memory.errors import Refusal

# So many of one person's questions are answered at a time, in one process.
MOST_AT_ONCE = 4
_answering: Counter[UUID] = Counter()


class TooManyAtOnce(Refusal):
    code = "too_many_at_once"

    @classmethod
    def default_message(cls) -> str:
        return _("Others of your questions are still being answered.")


@dataclass(frozen=True)
class Unkept:
    """A client that waits for an answer of its own: its events, or the response for the last."""

    query: Query
    credential: Credential
    language: str
    streams: bool
    respond: Callable[[Event], HttpResponse]

    async def serve(self, headers: Headers, receive: Receive, send: Send) -> None:
        translation.activate(self.language)  # for this task and those it starts
        owner = self.query.owner.pk
        if _answering[owner] >= MOST_AT_ONCE:
            busy = TooManyAtOnce()
            event = Event("error", "", {"code": busy.code, "message": busy.message})
            await send_response(self.respond(event), headers, send)
            return
        _answering[owner] += 1
        try:
            await while_there(receive, self._send(headers, send))
        finally:
            _answering[owner] -= 1
            if not _answering[owner]:
                del _answering[owner]

    async def _send(self, headers: Headers, send: Send) -> None:
        allowed = partial(still_lets_in, self.credential)
        async with aclosing(answer_of(self.query)) as events:
            if not self.streams:
                *_before, last = [event async for event in events]
                await send_response(self.respond(last), headers, send)
                return
            async with aclosing(with_pauses(events)) as paused:
                await send_events(paused, headers, send, allowed=allowed)


def answer_unkept(
    request: Any, query: Query, *, respond: Callable[[Event], HttpResponse]
) -> HttpResponse:
    """Answer the request with the events, if it accepts them, or with `respond(the last)`."""
    streams = EVENT_STREAM in request.headers.get("Accept", "")
    language = get_language() or settings.LANGUAGE_CODE
    wish = Unkept(query, credential_of(request), language, streams, respond)
    if keep(request, wish):
        return HttpResponse()
    events = _answer_here(query)
    if not streams:
        return respond(events[-1])
    body = b"".join(event.encoded() for event in events)
    return HttpResponse(body, content_type=f"{EVENT_STREAM}; charset=utf-8")


def _answer_here(query: Query) -> list[Event]:
    """Answer to the end in this thread: there is no ASGI server around (WSGI, test client)."""

    async def gathered() -> list[Event]:
        return [event async for event in answer_of(query)]

    token = in_this_thread.set(True)
    try:
        return async_to_sync(gathered)()
    finally:
        in_this_thread.reset(token)


async def with_pauses(events: AsyncIterator[Event]) -> AsyncGenerator[Event | None, None]:
    """Yield the events, and None whenever there has been none for a while."""
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
