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
    """The server says that the prompt is longer than its window."""


class Interrupted(Exception):
    """Somebody waits for the model or the worker: ask again after the pause."""

    pause = timedelta(minutes=1)


@dataclass(frozen=True)
class ServerUsage:
    """The tokens that the server counted."""

    prompt: int
    answer: int


@dataclass
class Reply:
    """A model's answer as it comes, and, once it has ended, how it did."""

    pieces: AsyncGenerator[str, None] = field(init=False)
    # The server's reason (stop, length, content_filter), or too_long at a bound of ours.
    finish: str = ""
    # Its reasoning before the answer.
    reasoning: str = ""
    usage: ServerUsage | None = None
    # The model that answers, by its name at its server: the one asked, or the fallback.
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
    """Return the tokens of the model's window, if they are known."""
    known: int | None = _get_profile(model).window
    return known


def prompt_limits(window: int, *, model: str = "", shrink: float = 1.0) -> Limits:
    """Return the limits of a prompt in the window, or in the model's own if that is smaller."""
    if not is_configured():
        return scale_limits(window, shrink=shrink)
    profile = _get_profile(model)
    return scale_limits(min(window, profile.window or window), shrink=shrink, margin=profile.margin)


def load_endpoint() -> Any:
    """Return the module that speaks with the endpoint, loaded at the first call."""
    return import_module("chat.llm.endpoint")


def _get_profile(model: str) -> Any:
    # Its rows are models of Django, which must be ready first.
    return import_module("chat.llm.profiles").get_profile(get_model(model))
