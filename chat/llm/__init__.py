"""The model client: a turn's answer and short answers from a language model, or a ModelError.

The endpoint (chat.llm.endpoint), with the SDK it needs, is loaded only where a model is set up: the
SDK takes half a second, which every command and every worker would wait for.
"""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from importlib import import_module
from typing import Any

from chat.llm.configuring import (
    chosen_model,
    is_configured,
    models_for,
    named_model,
    servers_asked,
)
from memory.errors import ModelError
from memory.jobs import Lease
from memory.recall.budget import Limits, limits_of

__all__ = [
    "ContextOverflow",
    "Interrupted",
    "Message",
    "ModelError",
    "Reply",
    "ServerUsage",
    "ask",
    "ask_in_background",
    "chosen_model",
    "is_configured",
    "loaded_endpoint",
    "margin",
    "models_for",
    "named_model",
    "prompt_limits",
    "servers_asked",
    "stream",
    "window",
]

Message = dict[str, str]


class ContextOverflow(ModelError):
    """The server says that the prompt is longer than its window."""


class Interrupted(Exception):
    """Somebody waits for the model, or for the worker that asks it: ask again after the pause."""

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
    # As the server says: stop, length, content_filter; or too_long, where a bound of ours ended it.
    finish: str = ""
    # What it said aloud before its answer.
    reasoning: str = ""
    usage: ServerUsage | None = None
    # The model that answers, by its name at its server: the one asked, or the fallback.
    model: str = ""


def ask(prompt: str, *, model: str = "", seconds: float | None = None) -> str:
    """Return the model's short answer to one prompt (at most 150 tokens), or raise ModelError.

    It may take LLM_ASK_TIMEOUT, unless `seconds` say otherwise; then the server is let go. For a
    longer one, which nobody waits for, there is `ask_in_background`.
    """
    answer: str = loaded_endpoint().ask(prompt, model=model, seconds=seconds)
    return answer


def ask_in_background(
    prompt: str, lease: Lease, *, model: str, tokens: int, progress: int = 0
) -> str:
    """Return the model's answer of at most so many tokens to a job, or raise ModelError.

    It may take LLM_BACKGROUND_TIMEOUT, if words keep coming, and holds the job's lease so long. It
    raises Interrupted where the job is to ask again later, and LostLease where it is to end.
    """
    background = import_module("chat.llm.background")
    answer: str = background.ask_in_background(
        prompt, lease, model=model, tokens=tokens, progress=progress
    )
    return answer


def stream(messages: Sequence[Message], *, max_tokens: int, model: str = "") -> Reply:
    """Return the answer, whose pieces arrive as they are asked for, or raise ModelError.

    `model` is the name of a configured one; the default one if it is empty. It is asked for at most
    so many tokens, and for no more than it can give.
    """
    reply = Reply()
    reply.pieces = loaded_endpoint().stream(
        messages, max_tokens=max_tokens, model=model, reply=reply
    )
    return reply


def margin(model: str = "") -> float:
    """Return the share of the model's window to be kept free, because models count differently."""
    return float(_profile(model).margin)


def window(model: str = "") -> int | None:
    """Return the tokens of the model's window, if they are known."""
    known: int | None = _profile(model).window
    return known


def prompt_limits(window: int, *, model: str = "", shrink: float = 1.0) -> Limits:
    """Return the limits of a prompt in the window, or in the model's own if that is smaller."""
    if not is_configured():
        return limits_of(window, shrink=shrink)
    profile = _profile(model)
    return limits_of(min(window, profile.window or window), shrink=shrink, margin=profile.margin)


def loaded_endpoint() -> Any:
    """Return the module that speaks with the endpoint, loaded at the first call."""
    return import_module("chat.llm.endpoint")


def _profile(model: str) -> Any:
    # Its rows are models of Django, which must be ready first.
    profiles = import_module("chat.llm.profiles")
    return profiles.model_profile(named_model(model))
