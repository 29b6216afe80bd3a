"""The pipeline with a real model behind the real protocol: streamed, timed, guarded.

The model is small: what it says is not looked at, only what is made of it.
"""

import json
import threading
import time
from pathlib import Path

import pytest
from django.core.management import call_command

from chat import llm
from chat.turns.pipeline import answer_now, take_turn
from memory.conversations.asking import Question, create_session
from memory.conversations.attempts import request_stop
from memory.models import Session, Turn, User
from memory.text.words import extract_terms
from tests.real_model import CONTEXT, MODEL

pytestmark = [pytest.mark.django_db, pytest.mark.deep]

QUESTION = "What is the Determination Date?"
FOLLOW_UP = "And what happens if it falls on a weekend?"


@pytest.fixture
def session(owner: User, library: None) -> Session:
    return create_session(owner, context_window=CONTEXT)


def asked(session: Session, question: str) -> Turn:
    return answer_now(take_turn(session, Question(question)).attempt)


async def test_it_streams_in_pieces_and_the_first_comes_before_the_last() -> None:
    messages = [{"role": "user", "content": "Count from one to twenty in words."}]
    moments = [time.monotonic() async for _ in llm.stream(messages, max_tokens=60).pieces]
    assert len(moments) > 10
    assert moments[-1] - moments[0] > 0.05


def test_a_turn_is_answered_and_recorded(session: Session) -> None:
    turn = asked(session, QUESTION)
    assert (turn.status, turn.model) == (Turn.Status.COMPLETE, MODEL)
    assert turn.response
    record = turn.context_records.get()
    assert record.prompt_tokens <= CONTEXT
    steps = {step["step"]: step["milliseconds"] for step in record.steps}
    assert 0 < steps["first_piece"] < steps["answer"] + steps["recall"] + steps["find"] + 1000


def test_only_offered_passages_are_cited(session: Session) -> None:
    turn = asked(session, QUESTION)
    offered = set(
        turn.context_records.get().passages.exclude(label=None).values_list("passage_id", flat=True)
    )
    assert {citation.passage_id for citation in turn.citations.all()} <= offered


def test_a_follow_up_is_searched_for_with_its_own_words_whatever_the_model_makes_of_it(
    session: Session,
) -> None:
    asked(session, QUESTION)
    turn = asked(session, FOLLOW_UP)
    assert set(extract_terms(FOLLOW_UP)) <= set(extract_terms(turn.standalone_query))
    assert "determin" in set(extract_terms(turn.standalone_query)) or (
        turn.rewrite_reason == "rewritten_by_model"
    )


def test_a_prompt_that_the_server_finds_too_long_is_built_again_with_less(
    owner: User, library: None
) -> None:
    # The session believes in a window that the server doesn't have.
    session = create_session(owner, context_window=2 * CONTEXT)
    for _ in range(3):
        turn = asked(session, QUESTION)
    assert turn.status in {Turn.Status.COMPLETE, Turn.Status.FAILED}
    assert turn.failure in {"", "context_overflow"}


@pytest.mark.django_db(transaction=True)
def test_stop_keeps_what_there_is(session: Session) -> None:
    asked_now = take_turn(session, Question("Tell everything about all dates."))
    stopping = threading.Timer(2.0, request_stop, [asked_now.turn])
    stopping.start()
    turn = answer_now(asked_now.attempt)
    stopping.join()
    assert turn.status in {Turn.Status.INTERRUPTED, Turn.Status.COMPLETE}


def test_rewriting_can_be_measured_with_it(tmp_path: Path) -> None:
    line = {
        "dataset": "own",
        "conv_id": "1",
        "turn_id": "2",
        "history": [
            {"role": "user", "content": QUESTION},
            {"role": "assistant", "content": "The fifteenth day of each month."},
        ],
        "query": FOLLOW_UP,
    }
    turns, out = tmp_path / "turns.jsonl", tmp_path / "out.jsonl"
    turns.write_text(json.dumps(line) + "\n")
    call_command("evaluate", "rewrite", "--turns", turns, "--rewriter", "model", "--out", out)
    [rewritten] = [json.loads(line) for line in out.read_text().splitlines()]
    assert set(extract_terms(FOLLOW_UP)) <= set(extract_terms(rewritten["rewrite"]))
