"""Answers in time: whoever has sent a request hears within a bound, whatever Django waits for.

A database that is frozen answers nothing and refuses nothing: its statements wait for ever, each
with a thread. Nothing can end them from outside, but their clients need not wait as well, least of
all once it is known that nobody is answered (config.serving.silence). What was begun goes on
without them, as when a client leaves; the same Idempotency-Key finds it.
"""

import asyncio
import logging
from collections.abc import Callable
from io import BytesIO
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse

from chat.database_threads import in_database
from chat.protocol.error_pages import away, failed
from chat.streams.kept_open import SLOT, header_fields
from chat.uploads.admission import is_upload
from config.serving.door import AT_THE_DOOR
from config.serving.intake import App, Message, Receive, Send
from config.serving.silence import databases
from memory.errors import described

log = logging.getLogger(__name__)

# A little longer than SQLite waits for its lock, so that its own error is told where it comes.
SECONDS = 25.0
# Files are looked at by a process of their own, one after the other.
UPLOAD_SECONDS = 120.0
# With a database that is silent; it is looked at so often.
SILENCE_SECONDS, LOOK_SECONDS = 8.0, 1.0


def answer_in_time(
    app: App,
    *,
    seconds: float = SECONDS,
    is_vain: Callable[[], bool] = databases.hears_nothing,
) -> App:
    """Answer 503 where the app has not begun to answer in time, and what it raised otherwise.

    Sooner where waiting `is_vain`.

    The time begins once the request is whole, and doesn't run at the door (config.serving.door).
    Who follows a turn is kept for as long as it takes.
    """

    async def timed(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        answer = _Answer(scope, send, is_vain)
        patience = UPLOAD_SECONDS if is_upload(scope) else seconds
        try:
            await app(scope, answer.timed(receive, patience), answer)
        except Exception as error:  # noqa: BLE001 - its message may hold a person's words
            log.error("serving_raised", extra=described(error))
            await answer.fail(error)
        finally:
            answer.is_over()

    return timed


class _Answer:
    """What is sent to one client: the app's answer, or ours if that is late."""

    def __init__(self, scope: Message, send: Send, is_vain: Callable[[], bool]) -> None:
        self.scope, self.send, self._is_vain = scope, send, is_vain
        self.has_begun = self.is_given_up = False
        self._timer: asyncio.TimerHandle | None = None
        self._giving_up: asyncio.Task[None] | None = None

    async def __call__(self, message: Message) -> None:
        if not self.is_given_up:
            self.has_begun = True
            await self.send(message)

    def timed(self, receive: Receive, seconds: float) -> Receive:
        """Return what receives, and starts the clock with the end of the body."""

        async def noted() -> Message:
            message = await receive()
            if not message.get("more_body", False) and self._timer is None:
                now = asyncio.get_running_loop().time()
                self._look_at(now + min(seconds, SILENCE_SECONDS), until=now + seconds)
            return message

        return noted

    def _look_at(self, moment: float, *, until: float) -> None:
        """Look then whether to give up: its time is over, or waiting for the rest is vain."""

        def look() -> None:
            now = loop.time()
            # However late a busy loop looks again, all of that was spent there.
            due = until + (now - looked if self.scope.get(AT_THE_DOOR) else 0)
            if now >= due or self._is_vain():
                self._give_up()
            else:
                self._look_at(min(now + LOOK_SECONDS, due), until=due)

        loop = asyncio.get_running_loop()
        looked = loop.time()
        self._timer = loop.call_at(moment, look)

    def is_over(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    async def fail(self, error: Exception) -> None:
        if not self.has_begun and not self.is_given_up:
            await self._tell(await in_database(failed, self._request(), error))

    def _give_up(self) -> None:
        # Django has answered whoever follows a turn: that takes as long as the turn does.
        if not self.has_begun and not self.scope.get(SLOT):
            self.is_given_up = True
            log.warning("answer_late", extra={"method": self.scope["method"]})
            # Not in a thread of the database's: they may all be waiting for it.
            self._giving_up = asyncio.create_task(self._tell(away(self._request())))

    def _request(self) -> Any:
        return ASGIRequest(self.scope, BytesIO())

    async def _tell(self, response: HttpResponse) -> None:
        length = (b"content-length", str(len(response.content)).encode())
        headers = [*header_fields(response), length, (b"connection", b"close")]
        status = response.status_code
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": response.content})
