"""The content of one event of a model's stream, or of a complete response. Pure."""

import re
from typing import Any, NamedTuple, TypeGuard

from chat.llm import ServerUsage

MAX_TOKENS = 100_000_000
CODE = re.compile(r"[a-z_]{1,40}")


class Broken(Exception):
    """The server sent an invalid event."""


class EventText(NamedTuple):
    """The content of one event."""

    text: str = ""
    reasoning: str = ""
    finish: str = ""
    usage: ServerUsage | None = None


def parse_event(event: Any) -> EventText:
    """Parse a decoded event; raises Broken."""
    choice = _read_first_choice(_require_object(event).get("choices"))
    told = _require_object(choice.get("delta") or choice.get("message") or {})
    text, thought = _read_content(told.get("content"))
    refusal, finish = told.get("refusal"), choice.get("finish_reason")
    reasoning = told.get("reasoning_content") or told.get("reasoning")
    return EventText(
        text=text + (refusal if isinstance(refusal, str) else ""),
        reasoning=thought + (reasoning if isinstance(reasoning, str) else ""),
        finish=finish if isinstance(finish, str) and CODE.fullmatch(finish) else "",
        usage=_read_usage(event.get("usage")),
    )


def _require_object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Broken
    return value


def _read_first_choice(choices: Any) -> dict[str, Any]:
    if not choices:  # such as the event with the token usage
        return {}
    if not isinstance(choices, list):
        raise Broken
    return _require_object(choices[0])


def _read_content(content: Any) -> tuple[str, str]:
    """Return text and reasoning of a content; some servers send a list of typed parts."""
    if isinstance(content, str | None):
        return content or "", ""
    if not isinstance(content, list):
        raise Broken
    return _join_values(content, "text"), _join_values(content, "thinking")


def _join_values(parts: list[Any], kind: str) -> str:
    values = [part.get(kind) for part in map(_require_object, parts) if part.get("type") == kind]
    return "".join(value for value in values if isinstance(value, str))


def _read_usage(usage: Any) -> ServerUsage | None:
    if not isinstance(usage, dict):
        return None
    prompt, answer = usage.get("prompt_tokens"), usage.get("completion_tokens")
    return ServerUsage(prompt, answer) if _is_count(prompt) and _is_count(answer) else None


def _is_count(value: Any) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= MAX_TOKENS
