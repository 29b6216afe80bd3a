"""The model client: a turn's answer and short answers from a language model, or a ModelError.

The endpoint (chat.endpoint), with the SDK it needs, is loaded only where a model is set up: the SDK
takes half a second, which every command and every worker would wait for.
"""

from collections.abc import AsyncGenerator, Sequence
from importlib import import_module
from typing import Any

from django.conf import settings

from memory.errors import ModelError

Message = dict[str, str]


class ContextOverflow(ModelError):
    """The server says that the prompt is longer than its window."""


def is_configured() -> bool:
    """Tell whether a language model is set up."""
    return bool(settings.LLM_BASE_URL and settings.LLM_MODEL)


def ask(prompt: str) -> str:
    """Return the model's short answer to one prompt (at most 150 tokens), or raise ModelError."""
    answer: str = endpoint().ask(prompt)
    return answer


def stream(messages: Sequence[Message], *, max_tokens: int) -> AsyncGenerator[str, None]:
    """Yield the answer in the pieces in which it arrives, or raise ModelError."""
    pieces: AsyncGenerator[str, None] = endpoint().stream(messages, max_tokens=max_tokens)
    return pieces


def endpoint() -> Any:
    """Return the module that speaks with the endpoint, loaded at the first call."""
    return import_module("chat.endpoint")
