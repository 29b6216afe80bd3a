"""The client of language models: it returns answers or raises ModelError.

The SDK takes half a second to load, so the modules that need it are imported at the first call.
"""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from importlib import import_module
from typing import TYPE_CHECKING, Any

from chat.llm.configuring import (
    choose_model as choose_model,
    get_model as get_model,
    is_configured as is_configured,
    list_models as list_models,
    list_servers as list_servers,
)
from memory.errors import ModelError as ModelError
from memory.recall.budget import Limits, scale_limits

if TYPE_CHECKING:
    from chat.llm.whole_answers import ask as ask, ask_in_background as ask_in_background

Message = dict[str, str]


class ContextOverflow(ModelError):
    """The server reports that the prompt exceeds the context window."""


class Interrupted(Exception):
    """The model or the worker is needed for more urgent work: retry after the pause."""

    pause = timedelta(minutes=1)


@dataclass(frozen=True)
class ServerUsage:
    """The tokens that the server counted."""

    prompt: int
    answer: int


@dataclass
class Reply:
    """A model's answer while it is streamed, and the facts of its end."""

    pieces: AsyncGenerator[str, None] = field(init=False)
    # The server's finish reason (stop, length, content_filter), or too_long for our own bound.
    finish: str = ""
    # The model's reasoning before the answer.
    reasoning: str = ""
    usage: ServerUsage | None = None
    # The answering model's name at its server: the requested model or the fallback.
    model: str = ""


def __getattr__(name: str) -> Any:
    """Load the functions of `whole_answers` when they are first used."""
    if name in ("ask", "ask_in_background"):
        return getattr(import_module("chat.llm.whole_answers"), name)
    raise AttributeError(name)


def stream(
    messages: Sequence[Message],
    *,
    max_tokens: int,
    model: str = "",
    response_format: dict[str, Any] | None = None,
) -> Reply:
    """Return the answer of the named or the default model, whose pieces may raise ModelError."""
    reply = Reply()
    reply.pieces = load_endpoint().stream(
        messages,
        max_tokens=max_tokens,
        model=model,
        reply=reply,
        response_format=response_format,
    )
    return reply


def get_window(model: str = "") -> int | None:
    """Return the tokens of the model's window, or None if unknown."""
    known: int | None = _get_profile(model).window
    return known


def prompt_limits(window: int, *, model: str = "", shrink: float = 1.0) -> Limits:
    """Return the limits of a prompt in the window, or in the model's own if that is smaller."""
    if not is_configured():
        return scale_limits(window, shrink=shrink)
    profile = _get_profile(model)
    return scale_limits(min(window, profile.window or window), shrink=shrink, margin=profile.margin)


def load_endpoint() -> Any:
    """Return the endpoint module, imported at the first call."""
    return import_module("chat.llm.endpoint")


def _get_profile(model: str) -> Any:
    # It imports Django models, so the apps must be ready.
    return import_module("chat.llm.profiles").get_profile(get_model(model))
