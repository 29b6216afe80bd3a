"""A language model rewrites a follow-up; what it gives back is checked before it is used."""

import pytest

from memory.errors import ModelError
from memory.recall.rewriting import Exchange, Known, ReadQuestion, rewrite

DATE = Exchange("What is the Determination Date?", "The fifteenth day of each month [1].", 1)
FOLLOW_UP = "And if it falls on a weekend?"
GOOD = "And if the Determination Date falls on a weekend?"


def test_a_model_is_asked_with_the_last_three_turns_and_what_the_session_is_about() -> None:
    prompts = []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return f" {GOOD} \n"

    earlier = [Exchange(f"Question {number}?", "Answer.", number) for number in range(1, 6)]
    turns = [*earlier, Exchange(DATE.query, DATE.response, 6)]
    found = rewrite(
        ReadQuestion(FOLLOW_UP), turns, ask, known=[Known("Distribution Date", "term", 2)]
    )
    assert (found.query, found.reason) == (GOOD, "rewritten_by_model")
    assert found.positions == (4, 5, 6)
    assert "Question 4?" in prompts[0]
    assert "Question 3?" not in prompts[0]
    assert "Distribution Date" in prompts[0]
    assert "[1]" not in prompts[0]  # numbers of citations mean nothing to it


def test_a_model_is_not_asked_about_a_question_that_stands_alone() -> None:
    def ask(_: str) -> str:
        raise AssertionError("asked")

    query = "Which drugs inhibit mutated PIK3CA in breast cancer patients?"
    assert rewrite(ReadQuestion(query), [DATE], ask).query == query


@pytest.mark.parametrize(
    "answer",
    [
        f'"{GOOD}"',
        f"Rewritten question: {GOOD}",
        f"Question that stands alone: {GOOD}\n\nThis names the date.",
        f"**{GOOD}**",
    ],
)
def test_labels_and_quotation_marks_of_a_model_are_taken_off(answer: str) -> None:
    assert rewrite(ReadQuestion(FOLLOW_UP), [DATE], lambda _: answer).query == GOOD


def failing(_: str) -> str:
    raise ModelError("model_unreachable")


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (failing, "model_failed"),
        (lambda _: "", "model_answer_refused"),
        (lambda _: "It falls on the next Business Day.", "model_answer_refused"),
        (lambda _: "Sure! " + GOOD, "model_answer_refused"),
        (lambda _: "What is the Determination Date?", "model_answer_refused"),
        (lambda _: "¿Y si la fecha de determinación cae en fin de semana?", "model_answer_refused"),
        (lambda _: "And if the weekend of Napoleon in Elba falls?", "model_answer_refused"),
        (lambda _: GOOD + " weekend" * 200, "model_answer_refused"),
    ],
)
def test_what_is_no_rewrite_leaves_the_built_in_one(ask, reason: str) -> None:
    built_in = rewrite(ReadQuestion(FOLLOW_UP), [DATE])
    found = rewrite(ReadQuestion(FOLLOW_UP), [DATE], ask)
    assert (found.query, found.reason) == (built_in.query, reason)


def test_long_answers_are_cut_before_a_model_reads_them() -> None:
    prompts = []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return GOOD

    rewrite(ReadQuestion(FOLLOW_UP), [Exchange(DATE.query, "word " * 5000, 1)], ask)
    assert len(prompts[0]) < 4000
