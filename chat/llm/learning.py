"""What a refusal teaches: servers say in words which part of a request they don't take.

Pure. Tried on what OpenAI, Azure, vLLM, llama.cpp, Ollama, TGI, Mistral, Groq, DeepSeek and
Anthropic write (tests/chat/llm/test_learning.py).
"""

import re
from dataclasses import dataclass, field
from typing import Any

LONGEST_MESSAGE = 2000
NUMBER = r"(\d{1,9}(?:,\d{3})*)"
NOT_TAKEN = (
    r"(?:unsupported|not support|unrecognized|unknown|unexpected|not permitted|extra_forbidden"
    r"|extra inputs|not allowed|not enabled|invalid|must alternate|deprecated)"
)
LIMIT = r"max_(?:completion_)?tokens|max_new_tokens|maxOutputTokens"
OVERFLOW = re.compile(
    r"context.{0,20}(length|window|size)|maximum.{0,20}(context|tokens)|too many tokens|"
    r"exceed\w* .{0,40}tokens|prompt is too long|inputs.{0,20}tokens.{0,40}must be",
    re.IGNORECASE,
)
WINDOWS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:maximum )?context (?:length|window)(?: is| of)?:? {NUMBER}",
        rf"context size \({NUMBER} tokens\)",
        rf"max_new_tokens`? must be <= {NUMBER}",
        rf"exceeds? (?:the )?(?:limit|maximum)(?: of)? {NUMBER} tokens",
        rf"{NUMBER} tokens? > {NUMBER} maximum",
    )
]
CAPS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"supports at most {NUMBER} (?:completion|output)",
        rf"(?:{LIMIT})`?'? must be (?:less than or equal to|at most|<=) `?{NUMBER}",
        rf"(?:{LIMIT})[^.]{{0,40}}range[^.]{{0,30}}\[\d+, ?{NUMBER}\]",
        rf"(?:{LIMIT})`?'?: \d+ > {NUMBER}",
    )
]
IN_THE_PROMPT = re.compile(
    rf"{NUMBER} (?:in the messages|input tokens|`?inputs`? tokens|of text input|in your prompt)"
    rf"|given: {NUMBER} `?inputs",
    re.IGNORECASE,
)
# What may be left out: how refusals call it, and its place; and what is not done from then on.
LEFT_OUT = (
    ("temperature", "temperature", "temperature", "takes_temperature"),
    ("stream_options", "stream_options|include_usage", "stream_options", "reports_usage"),
    (
        "system",
        r"system(?: role| message| prompt)?|developer instruction|conversation roles",
        r"messages\[\d+\]\.role",
        "takes_system",
    ),
)
# What is kept free between a prompt and the longest answer behind it.
SLACK = 16
SHORTEST_ANSWER = 32


@dataclass(frozen=True)
class ServerRefusal:
    """A refusal as the server words it, and how long an answer was asked for."""

    message: str
    param: str = ""
    code: str = ""
    asked: int = 0
    # What was sent, of all that may be left out.
    sent: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Lesson:
    """What to do otherwise: from now on, and in this call alone."""

    profile: dict[str, Any] = field(default_factory=dict)
    max_tokens: int | None = None

    def __bool__(self) -> bool:
        return bool(self.profile) or self.max_tokens is not None


def lesson_of(refused: ServerRefusal) -> Lesson:
    """Return what the refusal teaches; an empty lesson if nothing."""
    said = refused.message[:LONGEST_MESSAGE]
    for taught in (_limit_parameter, _left_out, _cap):
        if lesson := taught(refused, said):
            return lesson
    return Lesson()


def window_of(message: str) -> int | None:
    """Return the window that an overflow names, in tokens."""
    said = message[:LONGEST_MESSAGE]
    found = next(filter(None, (window.search(said) for window in WINDOWS)), None)
    return _number(found[found.lastindex or 1]) if found else None


def is_overflow(message: str, code: str = "") -> bool:
    """Return whether the prompt is longer than the window."""
    known = ("context_length_exceeded", "exceed_context_size_error")
    return code in known or bool(OVERFLOW.search(message[:LONGEST_MESSAGE]))


def overflow_lesson(refused: ServerRefusal) -> Lesson:
    """Return the lesson of an overflow: the window, and if the prompt fits, a shorter answer."""
    said = refused.message[:LONGEST_MESSAGE]
    window = window_of(said)
    prompt = IN_THE_PROMPT.search(said)
    if window is None:
        return Lesson()
    learned = {"window": window}
    if prompt:
        room = window - _number(prompt[1] or prompt[2]) - SLACK
        if SHORTEST_ANSWER <= room < refused.asked:
            return Lesson(learned, max_tokens=room)
    return Lesson(learned)


def _names(refused: ServerRefusal, said: str, parameter: str) -> bool:
    """Return whether the refusal is about the parameter: by its field, or in its words."""
    if re.match(parameter, refused.param):
        return True
    quoted = rf"\b(?:{parameter})\b"
    near = rf"{quoted}.{{0,120}}{NOT_TAKEN}|{NOT_TAKEN}.{{0,120}}{quoted}"
    return bool(re.search(near, said, re.IGNORECASE | re.DOTALL))


def _limit_parameter(refused: ServerRefusal, said: str) -> Lesson:
    if "max_tokens" in refused.sent and re.search(
        r"use '?`?max_completion_tokens|max_tokens'?`? (?:is|are) not supported"
        r"|unsupported parameter: '?max_tokens",
        said,
        re.IGNORECASE,
    ):
        return Lesson({"limit_parameter": "max_completion_tokens"})
    is_new = "max_completion_tokens" in refused.sent
    if is_new and not _cap(refused, said) and _names(refused, said, "max_completion_tokens"):
        return Lesson({"limit_parameter": "max_tokens"})
    return Lesson()


def _left_out(refused: ServerRefusal, said: str) -> Lesson:
    for part, words, place, without in LEFT_OUT:
        if part in refused.sent and (
            _names(refused, said, words) or re.match(place, refused.param)
        ):
            return Lesson({without: False})
    return Lesson()


def _cap(refused: ServerRefusal, said: str) -> Lesson:
    if window_of(said):  # it is the prompt that leaves no more
        return Lesson()
    found = next(filter(None, (cap.search(said) for cap in CAPS)), None)
    if found and SHORTEST_ANSWER // 2 <= _number(found[1]) < refused.asked:
        return Lesson({"max_output": _number(found[1])})
    is_too_large = re.search(rf"(?:{LIMIT}).{{0,40}}(?:too large|too high|exceed)", said, re.I)
    if is_too_large and refused.asked >= 2 * SHORTEST_ANSWER:
        return Lesson({"max_output": refused.asked // 2})
    return Lesson()


def _number(digits: str) -> int:
    return int(digits.replace(",", ""))
