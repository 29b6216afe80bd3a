"""Lessons of rejected requests: error messages name the parameters that a server doesn't take.

Pure. Tried on errors of OpenAI, Azure, vLLM, llama.cpp, Ollama, TGI, Mistral, Groq, DeepSeek and
Anthropic (tests/chat/llm/test_learning.py).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

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
PROMPT_TOKENS = re.compile(
    rf"{NUMBER} (?:in the messages|input tokens|`?inputs`? tokens|of text input|in your prompt)"
    rf"|given: {NUMBER} `?inputs",
    re.IGNORECASE,
)
OLD_PARAMETER = re.compile(
    r"use '?`?max_completion_tokens|max_tokens'?`? (?:is|are) not supported"
    r"|unsupported parameter: '?max_tokens",
    re.IGNORECASE,
)
TOO_LARGE = re.compile(rf"(?:{LIMIT}).{{0,40}}(?:too large|too high|exceed)", re.IGNORECASE)
# Optional parts: their names in error messages, their place, and the profile field to drop them.
OPTIONAL = (
    ("temperature", "temperature", "temperature", "takes_temperature"),
    ("stream_options", "stream_options|include_usage", "stream_options", "reports_usage"),
    ("response_format", "response_format|json_schema|guided", "response_format", "writes_json"),
    (
        "system",
        r"system(?: role| message| prompt)?|developer instruction|conversation roles",
        r"messages\[\d+\]\.role",
        "takes_system",
    ),
)
# Tokens kept free between the prompt and the longest answer.
SLACK = 16
SHORTEST_ANSWER = 32


@dataclass(frozen=True)
class ServerRefusal:
    """A server's error message, and the answer length that was requested."""

    message: str
    param: str = ""
    code: str = ""
    asked: int = 0
    # The optional parts of the request.
    sent: frozenset[str] = frozenset()

    def names(self, parameter: str) -> bool:
        """Return whether the error is about the parameter, by its field or its message."""
        quoted = rf"\b(?:{parameter})\b"
        near = rf"{quoted}.{{0,120}}{NOT_TAKEN}|{NOT_TAKEN}.{{0,120}}{quoted}"
        in_words = re.search(near, self.message, re.IGNORECASE | re.DOTALL)
        return bool(re.match(parameter, self.param) or in_words)


@dataclass(frozen=True)
class Lesson:
    """Changes of the profile, and of the answer length in this call alone."""

    profile: dict[str, Any] = field(default_factory=dict)
    max_tokens: int | None = None

    def __bool__(self) -> bool:
        return bool(self.profile) or self.max_tokens is not None


def find_lesson(refused: ServerRefusal) -> Lesson:
    """Return the lesson of the rejection, which may be empty."""
    if "max_tokens" in refused.sent and OLD_PARAMETER.search(refused.message):
        return Lesson({"limit_parameter": "max_completion_tokens"})
    cap = _read_output_cap(refused)
    new = "max_completion_tokens"
    if new in refused.sent and not cap and refused.names(new):
        return Lesson({"limit_parameter": "max_tokens"})
    for part, words, place, profile_field in OPTIONAL:
        if part in refused.sent and (refused.names(words) or re.match(place, refused.param)):
            return Lesson({profile_field: False})
    return Lesson({"max_output": cap}) if cap else Lesson()


def is_overflow(message: str, code: str = "") -> bool:
    """Return whether the prompt is longer than the window."""
    known = ("context_length_exceeded", "exceed_context_size_error")
    return code in known or bool(OVERFLOW.search(message))


def learn_from_overflow(refused: ServerRefusal) -> Lesson:
    """Return the lesson of an overflow: the window and, if the prompt fits, a shorter answer."""
    window = _find_first_number(WINDOWS, refused.message)
    if window is None:
        return Lesson()
    prompt = _find_first_number([PROMPT_TOKENS], refused.message)
    room = window - prompt - SLACK if prompt else 0
    is_enough = SHORTEST_ANSWER <= room < refused.asked
    return Lesson({"window": window}, max_tokens=room if is_enough else None)


def _read_output_cap(refused: ServerRefusal) -> int | None:
    """Return the longest answer that the error message allows, if it names a limit."""
    if _find_first_number(WINDOWS, refused.message):  # a limit by the prompt, not by the model
        return None
    cap = _find_first_number(CAPS, refused.message)
    if cap and SHORTEST_ANSWER // 2 <= cap < refused.asked:
        return cap
    if TOO_LARGE.search(refused.message) and refused.asked >= 2 * SHORTEST_ANSWER:
        return refused.asked // 2
    return None


def _find_first_number(patterns: Sequence[re.Pattern[str]], text: str) -> int | None:
    found = next(filter(None, (pattern.search(text) for pattern in patterns)), None)
    return int(found[found.lastindex or 1].replace(",", "")) if found else None
