"""What a model is sent: the messages, and the parameters that it takes. Pure."""

from collections.abc import Sequence
from typing import Any

from chat.llm import Message
from chat.llm.profiles import Profile


def build_request(
    model: str,
    profile: Profile,
    messages: Sequence[Message],
    max_tokens: int,
    temperature: float,
    response_format: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a request in the form that the model takes."""
    request: dict[str, Any] = {
        "model": model,
        "messages": list(messages) if profile.takes_system else merge_system(messages),
        profile.limit_parameter: max_tokens,
        "stream": True,
    }
    if profile.takes_temperature:
        request["temperature"] = temperature
    if profile.reports_usage:
        request["stream_options"] = {"include_usage": True}
    if response_format and profile.writes_json:
        request["response_format"] = response_format
    return request


def optional_parts(request: dict[str, Any]) -> frozenset[str]:
    """Return the names of the parts that another try may leave out."""
    roles = {message["role"] for message in request["messages"]}
    return frozenset(request) | ({"system"} & roles)


def merge_system(messages: Sequence[Message]) -> list[Message]:
    """Return the messages with system texts at the head of the next user message."""
    system: list[str] = []
    merged: list[Message] = []
    for message in messages:
        if message["role"] == "system":
            system.append(message["content"])
        elif system and message["role"] == "user":
            merged.append({"role": "user", "content": "\n\n".join([*system, message["content"]])})
            system = []
        else:
            merged.append(message)
    return [*merged, {"role": "user", "content": "\n\n".join(system)}] if system else merged
