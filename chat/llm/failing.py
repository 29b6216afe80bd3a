"""What went wrong at a model's server, in our words."""

from typing import Any

import httpx2
import openai

from chat.llm import ContextOverflow
from chat.llm.learning import Lesson, ServerRefusal, is_overflow, lesson_of, overflow_lesson
from chat.llm.requests import sent
from memory.errors import ModelError

MAX_PAUSE = 8.0
BROKEN = "model_stream_broken"
# What is thrown by the SDK and by what it stands on.
ERRORS = (openai.OpenAIError, httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL)


class Transient(ModelError):
    """A failure that may go away by itself, or with another model."""

    def __init__(self, code: str, *, pause: float = 0.0, again: bool = True) -> None:
        super().__init__(code)
        self.pause = pause
        # Whether it is worth asking the same model once more.
        self.again = again


class Taught(Exception):
    """A refusal that says how to ask; `error` is what it is if that is of no use."""

    def __init__(self, lesson: Lesson, error: ModelError) -> None:
        super().__init__(error.code)
        self.lesson, self.error = lesson, error


def translated(error: Exception, request: dict[str, Any], limit: int) -> Exception:
    """Return our error for the provider's, of a request for at most `limit` tokens."""
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, request, limit)
    if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
        connecting = isinstance(error.__cause__ or error, httpx2.ConnectTimeout)
        return (
            Transient("model_unreachable") if connecting else Transient("model_silent", again=False)
        )
    if isinstance(error, openai.APIConnectionError | httpx2.ConnectError):
        is_there = isinstance(error.__cause__, httpx2.DecodingError | httpx2.ReadError)
        return Transient(BROKEN if is_there else "model_unreachable")
    return Transient(BROKEN)


def complained(message: str) -> ModelError:
    """Return our error for what a server says in the middle of its answer."""
    return ContextOverflow("context_overflow") if is_overflow(message) else _fault()


def _of_status(error: openai.APIStatusError, request: dict[str, Any], limit: int) -> Exception:
    if error.status_code in (401, 403):
        return ModelError("model_key_refused")
    if error.status_code == 404:
        return ModelError("model_unknown")
    if error.status_code == 429:
        try:
            pause = min(MAX_PAUSE, float(error.response.headers.get("retry-after", 0)))
        except ValueError:  # an HTTP date
            pause = 0.0
        return Transient("model_rate_limited", pause=pause)
    said = _refused(error, request, limit)
    # llama.cpp answers what its template refuses with 500.
    if error.status_code in (400, 413, 422, 500):
        if lesson := lesson_of(said):
            return Taught(lesson, ModelError("model_request_refused"))
        if is_overflow(said.message, said.code):
            overflow = ContextOverflow("context_overflow")
            lesson = overflow_lesson(said)
            return Taught(lesson, overflow) if lesson else overflow
    return ModelError("model_request_refused") if error.status_code < 500 else _fault()


def _refused(error: openai.APIStatusError, request: dict[str, Any], limit: int) -> ServerRefusal:
    body = error.body if isinstance(error.body, dict) else {}
    message = body.get("message") or body.get("detail") or body.get("error") or error.message
    return ServerRefusal(
        message=str(message)[:2000],
        param=str(body.get("param") or "")[:100],
        code=str(body.get("type") or "")[:100] if not body.get("code") else str(body["code"])[:100],
        asked=limit,
        sent=sent(request),
    )


def _fault() -> Transient:
    return Transient("model_server_error")
