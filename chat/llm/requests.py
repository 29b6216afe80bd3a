"""What a request to a model has, and the messages of those that take no system text. Pure."""

from collections.abc import Sequence
from typing import Any

from chat.llm import Message


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
