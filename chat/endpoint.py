"""Any OpenAI-compatible endpoint, by the official SDK. The only module that knows a provider.

Every failure becomes a ModelError with a stable code. A call is tried again,
with a growing pause, only as long as no token has arrived: later, a retry would double text.
"""

import asyncio
import random
import re
from collections.abc import AsyncGenerator, Sequence
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import httpx2
import openai
from django.conf import settings

from chat.llm import ContextOverflow, Message
from memory.errors import ModelError

ASK_TOKENS = 150
MAX_PAUSE = 8.0
OVERFLOW = re.compile(
    r"context.{0,20}(length|window|size)|maximum.{0,20}(context|tokens)|too many tokens|"
    r"exceed\w* .{0,40}tokens|prompt is too long",
    re.IGNORECASE,
)


class _Transient(Exception):
    """A failure that may go away by itself; carries what to say if it doesn't."""

    def __init__(self, error: ModelError, pause: float = 0.0) -> None:
        super().__init__(error.code)
        self.error = error
        self.pause = pause


def ask(prompt: str) -> str:
    """Return the model's short answer to one prompt (at most 150 tokens), or raise ModelError."""
    client = _client(settings.LLM_BASE_URL, settings.LLM_API_KEY)
    try:
        answer = client.with_options(timeout=settings.LLM_ASK_TIMEOUT).chat.completions.create(
            model=settings.LLM_MODEL,
            messages=[{"role": "user", "content": prompt}],
            max_tokens=ASK_TOKENS,
            temperature=0,
        )
    except (openai.OpenAIError, httpx2.HTTPError) as error:
        raise _translated(error).error from error
    try:
        return answer.choices[0].message.content or ""
    except (AttributeError, IndexError, TypeError) as error:  # 200, but not an answer
        raise ModelError("model_stream_broken") from error


async def stream(messages: Sequence[Message], *, max_tokens: int) -> AsyncGenerator[str, None]:
    """Yield the answer in the pieces in which it arrives, or raise ModelError."""
    try:
        async with asyncio.timeout(settings.LLM_TOTAL_TIMEOUT):
            tries = 0
            while True:
                begun = False
                try:
                    async for piece in _stream_once(messages, max_tokens):
                        begun = True
                        yield piece
                    return
                except _Transient as failure:
                    tries += 1
                    if begun and failure.error.code == "model_unreachable":
                        raise ModelError("model_stream_broken") from failure
                    if begun or tries > settings.LLM_RETRIES:
                        raise failure.error from failure
                    await asyncio.sleep(max(failure.pause, _pause(tries)))
    except TimeoutError as error:
        raise ModelError("model_timeout") from error


async def _stream_once(messages: Sequence[Message], max_tokens: int) -> AsyncGenerator[str, None]:
    finished = False
    try:
        answer: Any = await _async_client().chat.completions.create(
            model=settings.LLM_MODEL,
            messages=list(messages),  # type: ignore[arg-type]
            max_tokens=max_tokens,
            temperature=settings.LLM_TEMPERATURE,
            stream=True,
        )
        async with answer:
            async for chunk in answer:
                choice = chunk.choices[0] if chunk.choices else None
                if choice and choice.delta.content:
                    yield choice.delta.content
                finished = finished or bool(choice and choice.finish_reason)
    except (openai.OpenAIError, httpx2.HTTPError, ValueError) as error:
        raise _translated(error) from error
    if not finished:
        raise _transient("model_stream_broken")


def _pause(tries: int) -> float:
    return min(MAX_PAUSE, 0.5 * 2 ** (tries - 1)) * random.uniform(0.8, 1.2)  # noqa: S311


# --- What went wrong, in our words ----------------------------------------------------------


def _translated(error: Exception) -> _Transient:
    """Return our error for the provider's; raise it at once where trying again can't help."""
    if isinstance(error, openai.APIStatusError):
        return _status_error(error)
    if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
        connecting = isinstance(error.__cause__ or error, httpx2.ConnectTimeout)
        return _transient("model_unreachable" if connecting else "model_stalled")
    if isinstance(error, openai.APIConnectionError | httpx2.ConnectError):
        return _transient("model_unreachable")
    if isinstance(error, openai.APIError) and OVERFLOW.search(error.message):
        raise ContextOverflow("context_overflow") from error
    return _transient("model_stream_broken")


def _status_error(error: openai.APIStatusError) -> _Transient:
    if error.status_code in (401, 403):
        raise ModelError("model_key_refused") from error
    if error.status_code == 404:
        raise ModelError("model_unknown") from error
    if error.status_code in (400, 413, 422):
        if error.code == "context_length_exceeded" or OVERFLOW.search(error.message):
            raise ContextOverflow("context_overflow") from error
        raise ModelError("model_request_refused") from error
    if error.status_code == 429:
        return _transient("model_rate_limited", _retry_after(error))
    return _transient("model_server_error")


def _transient(code: str, pause: float = 0.0) -> _Transient:
    return _Transient(ModelError(code), pause)


def _retry_after(error: openai.APIStatusError) -> float:
    try:
        return min(MAX_PAUSE, float(error.response.headers.get("retry-after", 0)))
    except ValueError:  # an HTTP date
        return 0.0


# --- Clients ------------------------------------------------------------------------------------


def _timeouts() -> openai.Timeout:
    stall = settings.LLM_STALL_TIMEOUT
    return openai.Timeout(stall, connect=settings.LLM_CONNECT_TIMEOUT)


@lru_cache(maxsize=2)
def _client(base_url: str, api_key: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=base_url, api_key=api_key or "none", max_retries=0)


# A client's connections belong to the event loop that opened them.
_async_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, tuple[str, openai.AsyncOpenAI]] = (
    WeakKeyDictionary()
)


def _async_client() -> openai.AsyncOpenAI:
    loop = asyncio.get_running_loop()
    key = f"{settings.LLM_BASE_URL} {settings.LLM_API_KEY} {_timeouts()}"
    known = _async_clients.get(loop)
    if known is None or known[0] != key:
        client = openai.AsyncOpenAI(
            base_url=settings.LLM_BASE_URL,
            api_key=settings.LLM_API_KEY or "none",
            max_retries=0,
            timeout=_timeouts(),
        )
        known = _async_clients[loop] = key, client
    return known[1]
