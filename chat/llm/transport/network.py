"""Connections to a model's server by asyncio alone, read a few times a second.

A stream brings a word at a time, and each read costs about what the word does that it brings. So
what comes in short order is read together: as often as readers are told of it (chat.turns.live),
which makes nobody wait. The SDK's own way, over anyio, takes twice as long for each read.
"""

import asyncio
import select
import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import httpcore2
import httpx2
from httpcore2 import AsyncNetworkBackend, AsyncNetworkStream

# Most that a read brings; twice that is held before the server has to wait.
PIECE = 1 << 16
# Between two reads, where few streams are read and where many are.
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 0.25
READS_A_SECOND = 200


class Transport(httpx2.AsyncHTTPTransport):
    """The SDK's, over connections of ours."""

    def __init__(self, trusted: ssl.SSLContext, limits: httpx2.Limits) -> None:
        super().__init__(verify=trusted, limits=limits)
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=trusted,
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            keepalive_expiry=limits.keepalive_expiry,
            network_backend=_Backend(),
        )


class _Backend(AsyncNetworkBackend):
    def __init__(self) -> None:
        self.open: set[_Stream] = set()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - as httpcore has it
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> AsyncNetworkStream:
        with _told(httpcore2.ConnectTimeout, httpcore2.ConnectError):
            async with asyncio.timeout(timeout):
                reader, writer = await asyncio.open_connection(host, port, limit=PIECE)
        return _Stream(self, reader, writer)

    def pause(self) -> float:
        """Return how long a stream is left alone after a read."""
        return min(LONGEST_PAUSE, max(SHORTEST_PAUSE, len(self.open) / READS_A_SECOND))


class _Stream(AsyncNetworkStream):
    def __init__(
        self,
        backend: _Backend,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        below: asyncio.StreamWriter | None = None,
    ) -> None:
        self._backend, self._reader, self._writer = backend, reader, writer
        self._below = below  # one that nobody has closes its connection
        self._now, self._read_at = asyncio.get_running_loop().time, 0.0
        backend.open.add(self)

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        with _told(httpcore2.ReadTimeout, httpcore2.ReadError):
            early = self._read_at + self._backend.pause() - self._now()
            if early > 0:
                await asyncio.sleep(early)
            if timeout is None:
                some = await self._reader.read(max_bytes)
            else:
                async with asyncio.timeout(timeout):
                    some = await self._reader.read(max_bytes)
            self._read_at = self._now()
            return some

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        with _told(httpcore2.WriteTimeout, httpcore2.WriteError):
            self._writer.write(buffer)
            async with asyncio.timeout(timeout):
                await self._writer.drain()
            self._read_at = 0.0  # what is answered is read at once

    async def aclose(self) -> None:
        self._backend.open.discard(self)
        self._writer.close()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> AsyncNetworkStream:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=PIECE)
        protocol = asyncio.StreamReaderProtocol(reader)
        self._backend.open.discard(self)
        try:
            with _told(httpcore2.ConnectTimeout, httpcore2.ConnectError):
                async with asyncio.timeout(timeout):
                    transport = await loop.start_tls(
                        self._writer.transport,
                        protocol,
                        ssl_context,
                        server_hostname=server_hostname,
                    )
        except Exception:
            self._writer.close()
            raise
        sealed: Any = transport
        protocol.connection_made(sealed)
        writer = asyncio.StreamWriter(sealed, protocol, reader, loop)
        return _Stream(self._backend, reader, writer, below=self._writer)

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":  # asked of one at rest: then it has been closed
            return self._reader.at_eof() or self._writer.is_closing() or self._has_news()
        name = {"ssl_object": "ssl_object", "server_addr": "peername", "client_addr": "sockname"}
        return self._writer.get_extra_info(name.get(info, info))

    def _has_news(self) -> bool:
        """Tell whether the socket has something that the event loop hasn't come to yet."""
        poll = select.poll()
        poll.register(self._writer.get_extra_info("socket").fileno(), select.POLLIN)
        return bool(poll.poll(0))


@contextmanager
def _told(late: type[Exception], broken: type[Exception]) -> Iterator[None]:
    """Tell errors of connections by httpcore's names."""
    try:
        yield
    except TimeoutError as error:
        raise late(str(error)) from error
    except (OSError, ssl.SSLError, RuntimeError) as error:
        raise broken(str(error)) from error
