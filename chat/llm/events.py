"""What a model's server sends, taken apart: its stream into events, each event into what it says.

Pure. Whatever isn't what it should be is a Broken; nothing grows without bound.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeGuard

from chat.llm import ServerUsage

# An event has at most so many bytes, and so many come at most without a word in between.
LONGEST_EVENT, LONGEST_NOTHING = 1 << 20, 1 << 20
MOST_TOKENS = 100_000_000
END = "[DONE]"
CODE = re.compile(r"[a-z_]{1,40}")


class Broken(Exception):
    """What came is no answer of a model."""


class Complaint(Exception):
    """The server says in the middle of its answer that something is wrong."""

    def __init__(self, message: str) -> None:
        super().__init__("complaint")
        self.message = message


class EventText(NamedTuple):
    """What one event says."""

    text: str = ""
    reasoning: str = ""
    finish: str = ""
    usage: ServerUsage | None = None
    # Whether nothing comes after it.
    is_end: bool = False

    @property
    def is_word(self) -> bool:
        return bool(self.text or self.reasoning)

    def with_next(self, told: "EventText") -> "EventText | None":
        """Return both as one, if both only say more of the answer."""
        if any(self[1:]) or any(told[1:]):
            return None
        return EventText(self.text + told.text)


class EventStream:
    """Server-sent events out of bytes."""

    def __init__(self) -> None:
        # Bytes since the last word; whoever reads words out of the events sets it back.
        self.nothing = 0
        self._rest: list[bytes] = []  # of a line whose end has not come
        self._rest_size = 0
        self._data: list[bytes] = []
        self._size = 0

    def feed(self, received: bytes) -> Iterator[str]:
        """Yield the data of each event that is whole."""
        self.nothing += len(received)
        was_halfway = bool(self._rest) and self._rest[-1].endswith(b"\r")
        self._rest.append(received)
        self._rest_size += len(received)
        if was_halfway or b"\n" in received or b"\r" in received:
            lines = b"".join(self._rest).splitlines(keepends=True)
            # Behind a \r at the end its other half may follow.
            rest = b"" if lines[-1].endswith(b"\n") else lines.pop()
            self._rest, self._rest_size = [rest], len(rest)
            for line in lines:
                yield from self._line(line.rstrip(b"\r\n"))
        if self._rest_size + self._size > LONGEST_EVENT or self.nothing > LONGEST_NOTHING:
            raise Broken

    def close(self) -> Iterator[str]:
        """Yield what no line ended."""
        rest, self._rest, self._rest_size = b"".join(self._rest), [], 0
        for line in (*rest.splitlines(), b""):
            yield from self._line(line)

    def _line(self, line: bytes) -> Iterator[str]:
        if line.startswith(b"data:"):
            self._data.append(line[5:].removeprefix(b" "))
            self._size += len(line)
            if self._size > LONGEST_EVENT:
                raise Broken
        elif not line and self._data:
            data, self._data, self._size = b"\n".join(self._data), [], 0
            yield data.decode(errors="replace")


def told_together(events: Iterable[str]) -> Iterator[EventText]:
    """Yield what the events say, words that follow one another as one; as `event_text` raises."""
    before: EventText | None = None
    try:
        for data in events:
            told = EventText(is_end=True) if data.strip() == END else event_text(data)
            both = before.with_next(told) if before else None
            if before and both is None:
                yield before
            before = both or told
    except (Broken, Complaint):
        if before:
            yield before
        raise
    if before:
        yield before


def event_text(data: str | bytes) -> EventText:
    """Return what an event, or a whole answer, says; raises Broken or Complaint."""
    try:
        event = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Broken from error
    if not isinstance(event, dict):
        raise Broken
    if event.get("error"):
        said = event["error"]
        message = said.get("message") if isinstance(said, dict) else said
        raise Complaint(message[:2000] if isinstance(message, str) else "")
    choice = _first(event.get("choices"))
    told = choice.get("delta") or choice.get("message") or {}
    if not isinstance(told, dict):
        raise Broken
    text, thought = _content(told.get("content"))
    aloud = told.get("reasoning_content") or told.get("reasoning")
    refusal = told.get("refusal")
    finish = choice.get("finish_reason")
    return EventText(
        text=text + (refusal if isinstance(refusal, str) else ""),
        reasoning=thought + (aloud if isinstance(aloud, str) else ""),
        finish=finish if isinstance(finish, str) and CODE.fullmatch(finish) else "",
        usage=_usage(event.get("usage")),
    )


def _first(choices: Any) -> dict[str, Any]:
    """Return the first choice; a last event with the tokens has none."""
    if not choices:
        return {}
    if not isinstance(choices, list) or not isinstance(choices[0], dict):
        raise Broken
    return choices[0]


def _content(content: Any) -> tuple[str, str]:
    """Return text and thoughts of a content, which some servers send in typed parts."""
    if content is None:
        return "", ""
    if isinstance(content, str):
        return content, ""
    if not isinstance(content, list) or not all(isinstance(part, dict) for part in content):
        raise Broken
    texts = [part.get("text") for part in content if part.get("type") == "text"]
    thoughts = [part.get("thinking") for part in content if part.get("type") == "thinking"]
    return _joined(texts), _joined(thoughts)


def _joined(parts: list[Any]) -> str:
    return "".join(part for part in parts if isinstance(part, str))


def _usage(usage: Any) -> ServerUsage | None:
    if not isinstance(usage, dict):
        return None
    prompt, answer = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if not _is_count(prompt) or not _is_count(answer):
        return None
    return ServerUsage(prompt, answer)


def _is_count(value: Any) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= MOST_TOKENS
