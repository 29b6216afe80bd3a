"""The model client against a real server that streams, stalls and breaks."""

import pytest

from chat import llm
from memory.errors import ModelError
from tests.chat.llm.asking import MESSAGES, told


def failure() -> tuple[str, str]:
    """Return the text that came before the failure, and the failure's code."""
    asked = told()
    assert asked.failure
    return asked.ending


def test_it_streams_the_answer(model_server) -> None:
    model_server.reply("It is the fifteenth day [1].")
    assert told().text == "It is the fifteenth day [1]."
    request = model_server.last_request
    assert request["messages"] == MESSAGES
    assert (request["model"], request["max_tokens"]) == ("test-model", 100)
    assert request["headers"]["authorization"] == "Bearer test-key"


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (401, "model_key_refused"),
        (404, "model_unknown"),
        (400, "context_overflow"),
        (429, "model_rate_limited"),
        (500, "model_server_error"),
    ],
)
def test_a_refusal_becomes_a_clear_error(model_server, settings, status, code) -> None:
    settings.LLM_RETRIES = 0
    model_server.fail(status)
    assert failure() == ("", code)


def test_a_wrong_key_is_not_tried_again(model_server) -> None:
    model_server.fail(401)
    failure()
    assert len(model_server.requests) == 1


def test_a_passing_fault_is_tried_again_before_the_first_token(model_server, settings) -> None:
    settings.LLM_FIRST_TOKEN_TIMEOUT = 10
    model_server.fail(500)
    model_server.fail(429, **{"retry-after": "0"})
    model_server.reply("At last.")
    assert told().text == "At last."
    assert len(model_server.requests) == 3


def test_a_broken_stream_is_not_tried_again_after_the_first_token(model_server) -> None:
    model_server.reply("It is the fifteenth day.", break_after=2)
    assert failure() == ("It is", "model_stream_broken")
    assert len(model_server.requests) == 1


def test_a_stall_is_noticed(model_server) -> None:
    model_server.reply("It is the fifteenth day.", stall_after=2)
    assert failure() == ("It is", "model_stalled")


def test_the_whole_answer_has_a_time_limit(model_server, settings) -> None:
    settings.LLM_TOTAL_TIMEOUT = 0.5
    model_server.reply("word " * 50, delay=0.1)
    text, code = failure()
    assert code == "model_timeout"
    assert text.startswith("word")


def test_a_server_that_is_away_is_unreachable(model_server, settings) -> None:
    settings.LLM_BASE_URL = "http://127.0.0.1:9/v1"
    settings.LLM_RETRIES = 1
    assert failure() == ("", "model_unreachable")


def test_it_asks_for_a_short_answer(model_server) -> None:
    model_server.reply("What is the Determination Date?")
    assert llm.ask("Rewrite: And then?") == "What is the Determination Date?"
    assert model_server.last_request["max_tokens"] == 150


def test_a_failing_question_is_our_error_too(model_server) -> None:
    model_server.fail(404)
    with pytest.raises(ModelError, match="model_unknown"):
        llm.ask("Rewrite: And then?")
