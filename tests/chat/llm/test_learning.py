"""Servers' messages of refusal, and the parameters learned from them."""

import pytest

from chat.llm.learning import ServerRefusal, find_lesson, is_overflow, learn_from_overflow

ALL = frozenset({"max_tokens", "temperature", "stream_options", "system", "stream", "messages"})

PARAMETERS = [
    (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
        "'max_completion_tokens' instead.",
        "max_tokens",
        {"limit_parameter": "max_completion_tokens"},
    ),
    (
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default "
        "(1) value is supported.",
        "temperature",
        {"takes_temperature": False},
    ),
    ("`temperature` is deprecated for this model.", "", {"takes_temperature": False}),
    (
        "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
        "messages[0].role",
        {"takes_system": False},
    ),
    ("System role not supported", "", {"takes_system": False}),
    (
        "Conversation roles must alternate user/assistant/user/assistant/...",
        "",
        {"takes_system": False},
    ),
    (
        "Developer instruction is not enabled for models/gemma-3-1b-it",
        "",
        {"takes_system": False},
    ),
    ("Unrecognized request argument supplied: stream_options", "", {"reports_usage": False}),
    (
        "[{'type': 'extra_forbidden', 'loc': ['body', 'stream_options'], 'msg': 'Extra inputs are "
        "not permitted'}]",
        "",
        {"reports_usage": False},
    ),
    (
        "max_tokens is too large: 30420. This model supports at most 16384 completion tokens, "
        "whereas you provided 30420.",
        "max_tokens",
        {"max_output": 16384},
    ),
    (
        "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is "
        "less than the `context_window` for this model",
        "",
        {"max_output": 8192},
    ),
    (
        "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
        "",
        {"max_output": 8192},
    ),
    (
        "max_tokens: 30420 > 8192, which is the maximum allowed number of output tokens for x",
        "",
        {"max_output": 8192},
    ),
    ("max_tokens is too large.", "", {"max_output": 15210}),
    ("The model is sleeping.", "", {}),
    ("This temperature of feeling is fine; system out of paper", "", {}),
]
WINDOWS = [
    (
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens "
        "(3000 in the messages, 2000 in the completion). Please reduce the length.",
        4096,
        1080,
    ),
    (
        "'max_tokens' or 'max_completion_tokens' is too large: 30420. This model's maximum context "
        "length is 32768 tokens and your request has 3000 input tokens (30420 > 32768 - 3000).",
        32768,
        29752,
    ),
    (
        "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
        4096,
        None,
    ),
    (
        "This model's maximum context length is 128,000 tokens. However, your messages resulted in "
        "129,000 tokens.",
        128_000,
        None,
    ),
    (
        "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3000 `inputs` tokens and 30420 "
        "`max_new_tokens`",
        4096,
        1080,
    ),
    ("prompt is too long: 210000 tokens > 200000 maximum", 200_000, None),
]


@pytest.mark.parametrize(("message", "param", "learned"), PARAMETERS)
def test_a_refusal_teaches_what_to_leave_out(message: str, param: str, learned: object) -> None:
    assert find_lesson(ServerRefusal(message, param, asked=30_420, sent=ALL)).profile == learned


@pytest.mark.parametrize(("message", "window", "room"), WINDOWS)
def test_an_overflow_names_the_window(message: str, window: int, room: int | None) -> None:
    refused = ServerRefusal(message, asked=30_420, sent=ALL)
    assert is_overflow(message)
    assert not find_lesson(refused)
    lesson = learn_from_overflow(refused)
    assert (lesson.profile, lesson.max_tokens) == ({"window": window}, room)


def test_what_was_not_sent_can_not_be_left_out() -> None:
    for message, param, learned in PARAMETERS:
        if "max_output" not in learned:
            assert not find_lesson(ServerRefusal(message, param, asked=30_420))
