"""A question is expanded where it has a gap, and the words come from the nearest place."""

import pytest

from memory.recall.rewriting import Exchange, ReadQuestion, rewrite
from memory.recall.rewriting.language.languages import language_of
from memory.recall.rewriting.selection.placing import behind, without_behind

SERVICER = Exchange(
    "What does the Servicer do?", "The Servicer collects payments on the mortgage loans.", 1
)


@pytest.mark.parametrize(
    "question",
    [
        "what is tasksel?",
        "What is a repository?",
        "Now tell me about TP53. What does it do?",
        "Explain debconf. How is it configured?",
        "I have heard a lot about Glycolic acid toner. Is it good for me?",
        "BRCA1: what is it?",
    ],
)
def test_a_question_that_says_what_it_means_is_left_exactly_alone(question: str) -> None:
    assert rewrite(ReadQuestion(question), [SERVICER]).query == question


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What happens if it fails?", "What happens if the Servicer fails?"),
        ("Interesting. What was that about?", "Interesting. What was the Servicer about?"),
        ("What is the deadline?", "What is the deadline (about Servicer)?"),
    ],
)
def test_a_gap_is_filled_in_its_place_or_behind(question: str, expected: str) -> None:
    assert rewrite(ReadQuestion(question), [SERVICER]).query == expected


def test_the_likelier_another_topic_the_surer_a_gap_has_to_be() -> None:
    question = "What is the deadline?"
    assert rewrite(ReadQuestion(question), [SERVICER], doubt=0.5).query == question


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the deadline?", "What is the deadline (about loans)?"),
        ("¿Cuál es el plazo?", "¿Cuál es el plazo (sobre loans)?"),
        ("Was ist die Frist?", "Was ist die Frist (zu loans)?"),
        ("Quel est le délai ?", "Quel est le délai (sur loans)?"),
    ],
)
def test_what_stands_behind_is_phrased_in_the_language_of_the_question(
    question: str, expected: str
) -> None:
    told = behind(question, "loans")
    assert told == expected
    assert without_behind(told).rstrip("?") == question.rstrip(" ?")


def test_in_doubt_a_question_is_english() -> None:
    assert language_of("debconf") == "en"
