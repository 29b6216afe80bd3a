"""Connections of web processes: bounded in number, and closed where no whole request head comes.

uvicorn waits for ever for a head that is half sent, reads one of any length, keeps answers that
nobody reads, and takes as many connections as there are; each takes a place of the process's open
files. Bodies have their own time (config.serving.intake).
"""

import asyncio
import resource
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from config.metrics.meters import CONNECTION, count_response

# Of a proxy the whole head comes at once; over a bad telephone line in some seconds.
HEAD_SECONDS = 15.0
# How long who was turned away may take to hear it.
LISTENING_SECONDS = 1.0
# Who takes nothing of what waits for them in that time has gone, or means to fill our memory.
READING_SECONDS = 60.0
# Of a head, and of what stands around the pieces of a body; what one read brings may be more.
MOST_HEAD_BYTES = 65_536
MOST_CONNECTIONS = 5000
OPEN_FILES = 16_384
# Those of databases, broker, logs and libraries; of the rest, a model may want one for each.
OTHER_FILES = 256

TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"Content-Length: 0\r\nConnection: close\r\n\r\n"
)
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n"
    b"Content-Length: 0\r\nConnection: close\r\n\r\n"
)


def most_connections() -> int:
    """Return how many connections this process takes, and let it open as many files."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return max(1, min(MOST_CONNECTIONS, (files - OTHER_FILES) // 2))


class BoundedConnection(HttpToolsProtocol):
    """uvicorn's connection, with a time and a size for each request's head, and a bound on them.

    It speaks HTTP only: nothing here speaks WebSocket, which uvicorn would take out of the bound.
    """

    most = most_connections()
    head_seconds = HEAD_SECONDS
    reading_seconds = READING_SECONDS

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._deadline: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None
        self._is_turned_away = False
        self._unfinished = 0  # bytes since the last head, or piece of a body, was whole

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) <= self.most:
            self._expect_head()
        elif len(self.connections) <= 2 * self.most:
            self._turn_away(FULL)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect_nothing()
        self._expect_no_reading()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._expect_reading()

    def resume_writing(self) -> None:
        self._expect_no_reading()
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        if self._is_turned_away:
            return
        self._unfinished += len(data)
        super().data_received(data)
        if self._unfinished > MOST_HEAD_BYTES:
            self._turn_away(b"" if self._answers() else TOO_LARGE)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._expect_head()

    def on_headers_complete(self) -> None:
        self._expect_nothing()
        self._unfinished = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unfinished = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unfinished = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        count_response(CONNECTION, 400)
        super().send_400_response(msg)

    def _should_upgrade(self) -> bool:
        return False

    def _expect_head(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.head_seconds, self._give_up)

    def _expect_nothing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _expect_reading(self) -> None:
        waits = self.transport.get_write_buffer_size()

        def look() -> None:
            if self.transport.get_write_buffer_size() < waits:
                self._expect_reading()
            else:
                self.transport.abort()

        self._reading = self.loop.call_later(self.reading_seconds, look)

    def _expect_no_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _give_up(self) -> None:
        self._deadline = None
        if self._answers():
            self._expect_head()  # to who sends half of the next request meanwhile
        else:
            self._close(TOO_LATE)

    def _answers(self) -> bool:
        """Return whether an answer is on its way."""
        cycle: Any = self.cycle  # None before the first request
        return cycle is not None and not cycle.response_complete

    def _turn_away(self, answer: bytes) -> None:
        # Closing on what it has sent would reset the connection under the answer.
        self._is_turned_away = True
        self._expect_nothing()
        self._write(answer)
        self.transport.write_eof()
        self._deadline = self.loop.call_later(LISTENING_SECONDS, self.transport.abort)

    def _close(self, answer: bytes) -> None:
        if not self.transport.is_closing():
            self._write(answer)
            self.transport.close()

    def _write(self, answer: bytes) -> None:
        """Send a response of ours, if it is one."""
        if answer:
            count_response(CONNECTION, int(answer.split()[1]), is_refusal=answer is FULL)
        self.transport.write(answer)
