"""Connections to a model's server, which may send no more than an answer can need.

The bound stands below the SDK, so that it holds for whatever is read: streams, answers, errors.
"""

import asyncio
import atexit
import ssl
import time
from collections.abc import AsyncIterator, Iterator
from functools import cache, lru_cache
from weakref import WeakKeyDictionary

import httpx2
import openai
from django.conf import settings

from chat.llm.configuring import Configured
from chat.llm.transport.network import Transport

# Some hundred bytes of JSON stand around each token of a stream.
MOST_BYTES = 64 << 20
MOST_BYTES_AT_ONCE = 4 << 20
CONNECTIONS_KEPT = 8


class _Stream(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, most: int) -> None:
        self._stream, self._left = stream, most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for received in self._stream:
            self._left -= len(received)
            if self._left < 0:
                raise httpx2.ReadError("too much")
            yield received

    async def aclose(self) -> None:
        await self._stream.aclose()


class _ShortStream(httpx2.SyncByteStream):
    def __init__(self, stream: httpx2.SyncByteStream, most: int, until: float) -> None:
        self._stream, self._left, self._until = stream, most, until

    def __iter__(self) -> Iterator[bytes]:
        for received in self._stream:
            self._left -= len(received)
            if self._left < 0 or time.monotonic() > self._until:
                raise httpx2.ReadError("too much, or too slow")
            yield received

    def close(self) -> None:
        self._stream.close()


async def _bound(response: httpx2.Response) -> None:
    _refuse_compressed(response)
    most = MOST_BYTES_AT_ONCE if response.is_error else MOST_BYTES
    response.stream = _Stream(response.stream, most)  # type: ignore[arg-type]


def _bound_at_once(response: httpx2.Response) -> None:
    _refuse_compressed(response)
    patience = response.request.extensions.get("timeout", {}).get("read")
    until = time.monotonic() + (patience or settings.LLM_ASK_TIMEOUT)
    stream = _ShortStream(response.stream, MOST_BYTES_AT_ONCE, until)  # type: ignore[arg-type]
    response.stream = stream


def _refuse_compressed(response: httpx2.Response) -> None:
    """Take only what is as long as it says: nothing else was asked for."""
    if response.headers.get("content-encoding", "identity") != "identity":
        raise httpx2.DecodingError("compressed", request=response.request)


@cache
def _trusted() -> ssl.SSLContext:
    """The certificates that servers are held against: read once, as that takes some 40 ms."""
    return httpx2.create_ssl_context()


def _key(model: Configured) -> str:
    return model.api_key or "none"


# A client's connections belong to the event loop that opened them.
_async_clients: WeakKeyDictionary[
    asyncio.AbstractEventLoop, dict[tuple[str, str, float], openai.AsyncOpenAI]
] = WeakKeyDictionary()


def async_client(model: Configured) -> openai.AsyncOpenAI:
    """Return the client for this event loop; how long to wait is told at each call."""
    known = _async_clients.setdefault(asyncio.get_running_loop(), {})
    key = model.base_url, model.api_key, settings.LLM_CONNECT_TIMEOUT
    if key not in known:
        if len(known) >= CONNECTIONS_KEPT:
            known.clear()
        known[key] = openai.AsyncOpenAI(
            base_url=model.base_url,
            api_key=_key(model),
            max_retries=0,
            timeout=openai.Timeout(None, connect=settings.LLM_CONNECT_TIMEOUT),
            default_headers={"Accept-Encoding": "identity"},
            http_client=openai.DefaultAsyncHttpx2Client(
                transport=Transport(_trusted(), openai.DEFAULT_CONNECTION_LIMITS),
                event_hooks={"response": [_bound]},
            ),
        )
    return known[key]


def client(model: Configured) -> openai.OpenAI:
    """Return the client for short answers and questions about the server."""
    return _client(model.base_url, _key(model))


@lru_cache(maxsize=CONNECTIONS_KEPT)
def _client(base_url: str, api_key: str) -> openai.OpenAI:
    made = openai.OpenAI(
        base_url=base_url,
        api_key=api_key,
        max_retries=0,
        default_headers={"Accept-Encoding": "identity"},
        http_client=openai.DefaultHttpx2Client(
            verify=_trusted(), event_hooks={"response": [_bound_at_once]}
        ),
    )
    atexit.register(made.close)
    return made
