"""What a model is sent: the messages and the parameters that it takes. Pure."""

from collections.abc import Sequence
from typing import Any

from chat.llm import Message
from chat.llm.configuring import Configured
from chat.llm.profiles import Profile


def parameters(
    model: Configured,
    profile: Profile,
    messages: Sequence[Message],
    max_tokens: int,
    *,
    streams: bool = True,
    temperature: float | None = None,
) -> dict[str, Any]:
    """Return a request in the form that the model takes."""
    request: dict[str, Any] = {
        "model": model.model,
        "messages": list(messages) if profile.takes_system else without_system(messages),
        profile.limit_parameter: min(max_tokens, profile.longest_output),
    }
    if profile.takes_temperature:
        request["temperature"] = model.temperature if temperature is None else temperature
    if streams:
        request["stream"] = True
        if profile.reports_usage:
            request["stream_options"] = {"include_usage": True}
    return request


def sent(request: dict[str, Any]) -> frozenset[str]:
    """Return what of the request another try may leave out."""
    roles = {message["role"] for message in request["messages"]}
    return frozenset(request) | ({"system"} & roles)


def without_system(messages: Sequence[Message]) -> list[Message]:
    """Return the messages with what the system says at the head of the person's next message."""
    told: list[str] = []
    kept: list[Message] = []
    for message in messages:
        if message["role"] == "system":
            told.append(message["content"])
        elif told and message["role"] == "user":
            kept.append({"role": "user", "content": "\n\n".join([*told, message["content"]])})
            told = []
        else:
            kept.append(message)
    # What nobody says anything behind is said by the person.
    return [*kept, {"role": "user", "content": "\n\n".join(told)}] if told else kept
