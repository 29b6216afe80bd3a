"""A language model that is broken, silent, slow or cut: each question is answered all the same."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from tests.faults.careful import QUESTION, ROOMY, TIMES, Careful
from tests.model_server import ModelServer
from tests.servers import Web

SAID = "The Determination Date is the second Business Day [1]."
SOON = {
    "LLM_RETRIES": "0",
    "LLM_STALL_TIMEOUT": "1",
    "LLM_TOTAL_TIMEOUT": "2",
}


@dataclass(frozen=True)
class Fault:
    order: Callable[[ModelServer], Any]
    code: str
    # Of an answer that was begun what came is kept, and it is told that it failed.
    status: str = "failed"


FAULTS = {
    "error": Fault(lambda model: model.fail(500), "model_server_error", "complete"),
    "silence": Fault(lambda model: model.reply("", is_silent=True), "model_silent", "complete"),
    "garbage": Fault(
        lambda model: model.send(b"\xff\xfe\x00", b"<html>"), "model_stream_broken", "complete"
    ),
    "stall": Fault(lambda model: model.reply(SAID, stall_after=3), "model_stalled"),
    "drip": Fault(lambda model: model.reply("word " * 1000, delay=0.3), "model_timeout"),
    "cut": Fault(lambda model: model.reply(SAID, break_after=3), "model_stream_broken"),
}


@contextmanager
def broken(model: ModelServer, order: Callable[[ModelServer], Any]) -> Iterator[None]:
    model.reset()
    order(model)
    try:
        yield
    finally:
        model.reset()
        model.reply(SAID)


@pytest.mark.deep
@pytest.mark.parametrize("fault", FAULTS)
def test_p40_a_model_that_breaks_thirty_times_is_told_and_asked_again(
    start_web: Callable[..., Web], model_server: ModelServer, fault: str
) -> None:
    broken_so = FAULTS[fault]
    model_server.reply(SAID)
    client = Careful(start_web(**ROOMY, **SOON, **model_server.environment), QUESTION)

    def is_told() -> None:
        turn = client.ask()
        assert turn
        told = (turn["status"], turn["failure"] and turn["failure"]["code"])
        assert told == (broken_so.status, broken_so.code)
        assert turn["response"]

    client.endures(lambda: broken(model_server, broken_so.order), is_told)
    assert client.told == []
    # Before, and after each of them, the model itself has answered.
    well = [turn for turn in client.history() if turn["failure"] is None]
    assert [turn["model"] for turn in well] == ["test-model"] * (TIMES + 1)
