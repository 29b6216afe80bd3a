"""Connections to a model's server by asyncio alone, all read together a few times a second.

A stream brings a word at a time, and what is done for a word costs less where it is done for many
at once: what is needed for it is still at hand in the processor. So after the first words, which
are read as they come, all streams are read at the same moments: as often as readers are told of it
(chat.turns.live). The SDK's own way, over anyio, httpcore and h11, reads each by itself.
"""

import asyncio
import select
from collections.abc import AsyncIterator
from functools import partial
from ssl import SSLContext
from typing import Any

import httpx2

from chat.llm.transport.responses import IncomingResponse

# Twice what is held before the server has to wait.
PIECE = 1 << 16
# Between two reads, where few streams are read and where many are.
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 0.25
READS_A_SECOND = 200
# What would end a line of a head before its end.
FORBIDDEN = frozenset(b"\r\n\0")
Origin = tuple[bytes, bytes, int | None]


class Transport(httpx2.AsyncBaseTransport):
    """Asks servers, over connections that are kept for a while for the next question."""

    def __init__(self, trusted: SSLContext, limits: httpx2.Limits) -> None:
        self._trusted, self._limits = trusted, limits
        self._open: set[_Connection] = set()
        self._kept: list[_Connection] = []
        # Those that have something to be read, and when they are.
        self._due: set[_Connection] = set()
        self._reading: asyncio.TimerHandle | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Return the response once its head is there."""
        told = _as_sent(request, await request.aread())
        seconds = request.extensions.get("timeout", {})
        connection = self._known(_origin(request)) or await self._made(request, seconds)
        try:
            connection.ask(told)
            response = await connection.head(seconds.get("read"))
        except BaseException:
            connection.close()
            raise
        body = _Body(connection, seconds.get("read"))
        return httpx2.Response(response.status, headers=response.headers, stream=body)

    async def aclose(self) -> None:
        for connection in list(self._open):
            connection.close()

    def _known(self, origin: Origin) -> "_Connection | None":
        """Return a connection that is kept, if one still stands."""
        for connection in [each for each in reversed(self._kept) if each.origin == origin]:
            self._kept.remove(connection)
            if connection.is_at_rest():
                return connection
            connection.close()
        return None

    async def _made(self, request: httpx2.Request, seconds: dict[str, Any]) -> "_Connection":
        if len(self._open) >= (self._limits.max_connections or len(self._open) + 1):
            raise httpx2.PoolTimeout("too many connections")
        scheme, host, port = origin = _origin(request)
        by_tls = scheme == b"https"
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(seconds.get("connect")):
                _, connection = await loop.create_connection(
                    partial(_Connection, self, origin),
                    host.decode("ascii"),
                    port or (443 if by_tls else 80),
                    ssl=self._trusted if by_tls else None,
                )
        except TimeoutError as error:
            raise httpx2.ConnectTimeout(str(error)) from error
        except (OSError, RuntimeError) as error:
            raise httpx2.ConnectError(str(error)) from error
        return connection

    def read_soon(self, connection: "_Connection") -> None:
        """Have the connection read when all are."""
        self._due.add(connection)
        if self._reading is None:
            loop = asyncio.get_running_loop()
            at_work = len(self._open) - len(self._kept)
            pause = min(LONGEST_PAUSE, max(SHORTEST_PAUSE, at_work / READS_A_SECOND))
            self._reading = loop.call_at((loop.time() // pause + 1) * pause, self._read)

    def _read(self) -> None:
        due, self._due, self._reading = self._due, set(), None
        for connection in due:
            connection.wake()

    def opened(self, connection: "_Connection") -> None:
        self._open.add(connection)

    def keep(self, connection: "_Connection") -> float | None:
        """Keep the connection for the next question, and say how long; None if there are enough."""
        if len(self._kept) >= (self._limits.max_keepalive_connections or 0):
            return None
        self._kept.append(connection)
        return self._limits.keepalive_expiry or 0

    def forget(self, connection: "_Connection") -> None:
        self._open.discard(connection)
        if connection in self._kept:
            self._kept.remove(connection)


class _Connection(asyncio.Protocol):
    """One connection, on which one question at a time is asked."""

    def __init__(self, all_of_them: Transport, origin: Origin) -> None:
        self.origin = origin
        self._all, self._loop = all_of_them, asyncio.get_running_loop()
        self._line: Any = None  # as asyncio's and uvloop's are
        self._response: IncomingResponse | None = None
        self._received: list[bytes] = []
        self._held = 0
        self._has_ended = False
        self._error: Exception | None = None
        # Done when there is something to be read, and it is time to.
        self._news: asyncio.Future[None] | None = None
        # Until the first words of an answer, what comes is read as it comes.
        self._is_fresh = True
        # Ends it where it is kept in vain.
        self._ending: asyncio.TimerHandle | None = None

    # --- Asked by whoever reads -------------------------------------------------------------------

    def ask(self, request: bytes) -> None:
        """Send a request; what is answered to it is read at once."""
        self._stop_timer()
        self._response, self._is_fresh = IncomingResponse(), True
        self._line.write(request)

    async def head(self, seconds: float | None) -> IncomingResponse:
        """Return the response as soon as its head is there."""
        response = self._of_now()
        while not response.has_head:
            await self._read_on(response, seconds)
        return response

    async def piece(self, seconds: float | None) -> bytes:
        """Return what more has come of the body; nothing, once it has ended."""
        response = self._of_now()
        while not (piece := response.taken()) and not response.is_whole:
            await self._read_on(response, seconds)
        self._is_fresh = False
        return piece

    def let_go(self) -> None:
        """Keep the connection for the next question if it may be, or close it."""
        response, self._response = self._response, None
        may_go_on = response is not None and response.may_go_on and not self._received
        seconds = self._all.keep(self) if may_go_on and not self._has_ended else None
        if seconds is None:
            self.close()
        else:
            self._ending = self._loop.call_later(seconds, self.close)

    def close(self) -> None:
        self._response = None
        self._stop_timer()
        self._all.forget(self)
        self._line.close()

    def is_at_rest(self) -> bool:
        """Return whether it can be asked: what a server says unasked is that it leaves."""
        if self._has_ended or self._line.is_closing():
            return False
        poll = select.poll()  # the event loop may not have come to it yet
        poll.register(self._line.get_extra_info("socket").fileno(), select.POLLIN)
        return not poll.poll(0)

    def _of_now(self) -> IncomingResponse:
        if self._response is None:
            raise httpx2.StreamClosed
        return self._response

    async def _read_on(self, response: IncomingResponse, seconds: float | None) -> None:
        """Feed the response with what has come, once it is time to."""
        if not (self._has_ended or (self._received and self._is_fresh)):
            await self._due(seconds)
        received, self._received, self._held = b"".join(self._received), [], 0
        if received:
            self._line.resume_reading()
            response.feed(received)
        elif self._error:
            raise httpx2.ReadError(str(self._error)) from self._error
        else:
            response.close()

    async def _due(self, seconds: float | None) -> None:
        """Wait until there is something to be read, and it is time to."""
        self._news = self._loop.create_future()
        if self._received:
            self._all.read_soon(self)
        try:
            if seconds is None:  # whoever asked has a time of their own
                await self._news
            else:
                async with asyncio.timeout(seconds):
                    await self._news
        except TimeoutError as error:
            raise httpx2.ReadTimeout(str(error)) from error
        finally:
            self._news = None

    # --- Called by the event loop -----------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._line = transport
        self._all.opened(self)

    def data_received(self, data: bytes) -> None:
        if self._response is None:  # nobody has asked
            self.close()
            return
        self._received.append(data)
        self._held += len(data)
        if self._held > 2 * PIECE:
            self._line.pause_reading()
        if self._is_fresh:
            self.wake()
        elif self._news is not None:
            self._all.read_soon(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._has_ended, self._error = True, exc
        self._all.forget(self)
        self.wake()

    def wake(self) -> None:
        """Let go on who waits for something to read."""
        if self._news is not None and not self._news.done():
            self._news.set_result(None)

    def _stop_timer(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None


class _Body(httpx2.AsyncByteStream):
    def __init__(self, connection: _Connection, seconds: float | None) -> None:
        self._connection, self._seconds = connection, seconds
        self._is_over = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while not self._is_over and (piece := await self._connection.piece(self._seconds)):
            yield piece

    async def aclose(self) -> None:
        if not self._is_over:  # by now it may be another one's
            self._is_over = True
            self._connection.let_go()


def _origin(request: httpx2.Request) -> Origin:
    return request.url.raw_scheme, request.url.raw_host, request.url.port


def _as_sent(request: httpx2.Request, content: bytes) -> bytes:
    """Return the request as it goes over the line; raises LocalProtocolError."""
    lines = [b"%s %s HTTP/1.1" % (request.method.encode("ascii"), request.url.raw_path)]
    lines += [b"%s: %s" % pair for pair in request.headers.raw]
    if any(FORBIDDEN & set(line) for line in lines):
        raise httpx2.LocalProtocolError("a header has more than one line")
    return b"\r\n".join([*lines, b"", content])
