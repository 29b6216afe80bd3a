"""Failures of a model's server, translated into stable codes."""

from typing import Any

import httpx2
import openai

from chat.llm import ContextOverflow
from chat.llm.events import Broken
from chat.llm.learning import Lesson, ServerRefusal, find_lesson, is_overflow, learn_from_overflow
from memory.errors import ModelError

BROKEN, REFUSED, FAULT = "model_stream_broken", "model_request_refused", "model_server_error"
CODES = {401: "model_key_refused", 403: "model_key_refused", 404: "model_unknown"}
# Statuses of rejected requests; llama.cpp sends 500 if its template rejects one.
TEACHING = (400, 413, 422, 500)
# Errors of the SDK and of its HTTP client.
ERRORS = (openai.OpenAIError, httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL)


class Transient(ModelError):
    """A failure that a retry or another model may overcome."""


class Taught(Exception):
    """A rejection that teaches how to ask; `error` is raised if the lesson doesn't help."""

    def __init__(self, lesson: Lesson, error: ModelError) -> None:
        super().__init__(error.code)
        self.lesson, self.error = lesson, error


def translate_error(error: Exception, request: dict[str, Any], limit: int) -> Exception:
    """Return our error for the provider's, for a request of at most `limit` tokens."""
    if isinstance(error, ModelError):
        return error
    if isinstance(error, openai.APIStatusError):
        return _make_status_error(error, request, limit)
    cause = error.__cause__ or error
    if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout):
        return Transient("model_unreachable")
    if isinstance(error, Broken | openai.APIConnectionError) or not isinstance(
        error, openai.APIError
    ):
        return Transient(BROKEN)
    # The server reports an error in the middle of its stream.
    if is_overflow(f"{error.message} {error.body}"):
        return ContextOverflow("context_overflow")
    return Transient(FAULT)


def _make_status_error(
    error: openai.APIStatusError, request: dict[str, Any], limit: int
) -> Exception:
    status = error.status_code
    if status in CODES:
        return ModelError(CODES[status])
    if status == 429:
        return Transient("model_rate_limited")
    if status in TEACHING:
        refusal = _read_refusal(error, request, limit)
        if lesson := find_lesson(refusal):
            return Taught(lesson, ModelError(REFUSED))
        if is_overflow(refusal.message, refusal.code):
            overflow = ContextOverflow("context_overflow")
            lesson = learn_from_overflow(refusal)
            return Taught(lesson, overflow) if lesson else overflow
    return ModelError(REFUSED) if status < 500 else Transient(FAULT)


def _read_refusal(
    error: openai.APIStatusError, request: dict[str, Any], limit: int
) -> ServerRefusal:
    body = error.body if isinstance(error.body, dict) else {}
    message = body.get("message") or body.get("detail") or body.get("error") or error.message
    roles = {message["role"] for message in request["messages"]}
    return ServerRefusal(
        message=str(message)[:2000],
        param=str(body.get("param") or "")[:100],
        code=str(body.get("code") or body.get("type") or "")[:100],
        asked=limit,
        sent=frozenset(request) | ({"system"} & roles),
    )
