"""HTTP clients for model servers, with bounds on the size of responses.

The bounds lie below the SDK, so that they hold for streams, whole answers and errors alike.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import Future
from functools import cache
from threading import Thread
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import httpx2
import openai
from django.conf import settings

from chat.llm.configuring import Configured

R = TypeVar("R")
# Bounds of a stream, with some hundred bytes of JSON around each token, and of a response.
MAX_STREAM_BYTES, MAX_BODY_BYTES = 64 << 20, 4 << 20
MAX_LINE_BYTES = 1 << 20
# Longest Retry-After, in seconds, after which the SDK retries.
MAX_PAUSE = 8
TAIL_BYTES = 64


class BoundedBody(httpx2.AsyncByteStream):
    """A response body that raises ReadError if it, or one of its lines, is too long."""

    def __init__(self, stream: httpx2.AsyncByteStream, max_bytes: int) -> None:
        self._stream, self._left, self._line = stream, max_bytes, 0
        # The last bytes read.
        self.tail = b""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for received in self._stream:
            self._left -= len(received)
            line_end = received.rfind(b"\n")
            self._line = len(received) - line_end - 1 + (self._line if line_end < 0 else 0)
            if self._left < 0 or self._line > MAX_LINE_BYTES:
                raise httpx2.ReadError("too much")
            self.tail = (self.tail + received)[-TAIL_BYTES:]
            yield received

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _bound_body(response: httpx2.Response) -> None:
    # A compressed body could exceed the bound when unpacked; none was requested.
    if response.headers.get("content-encoding", "identity") != "identity":
        raise httpx2.DecodingError("compressed", request=response.request)
    pause = response.headers.get("retry-after", "0")
    if not pause.isdecimal() or int(pause[:9]) > MAX_PAUSE:
        response.headers["x-should-retry"] = "false"
    is_stream = "event-stream" in response.headers.get("content-type", "")
    most = MAX_STREAM_BYTES if is_stream and not response.is_error else MAX_BODY_BYTES
    response.stream = BoundedBody(response.stream, most)  # type: ignore[arg-type]


@cache
def _load_ssl_context() -> ssl.SSLContext:
    """Return the SSL context; loading its certificates takes 40 ms."""
    return httpx2.create_ssl_context()


# A client's connections belong to the event loop that opened them.
_clients: WeakKeyDictionary[
    asyncio.AbstractEventLoop, dict[tuple[str, str], openai.AsyncOpenAI]
] = WeakKeyDictionary()


def get_client(model: Configured, retries: int = 0) -> openai.AsyncOpenAI:
    """Return the running event loop's client for the model's server."""
    clients = _clients.setdefault(asyncio.get_running_loop(), {})
    key = model.base_url, model.api_key
    if key not in clients:
        clients[key] = openai.AsyncOpenAI(
            base_url=model.base_url,
            api_key=model.api_key or "none",
            timeout=openai.Timeout(None, connect=settings.LLM_CONNECT_TIMEOUT),
            default_headers={"Accept-Encoding": "identity"},
            http_client=openai.DefaultAsyncHttpx2Client(
                verify=_load_ssl_context(), event_hooks={"response": [_bound_body]}
            ),
        )
    return clients[key].with_options(max_retries=retries)


def start(work: Coroutine[Any, Any, R]) -> Future[R]:
    """Run the coroutine on the event loop thread for synchronous callers."""
    return asyncio.run_coroutine_threadsafe(work, _start_loop())


@cache
def _start_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="models", daemon=True).start()
    return loop
