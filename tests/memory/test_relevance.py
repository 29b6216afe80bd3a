"""How relevant what was said is to a question."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recall import Given
from memory.recall.index.messages import Message, Messages, Side, said_by
from memory.recall.index.relevance import named_speakers, relevance, without_names
from memory.recall.rewriting import Exchange
from memory.text.embedding import Embedded

pytestmark = pytest.mark.once

MORNING = datetime(2026, 5, 8, 9, tzinfo=UTC)
TALK = [
    "The heron stands in shallow water.",
    "It waits for a long while.",
    "Bread rises because yeast makes gas.",
    "Let it rest for an hour.",
    "The lease ends in the spring.",
    "Then we move out.",
]


def heard(*texts: str, apart: timedelta = timedelta(0)) -> Messages:
    messages = [
        Message(1 + row // 2, Side(row % 2), text, MORNING + row * apart)
        for row, text in enumerate(texts)
    ]
    return Messages.unpacked(Messages.of(messages).packed())


def best(query: str, messages: Messages, cosines: list[float] | None = None) -> int:
    scores = relevance(query, messages, None if cosines is None else np.array(cosines))
    return int(np.argmax(scores))


def test_the_message_with_the_words_is_the_most_relevant() -> None:
    assert best("Why does bread rise?", heard(*TALK)) == 2


def test_the_message_with_the_nearest_vector_is_the_most_relevant() -> None:
    assert best("Who is moving?", heard(*TALK), [0.1, 0.1, 0.1, 0.1, 0.1, 0.7]) == 5


def test_what_stands_beside_a_relevant_message_is_relevant_too() -> None:
    scores = relevance("What does the heron do?", heard(*TALK), np.array([0.6, 0, 0, 0, 0, 0]))
    assert scores[0] > scores[1] > max(scores[2:])


def test_the_words_of_its_sitting_count_for_a_message_and_a_pause_ends_them() -> None:
    texts = ["Herons.", "Yes.", "Yes.", "Yes.", "Yes.", "Yes."]
    together = relevance("herons?", heard(*texts))
    assert together[4] == together[3]
    messages = heard(*texts, apart=timedelta(hours=2))
    parted = Messages(
        messages.words,
        messages.seconds + np.array([0, 0, 0, 10**6, 10**6, 10**6]),
        messages.speakers,
        messages.cues,
    )
    scores = relevance("herons?", parted)
    assert scores[2] > scores[4]


def test_a_message_without_a_vector_stands_between_those_that_have_one() -> None:
    scores = relevance("?", heard("a", "b", "c"), np.array([0.9, np.nan, 0.0]))
    assert scores[0] > scores[1] > scores[2]
    assert np.isfinite(relevance("?", heard("a", "b"), np.array([np.nan, np.nan]))).all()


def test_a_when_wants_a_message_that_tells_a_time() -> None:
    messages = heard("The heron came.", "Nice.", "The heron came yesterday.", "Nice.")
    scores = relevance("When did the heron come?", messages)
    assert scores[2] > scores[0]
    plain = relevance("Where did the heron come?", messages)
    assert scores[2] - scores[0] > plain[2] - plain[0]


def test_an_answer_beats_the_question_it_answers() -> None:
    messages = heard("What does the heron eat?", "The heron eats fish.", "Thank you.", "Welcome.")
    assert best("the heron eats what", messages) == 1


@pytest.mark.parametrize(
    ("query", "row"),
    [
        ("What was said on 8 May 2026?", 0),
        ("What was said in June?", 2),
        ("What happened in 2027?", 4),
        ("And on June 9?", 2),
    ],
)
def test_a_date_in_the_question_means_what_was_said_that_day(query: str, row: int) -> None:
    moments = [MORNING, datetime(2026, 6, 9, tzinfo=UTC), datetime(2027, 1, 2, tzinfo=UTC)]
    messages = Messages.of(
        [Message(at, Side.QUESTION, "Something.", day) for at, day in enumerate(moments, start=1)]
    )
    assert best(query, messages) == row // 2


def test_who_is_named_is_the_speaker() -> None:
    messages = heard(
        "Ann: I love herons.", "Bob: I love herons.", "Ann: It rains.", "Bob: It does rain."
    )
    assert named_speakers("What does Bob love?", messages) == ["bob"]
    assert best("What does Bob love?", messages) == 1
    assert best("What does Ann love?", messages) == 0
    assert without_names("What is Bob's bird?", ["bob"]) == "What is bird?"


def test_speakers_with_two_names_are_known_by_the_first() -> None:
    messages = heard("Ann Hill: I love herons.", "José Ruiz: I love herons.")
    assert named_speakers("What does Jose love?", messages) == ["jose"]
    assert best("What does José love?", messages) == 1


def test_what_opens_a_sitting_weighs_a_little_more() -> None:
    scores = relevance("?", heard("The heron.", "The heron.", "The heron.", "The heron."))
    assert scores[0] > scores[1]


def test_a_word_before_a_colon_is_nobody_where_most_messages_have_none() -> None:
    messages = heard("Note: it rains.", *TALK[1:])
    assert named_speakers("Which note?", messages) == []


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("Ann: Hello.", "Ann", "Hello."),
        ("Mary Ann O'Neil: Hello.", "Mary Ann O'Neil", "Hello."),
        ("At 10:30 we met.", "", "At 10:30 we met."),
        ("https://example.org", "", "https://example.org"),
        ("This sentence has far too many words: yes.", "", None),
        (":", "", ":"),
    ],
)
def test_a_speaker_is_a_name_before_a_colon(text: str, name: str, said: str | None) -> None:
    assert said_by(text) == (name, said or text)


@given(
    st.text(max_size=80),
    st.lists(st.text(max_size=80), max_size=9),
    st.lists(st.floats(-1, 1) | st.just(np.nan), min_size=9, max_size=9),
)
def test_relevance_lies_between_0_and_1(query: str, texts: list[str], cosines: list[float]) -> None:
    messages = heard(*texts)
    for known in (None, np.array(cosines[: len(texts)])):
        scores = relevance(query, messages, known)
        assert len(scores) == len(texts)
        assert ((scores >= 0) & (scores <= 1)).all()


def test_a_history_that_a_client_brings_is_compared_by_words() -> None:
    past = Given(
        [
            Exchange("What does the heron eat?", "The heron eats fish and frogs."),
            Exchange("Why does bread rise?", "Yeast makes gas."),
            Exchange("", "Nobody asked."),
        ]
    )
    scores = past.scores(Embedded("Which frogs does the heron eat?"))
    assert set(scores) == {1}
    assert Given([]).scores(Embedded("Why?")) == {}
