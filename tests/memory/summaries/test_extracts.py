"""Extracts: the sentences that say most, with their values, within so many words."""

import pytest
from hypothesis import given, strategies as st

from memory.recall.summaries.extracting import Spoken, extract
from memory.recall.summaries.key_topics import find_key_topics, select_part_topics
from memory.recall.summaries.values import find_names, find_numbers, find_values
from tests.effort import computed_within

TALK = [
    Spoken("I moved to Porto on 3 March 2024 and my budget is 2,000 euros.", is_own=True),
    Spoken("Thank you for telling me. That is good to know. Porto lies at the river Douro [1]."),
    Spoken("What does a flat near the Douro cost?", is_own=True),
    Spoken("It is hard to say. A flat near the Douro costs 1,450 euros a month [2]."),
]


def test_what_holds_values_is_chosen_before_what_says_nothing() -> None:
    text = extract(TALK, words=36)
    for value in ("3 March 2024", "2,000 euros", "1,450 euros", "Douro"):
        assert value in text
    assert "hard to say" not in text


def test_what_the_person_said_stands_in_quotation_marks_and_no_marker_is_left() -> None:
    text = extract(TALK, words=200)
    assert "“I moved to Porto on 3 March 2024 and my budget is 2,000 euros.”" in text
    assert "[1]" not in text
    assert text.index("I moved") < text.index("lies at") < text.index("1,450")


def test_an_extract_of_extracts_keeps_its_sentences_as_they_are() -> None:
    once = extract(TALK, words=200)
    assert extract([Spoken(once, is_extract=True)], words=200) == once


ASKED = [
    Spoken("hi im Tom, I live in Konstanz and what is the notice period?", is_own=True),
    Spoken(
        "DESCRIPTION of the agreement. The notice period is 90 days. Kuchenbaecker, Hopper, Barnes,"
        " Phillips and Mooij wrote in JAMA 2017, volume 317, pages 2402 to 2416, of BRCA1."
    ),
    Spoken("always answer in bullet points", is_own=True),
    Spoken("and who may shorten the notice period?", is_own=True),
    Spoken("Kuchenbaecker and Hopper, JAMA 2017. The tenant may shorten the notice period."),
]


def test_a_question_stands_before_what_answers_it_in_the_order_of_time() -> None:
    text = extract(ASKED, words=45)
    at = [text.index(said) for said in ("what is the notice", "90 days", "who may", "The tenant")]
    assert at == sorted(at)
    assert "2402" not in text
    assert extract([Spoken(text, is_extract=True)], words=45) == text


def test_a_bibliography_answers_nothing() -> None:
    said = [
        Spoken("what does PTEN do?", is_own=True),
        Spoken(
            "It opposes the kinases of the pathway. Li J, Yen C, Liaw D and colleagues (1997),"
            ' "PTEN, a putative gene", Science 275, 1943-1947, https://doi.org/10.1126/science.275.'
        ),
    ]
    assert extract(said, words=20) == "“what does PTEN do?” It opposes the kinases of the pathway."


def test_an_extract_of_extracts_keeps_questions_with_their_answers() -> None:
    said = extract(ASKED, words=45)
    short = extract([Spoken(said, is_extract=True)], words=22)
    assert "notice period?”" in short
    assert "90 days" in short or "The tenant" in short


def test_nothing_is_said_twice() -> None:
    said = [Spoken("The fee is 400 euros."), Spoken("The fee is 400 euros.")]
    assert extract(said, words=200) == "The fee is 400 euros."


@given(st.lists(st.text(max_size=300), max_size=6), st.integers(3, 60))
def test_no_extract_has_more_words_than_it_may(texts: list[str], words: int) -> None:
    text = extract([Spoken(text, is_own=at % 2 == 0) for at, text in enumerate(texts)], words=words)
    assert len(text.replace(" …", "").split(" ")) <= words + 1


def test_whatever_is_in_a_text_it_is_read_in_linear_time() -> None:
    for piece in ("A", "A.", "“", "1,", "Ab ", "```", "a. ", "- "):
        said = [Spoken(piece * 200_000)]
        computed_within(1, lambda said=said: (extract(said, words=100), find_key_topics(said)))


def test_topics_are_what_is_spoken_of_in_several_sentences() -> None:
    topics = find_key_topics([*TALK, Spoken("The Douro is long. Flats near the Douro are dear.")])
    assert any("Douro" in topic for topic in topics)
    assert find_key_topics([]) == []


def test_topics_are_what_was_asked_about_before_what_was_answered() -> None:
    topics = find_key_topics(ASKED)
    assert topics[0] == "notice period"
    told = {"Tom", "Konstanz", "bullet points", "hi"}
    assert not told & set(topics)


def test_topics_of_a_whole_are_those_that_most_of_its_parts_have_then_the_latest() -> None:
    parts = [["deposit", "tenant"], ["Harbour Bank", "deposits"], ["keys of the house"]]
    assert select_part_topics(parts) == ["deposits", "keys of the house", "Harbour Bank", "tenant"]


def test_values_are_numbers_dates_amounts_and_names() -> None:
    text = "On 3 March 2024 Ana Costa paid 1,000.50 euros to NATO, as Porto had said."
    assert find_numbers(text) == ["3", "2024", "1000.50"]
    assert find_names(text) == ["march", "ana costa", "nato", "porto"]
    assert find_values("Yes. What is it? I don't know. The end.") == []


def test_words_of_talking_are_no_topics() -> None:
    said = "I'm trying to understand the deposit. I'm using Harbour Bank's deposit, don't you know?"
    assert set(find_key_topics([Spoken(said, is_own=True)])) == {"deposit"}
    assert "deposit" in find_key_topics([Spoken(said), Spoken("I've used \\frac of a \\frac.")])


@pytest.mark.parametrize(
    ("said", "topics"),
    [
        ("He tells of the deposit. She tells of the deposit.", {"deposit"}),
        ("It works with the pump. It works beside the pump.", {"pump"}),
        ("We irrigate the orchard. They will often irrigate an orchard.", {"orchard"}),
        ("I've relocated to Porto. We can't relocate from Porto.", {"Porto"}),
        ("Seed for the news. Seed in the news.", {"Seed", "news"}),
        ("What does capivasertib inhibit? And what does capivasertib do?", {"capivasertib"}),
        ("What does the lease say of pets? Does the lease say it of pets?", {"lease", "pets"}),
        ("Can dogs eat the grapes? Can dogs have the grapes?", {"dogs", "grapes"}),
    ],
)
def test_a_plain_verb_is_no_topic(said: str, topics: set[str]) -> None:
    assert set(find_key_topics([Spoken(said)])) == topics
