"""A language model rewrites a follow-up; what it gives back is checked before it is used."""

import pytest

from memory.recall.rewriting import rewrite
from memory.recall.rewriting.asked import asked, may_be_asked
from memory.recall.rewriting.exchanges import Exchange, Known
from memory.recall.rewriting.questions import ReadQuestion

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
    found = asked(ReadQuestion(FOLLOW_UP), turns, [Known("Distribution Date", "term", 2)], ask)
    assert found
    assert (found.query, found.reason) == (GOOD, "rewritten_by_model")
    assert found.positions == (4, 5, 6)
    assert "Question 4?" in prompts[0]
    assert "Question 3?" not in prompts[0]
    assert "Distribution Date" in prompts[0]
    assert "[1]" not in prompts[0]  # numbers of citations mean nothing to it


def test_a_model_is_not_asked_about_a_question_that_stands_alone() -> None:
    query = "Which drugs inhibit mutated PIK3CA in breast cancer patients?"
    assert not may_be_asked(rewrite(ReadQuestion(query), [DATE]), [DATE])


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
    found = asked(ReadQuestion(FOLLOW_UP), [DATE], [], lambda _: answer)
    assert found
    assert found.query == GOOD


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "It falls on the next Business Day.",
        "Sure! " + GOOD,
        "What is the Determination Date?",
        "¿Y si la fecha de determinación cae en fin de semana?",
        "And if the weekend of Napoleon in Elba falls?",
        GOOD + " weekend" * 200,
    ],
)
def test_what_is_no_rewrite_is_refused(answer: str) -> None:
    assert asked(ReadQuestion(FOLLOW_UP), [DATE], [], lambda _: answer) is None


def test_long_answers_are_cut_before_a_model_reads_them() -> None:
    prompts = []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return GOOD

    asked(ReadQuestion(FOLLOW_UP), [Exchange(DATE.query, "word " * 5000, 1)], [], ask)
    assert len(prompts[0]) < 4000
