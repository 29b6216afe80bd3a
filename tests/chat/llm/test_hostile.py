"""A model server that lies: whatever it sends ends honestly, after so many bytes and no more."""

import asyncio
import json
import ssl
from collections.abc import Iterator
from itertools import repeat
from typing import Any

import pytest

from chat import llm
from chat.llm import client
from chat.llm.answer_reader import MAX_CHARACTERS
from chat.llm.configuring import Configured
from memory.errors import ModelError
from tests.chat.llm.asking import told

BROKEN = ("", "model_stream_broken")


@pytest.fixture(autouse=True)
def _once_only(model_server, settings) -> None:
    settings.LLM_RETRIES = 0
    # Much nothing takes a busy machine its time to read.
    settings.LLM_FIRST_TOKEN_TIMEOUT = settings.LLM_TOTAL_TIMEOUT = 60


def event(delta: Any, finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n"


def text(content: Any, finish: str | None = None) -> bytes:
    return event({"content": content}, finish)


DONE = b"data: [DONE]\n\n"


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        ([b"<html><body>Sign in</body></html>"], "text/html"),
        ([b"<html><body>Sign in</body></html>"], "text/event-stream"),
        ([b"not an event at all\n\n"], "text/event-stream"),
        ([b"data: {not json\n\n"], "text/event-stream"),
        ([b"data: [1, 2]\n\n"], "text/event-stream"),
        ([b"data: 7\n\n"], "text/event-stream"),
        ([b"data: " + b"[" * 100_000 + b"\n\n"], "text/event-stream"),
        ([b'data: {"choices": [7]}\n\n'], "text/event-stream"),
        ([b'data: {"choices": {"delta": "x"}}\n\n'], "text/event-stream"),
        ([b'data: {"choices": [{"delta": "x"}]}\n\n'], "text/event-stream"),
        ([text(7)], "text/event-stream"),
        ([text({"text": "x"})], "text/event-stream"),
        ([b"\xff\xfe\x00garbage"], "text/event-stream"),
        ([], "text/event-stream"),
        ([b"{"], "application/json"),
        ([b'"Understood."'], "application/json"),
    ],
)
def test_what_is_no_answer_is_a_broken_one(model_server, raw: list[bytes], kind: str) -> None:
    model_server.send(*raw, kind=kind)
    assert told().ending == BROKEN
    with pytest.raises(ModelError):
        llm.ask("And then?")


@pytest.mark.parametrize(
    "raw",
    [
        [text("It is.", "stop")],  # no [DONE]
        [text("It is."), DONE],  # no finish_reason
        [text("It is.").replace(b"\n\n", b"\r\n\r\n"), event({}, "stop")],
        [b": comment\n\n", b"event: message\n", text("It is."), event({}, "stop"), b"garbage"],
        [b'data: {"choices": []}\n\n', text(None), text("It is.", "stop"), DONE],
        [event({"role": "assistant"}), text("It"), text(" is."), event(None, "stop"), DONE],
        [event({"content": [{"type": "text", "text": "It is."}]}, "stop"), DONE],
        [event({"tool_calls": [{"function": {"name": "rm"}}], "content": "It is."}, "stop")],
        [bytes([byte]) for byte in text("It is.", "stop")],
    ],
)
def test_small_faults_of_form_lose_nothing(model_server, raw: list[bytes]) -> None:
    model_server.send(*raw)
    assert told().ending == ("It is.", "stop")


def test_an_answer_at_once_is_taken_though_pieces_were_asked_for(model_server) -> None:
    message = {"role": "assistant", "content": "It is."}
    answer = {"choices": [{"message": message, "finish_reason": "length"}]}
    model_server.send(json.dumps(answer).encode(), kind="application/json")
    assert told().ending == ("It is.", "length")


def test_a_complaint_in_the_stream_is_a_failure(model_server) -> None:
    model_server.send(text("It "), b'data: {"error": {"message": "out of memory"}}\n\n')
    model_server.send(b'data: {"error": {"message": "the context size is exceeded"}}\n\n')
    assert told().ending == ("It ", "model_server_error")
    assert told().ending == ("", "context_overflow")


def test_a_million_characters_are_cut_and_the_connection_closed(model_server) -> None:
    sent = []

    def endless() -> Iterator[bytes]:
        for _ in range(10_000):
            sent.append(1)
            yield text("word " * 20)

    model_server.send(raw_of=endless())
    asked = told(max_tokens=100)
    assert (len(asked.text), asked.reply.finish) == (800, "too_long")
    assert len(sent) < 10_000


def test_one_huge_piece_is_cut(model_server) -> None:
    model_server.send(text("x" * 1_000_000, "stop"))
    asked = told(max_tokens=100_000)
    assert len(asked.text) <= MAX_CHARACTERS
    assert asked.reply.finish == "too_long"


def test_a_line_without_end_is_broken_off(model_server) -> None:
    model_server.send(raw_of=repeat(b"x" * 65_536, 1000))
    assert told().ending == BROKEN


@pytest.mark.parametrize("nothing", [b": wait\n\n", text(""), event({"role": "assistant"})])
def test_endless_nothing_is_broken_off(model_server, nothing: bytes) -> None:
    model_server.send(raw_of=repeat(nothing * 500, 1000))
    assert told().ending == BROKEN


def test_no_more_is_read_than_an_answer_can_need(model_server, monkeypatch) -> None:
    monkeypatch.setattr(client, "MAX_STREAM_BYTES", 100_000)
    model_server.send(raw_of=repeat(event({"reasoning": "so " * 100}), 10_000))
    assert told(max_tokens=10**6).ending == BROKEN


def test_an_error_without_end_is_not_read_to_its_end(model_server, monkeypatch) -> None:
    monkeypatch.setattr(client, "MAX_BODY_BYTES", 10_000)
    model_server.refuse("no " * 100_000, status=500)
    assert told().failure == "model_stream_broken"


def test_what_is_compressed_is_refused(model_server) -> None:
    model_server.send(b"\x1f\x8b", headers={"content-encoding": "gzip"})
    assert told().failure == "model_stream_broken"
    assert model_server.last_request["headers"]["accept-encoding"] == "identity"


def test_certificates_are_read_once_and_demanded_of_each_server() -> None:
    async def connect() -> None:
        for number in range(3):
            client.get_client(Configured("m", "m", f"https://127.0.0.1:{number}/v1"))

    client._load_ssl_context.cache_clear()
    asyncio.run(connect())
    assert client._load_ssl_context.cache_info().misses == 1
    assert client._load_ssl_context().verify_mode == ssl.CERT_REQUIRED
    assert client._load_ssl_context().check_hostname


def test_thoughts_stay_out_of_the_answer(model_server) -> None:
    model_server.reply("The 15th [1].", thoughts=["Is it [2]?", " No."])
    model_server.reply("", pieces=list("<think>[2]?</think>The 15th [1]."))
    for reasoning in ("Is it [2]? No.", "[2]?"):
        asked = told()
        assert asked.ending == ("The 15th [1].", "stop")
        assert asked.reply.reasoning == reasoning


def test_one_character_at_a_time_is_an_answer(model_server) -> None:
    model_server.reply("", pieces=list("The fifteenth day [1]."))
    assert told().ending == ("The fifteenth day [1].", "stop")


def test_how_it_ended_is_told(model_server) -> None:
    model_server.reply("The fif", finish="length", usage=(320, 2))
    model_server.reply("", pieces=["…"], finish="content_filter")
    asked = told()
    assert (asked.reply.finish, asked.reply.model) == ("length", "test-model")
    assert asked.reply.usage == llm.ServerUsage(320, 2)
    assert told().reply.finish == "content_filter"


@pytest.mark.parametrize("usage", [{"prompt_tokens": -1}, {"prompt_tokens": 1e99}, "much", [1]])
def test_a_wrong_count_is_no_count(model_server, usage: Any) -> None:
    counted = b"data: " + json.dumps({"choices": [], "usage": usage}).encode() + b"\n\n"
    model_server.send(text("It is.", "stop"), counted, DONE)
    asked = told()
    assert (asked.ending, asked.reply.usage) == (("It is.", "stop"), None)


def test_a_server_that_says_nothing_is_asked_once(model_server, settings) -> None:
    settings.LLM_RETRIES, settings.LLM_FIRST_TOKEN_TIMEOUT = 2, 0.2
    model_server.reply("", is_silent=True)
    assert told().ending == ("", "model_silent")
    assert len(model_server.requests) == 1


def test_a_role_alone_is_no_first_word(model_server, settings) -> None:
    settings.LLM_FIRST_TOKEN_TIMEOUT = 0.2
    model_server.send(event({"role": "assistant"}), stall_after=1)
    assert told().ending == ("", "model_silent")


def test_reading_a_long_prompt_is_not_a_stall(model_server, settings) -> None:
    settings.LLM_STALL_TIMEOUT, settings.LLM_FIRST_TOKEN_TIMEOUT = 0.1, 5
    model_server.send(event({"role": "assistant"}), text("It is."), event({}, "stop"), delay=0.3)
    assert told().ending == ("It is.", "stop")


def test_silence_after_the_end_is_no_failure(model_server, settings) -> None:
    settings.LLM_STALL_TIMEOUT = 0.2
    model_server.send(text("It is.", "stop"), stall_after=1)
    assert told().ending == ("It is.", "stop")


def test_a_broken_connection_keeps_what_came(model_server) -> None:
    model_server.send(text("It is"), text(" the"), break_after=1)
    assert told().ending == ("It is", "model_stream_broken")
