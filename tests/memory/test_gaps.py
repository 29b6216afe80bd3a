"""A question is expanded where it has a gap, and the words come from the nearest place."""

import pytest

from memory.recall.rewriting import Exchange, ReadQuestion, rewrite
from memory.recall.rewriting.about import apart, behind
from memory.recall.rewriting.language.languages import language_of
from memory.recall.rewriting.language.noun_phrases import is_fragment
from memory.text.reading import ReadText

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
    assert apart(told)[0].rstrip("?") == question.rstrip(" ?")


def test_in_doubt_a_question_is_english() -> None:
    assert language_of("debconf") == "en"


@pytest.mark.parametrize(
    ("asked", "answer", "question"),
    [
        (
            "How long do electric cars run, and what is unique?",
            "We can say that Tesla changed 20 of 31 batteries. They existed in 1990.",
            "How long can the batteries last?",
        ),
        (
            "What are the Sea Peoples, the Bronze Age collapse, Troy, Ugarit and the Hittites?",
            "The Sea Peoples raided Ugarit. Egypt drove them back under Ramesses.",
            "What were the causes?",
        ),
    ],
)
def test_at_most_three_names_or_nouns_stand_behind_a_question(
    asked: str, answer: str, question: str
) -> None:
    told = apart(rewrite(ReadQuestion(question), [Exchange(asked, answer, 1)]).query)[1]
    phrases = told.split(", ")
    assert 0 < len(phrases) <= 3
    assert told
    for fragment in ("20", "31", "1990", "unique", "say", "existed", "changed"):
        assert fragment not in phrases


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ("They existed before", 1, True),
        ("what we can say", 3, True),
        ("Can aspirin help", 1, False),
        ("What does doxorubicin do", 2, False),
        ("it costs 26 000", 2, True),
        ("it is unique", 2, True),
        ("an oceanic crust", 1, False),
        ("this is oceanic", 2, True),
        ("they went to Ugarit", 3, False),
    ],
)
def test_a_figure_a_verb_or_an_adjective_alone_is_a_fragment(
    text: str, at: int, *, expected: bool
) -> None:
    tokens = ReadText(text).tokens
    assert is_fragment(tokens[at : at + 1], tokens[:at], tokens[at + 1 :]) is expected


def test_an_english_question_with_no_other_small_word_is_english() -> None:
    assert language_of("Could such a continent form again?") == "en"


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("y cual es mas barato", "es"),
        ("quien paga y cuando", "es"),
        ("was konnen wir fur ihn tun", "de"),
        ("ou sont les quais", "fr"),
        ("the mayor and a man in it", "en"),
    ],
)
def test_a_language_is_told_without_its_accents(question: str, language: str) -> None:
    assert language_of(question) == language
