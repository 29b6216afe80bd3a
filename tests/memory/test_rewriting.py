"""Follow-ups become questions that can be searched on their own."""

import pytest

from memory.errors import ModelError
from memory.recall.rewriting import Exchange, leans_back, rewrite

pytestmark = pytest.mark.once

DATE = Exchange("What is the Determination Date?", "The fifteenth day of each month [1].")


def test_the_first_question_is_left_alone() -> None:
    assert rewrite("And what about it?", []).query == "And what about it?"


def test_a_follow_up_carries_the_content_words_of_the_question_before() -> None:
    found = rewrite("And what happens if it falls on a weekend?", [DATE])
    assert found.query == "And what happens if it falls on a weekend? Determination Date"
    assert found.reason == "previous_question_added"


def test_a_question_that_stands_alone_is_left_alone() -> None:
    query = "Which drugs inhibit mutated PIK3CA in breast cancer?"
    assert rewrite(query, [DATE]).query == query


@pytest.mark.parametrize(
    "query",
    ["Why?", "What about in ovarian cancer?", "Who is responsible for that?", "Tell me more"],
)
def test_it_sees_that_a_question_leans_on_the_one_before(query: str) -> None:
    assert leans_back(query)


def test_a_model_rewrites_from_the_last_three_turns() -> None:
    prompts = []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return " What happens if the Determination Date falls on a weekend? \n"

    turns = [Exchange(f"Question {number}?", "Answer.") for number in range(5)] + [DATE]
    found = rewrite("And if it falls on a weekend?", turns, ask)
    assert found.query == "What happens if the Determination Date falls on a weekend?"
    assert "Question 3?" in prompts[0]
    assert "Question 2?" not in prompts[0]


def failing(_: str) -> str:
    raise ModelError("model_unreachable")


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (failing, "model_failed"),
        (lambda _: "", "model_answer_refused"),
        (lambda _: "It falls\non the next day.", "model_answer_refused"),
        (lambda _: "word " * 200, "model_answer_refused"),
    ],
)
def test_on_any_failure_of_the_model_the_question_stays_as_typed(ask, reason: str) -> None:
    found = rewrite("And if it falls on a weekend?", [DATE], ask)
    assert (found.query, found.reason) == ("And if it falls on a weekend?", reason)
