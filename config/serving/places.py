"""Streams that begin at the door: who waits there for long is told in them how many are before.

Nothing is known of such a question yet but that it waits, and nothing of it is stored. So its
stream begins with `waiting`, without an id, and what Django answers goes on with it. Where that is
no stream, since the question isn't taken, the head that says so can't be sent any more: then
`error` ends the stream, with the status that it would have had.
"""

import json
from typing import Any

from django.http import HttpResponse
from rest_framework.exceptions import NotAuthenticated

from chat.protocol.errors import ErrorDetail, error_shape, plain_error
from chat.streams.kept_open import EVENT_STREAM, STREAM_HEADERS, header_fields
from chat.streams.snapshots import Event
from config.serving.door import TELL_PLACE, asks
from config.serving.intake import App, Message, Receive, Send, answered_before_django


def place_told(app: App) -> App:
    """Let the door tell who reads a stream how many are before, and the app answer in that."""

    async def told(scope: Message, receive: Receive, send: Send) -> None:
        if asks(scope) and EVENT_STREAM.encode() in dict(scope["headers"]).get(b"accept", b""):
            answer = _Answer(scope, send)
            scope[TELL_PLACE] = answer.wait_behind
            await app(scope, receive, answer)
        else:
            await app(scope, receive, send)

    return told


class _Answer:
    """What is sent to one client: the app's answer, or a stream that has begun before it."""

    def __init__(self, scope: Message, send: Send) -> None:
        self.scope, self.send = scope, send
        self._has_begun = False
        # What the app answers that can only be told as an event, and its body so far.
        self._refusal: Message | None = None
        self._body = b""

    async def wait_behind(self, before: int) -> None:
        """Tell that so many are answered before."""
        if not self._has_begun:
            self._has_begun = True
            response = answered_before_django(self.scope, lambda request: HttpResponse())
            own = [pair for pair in header_fields(response) if pair[0] != b"content-type"]
            headers = [*own, *STREAM_HEADERS]
            await self.send({"type": "http.response.start", "status": 200, "headers": headers})
        await self._tell(Event("waiting", "", {"before": before}), more=True)

    async def __call__(self, message: Message) -> None:
        if not self._has_begun:
            await self.send(message)
        elif message["type"] == "http.response.start":
            kind = _headers_of(message).get(b"content-type", b"")
            self._refusal = None if kind.startswith(EVENT_STREAM.encode()) else message
        elif self._refusal is None:
            await self.send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._tell(_told(self._refusal, self._body), more=False)

    async def _tell(self, event: Event, *, more: bool) -> None:
        body = event.encoded()
        await self.send({"type": "http.response.body", "body": body, "more_body": more})


def _headers_of(start: Message) -> dict[bytes, bytes]:
    return {name.lower(): value for name, value in start["headers"]}


def _told(start: Message, body: bytes) -> Event:
    """Return the event that says what the response would have said."""
    status, headers = start["status"], _headers_of(start)
    error = _detail(status, headers.get(b"content-type", b""), body)
    data: dict[str, Any] = {"code": error["code"], "message": error["message"], "turn": None}
    data["status"] = status
    if (seconds := headers.get(b"retry-after", b"")).isdigit():
        data["retry_after"] = int(seconds)
    return Event("error", "", data)


def _detail(status: int, kind: bytes, body: bytes) -> ErrorDetail:
    if kind.startswith(b"application/json"):
        told: ErrorDetail = json.loads(body)["error"]
        return told
    if status < 400:  # to where one signs in
        message = str(NotAuthenticated.default_detail)
        return error_shape(NotAuthenticated.default_code, message)["error"]
    plain: ErrorDetail = json.loads(plain_error(status).content)["error"]
    return plain
