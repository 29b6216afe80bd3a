"""Bodies before Django: refused while they arrive, and the large ones taken in a few at a time.

All of a body is held in memory. A large one, a document, may come from someone who is known: one
from each person at a time, all together no more than MOST_HELD bytes, and each only for as long as
it keeps coming. A place is taken by what has arrived, not by what was announced, so senders who
are slow, or silent, stand in nobody's way.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.locale import LocaleMiddleware
from django.middleware.security import SecurityMiddleware

from chat.database_threads import in_database
from chat.streams.kept_open import header_fields
from chat.uploads.admission import (
    BodyRefused,
    BodyTooLarge,
    NotSignedIn,
    TooManyUploads,
    TooSlow,
    is_upload,
    refused,
    sender,
)
from chat.uploads.uploading import UploadTooLarge
from config.middleware import PagePolicies, private_responses, request_id
from memory.errors import Refusal

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

# How long a small body may take; so many bytes come over any line in that time.
SMALL_BODY_SECONDS = 30.0
# How long a client may go on sending a body that has been refused.
DRAIN_SECONDS = 5.0
POLL_SECONDS = 0.05
# What an answer of Django's gets that needs neither database nor session, outermost first.
EVERYWHERE: tuple[Any, ...] = (
    request_id,
    SecurityMiddleware,
    PagePolicies,
    private_responses,
    LocaleMiddleware,
    XFrameOptionsMiddleware,
)


@dataclass(frozen=True)
class IntakePatience:
    """How long is waited for a large body, and how long it waits, in seconds."""

    stall: float = 20.0  # for its next bytes
    rate: float = 32_768.0  # bytes a second that it must have brought once `stall` is over
    place: float = 10.0  # until there is room for more of it
    turn: float = 60.0  # until Django is done with the others, once it is whole


@dataclass
class Intake:
    """The large bodies that one process holds."""

    patience: IntakePatience = field(default_factory=IntakePatience)
    most_held: int = 4 * settings.MAX_UPLOAD_BYTES
    _held: int = 0
    _senders: set[UUID] = field(default_factory=set)
    # What is made of a body takes five times as much: one after the other.
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def serve(
        self, person: UUID, app: App, scope: Message, receive: Receive, send: Send
    ) -> None:
        """Take in the person's body and give it to the app; raises BodyRefused."""
        async with self._place_of(person) as body:
            await self._take_in(body, receive)
            try:
                async with asyncio.timeout(self.patience.turn):
                    await self._turn.acquire()
            except TimeoutError:
                raise BodyRefused(TooManyUploads) from None
            try:
                await app(body.known(scope), body.again(receive), send)
            finally:
                self._turn.release()

    @asynccontextmanager
    async def _place_of(self, person: UUID) -> AsyncIterator["Body"]:
        await self._until(lambda: person not in self._senders)
        self._senders.add(person)
        body = Body()
        try:
            yield body
        finally:
            self._senders.discard(person)
            self._held -= body.length

    async def _take_in(self, body: "Body", receive: Receive) -> None:
        clock, waited, more = asyncio.get_running_loop().time, 0.0, True
        while more:
            began = clock()
            left = self.patience.stall + body.length / self.patience.rate - waited
            try:
                async with asyncio.timeout(min(left, self.patience.stall)):
                    message = await receive()
            except TimeoutError:
                raise BodyRefused(TooSlow) from None
            waited += clock() - began
            size = len(message.get("body", b""))
            await self._until(partial(self._has_room, size))
            self._held += size
            body.add(message, size)
            more = message.get("more_body", False)

    def _has_room(self, size: int) -> bool:
        return self._held + size <= self.most_held

    async def _until(self, ready: Callable[[], bool]) -> None:
        """Wait until it is so; nothing comes between that and the caller's next step."""
        clock = asyncio.get_running_loop().time
        give_up = clock() + self.patience.place
        while not ready():
            if clock() >= give_up:
                raise BodyRefused(TooManyUploads)
            await asyncio.sleep(POLL_SECONDS)


@dataclass
class Body:
    """What has arrived of a body."""

    length: int = 0
    _messages: deque[Message] = field(default_factory=deque)

    def add(self, message: Message, size: int) -> None:
        self._messages.append(message)
        self.length += size

    def known(self, scope: Message) -> Message:
        """Return the scope with the length that the body turned out to have."""
        others = [header for header in scope["headers"] if header[0] != b"content-length"]
        length = (b"content-length", str(self.length).encode())
        return {**scope, "headers": [*others, length]}

    def again(self, receive: Receive) -> Receive:
        """Return what gives the body out again, and then what `receive` brings."""

        async def given() -> Message:
            return self._messages.popleft() if self._messages else await receive()

        return given


def limit_body(app: App, intake: Intake | None = None) -> App:
    """Refuse larger bodies while they arrive, and let the large ones in by the intake."""
    large = intake or Intake()

    async def limited(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        try:
            # All that is no upload, or announces no more, may only be small.
            may_be_large = is_upload(scope) and not 0 < _announced(scope) <= settings.MAX_BODY_BYTES
            person = await in_database(sender, scope) if may_be_large else None
            counted = _counted(scope, receive, person)
            if person is None:
                await app(scope, counted, send)
            else:
                await large.serve(person, app, scope, counted, send)
        except BodyRefused as error:
            await _refuse(scope, error.reason, receive, send)

    return limited


def _counted(scope: Message, receive: Receive, person: UUID | None) -> Receive:
    """Return what receives as much as the person may send; raises BodyRefused."""
    small, large = settings.MAX_BODY_BYTES, settings.MAX_UPLOAD_BYTES
    limit = small if person is None else max(small, large)
    reason: type[Refusal] = UploadTooLarge
    if person is None:
        reason = NotSignedIn if is_upload(scope) else BodyTooLarge
    if _announced(scope) > limit:
        raise BodyRefused(reason)
    received, is_whole = 0, False
    due = asyncio.get_running_loop().time() + SMALL_BODY_SECONDS

    async def counted() -> Message:
        nonlocal received, is_whole
        # Large bodies have a patience of their own, and who has sent all only waits for us.
        is_timed = person is None and not is_whole
        try:
            async with asyncio.timeout_at(due if is_timed else None):
                message = await receive()
        except TimeoutError:
            raise BodyRefused(TooSlow) from None
        received += len(message.get("body", b""))
        is_whole = not message.get("more_body", False)
        if received > limit:
            raise BodyRefused(reason)
        return message

    return counted


def _announced(scope: Message) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"0")
    return int(length) if length.isdigit() else 0


async def _refuse(scope: Message, reason: type[Refusal], receive: Receive, send: Send) -> None:
    response = await in_database(_answer, scope, reason)
    headers = [
        *header_fields(response),
        (b"content-length", str(len(response.content)).encode()),
        (b"connection", b"close"),
    ]
    status = response.status_code
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": response.content, "more_body": True})
    # Closing on a client that is still sending would reset the connection under the answer.
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            while (await receive()).get("more_body", False):
                pass
    await send({"type": "http.response.body", "body": b""})


def _answer(scope: Message, reason: type[Refusal]) -> HttpResponse:
    return answered_before_django(scope, lambda request: refused(request, reason()))


def answered_before_django(
    scope: Message, answer: Callable[[HttpRequest], HttpResponse]
) -> HttpResponse:
    """Return the answer with the headers and in the language that Django's would have."""
    handler = answer
    for middleware in reversed(EVERYWHERE):
        handler = middleware(handler)
    return handler(ASGIRequest(scope, BytesIO()))
