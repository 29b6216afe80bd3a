"""The relevance of earlier messages to a question."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, strategies as st

from memory.recall import Given
from memory.recall.index.matching import Scores
from memory.recall.index.messages import STRIDE, Cue, Message, Messages, Side, split_speaker
from memory.recall.index.questions import RelevanceQuestion
from memory.recall.index.relevance import Comparison, drop_names, find_named_speakers
from memory.recall.index.scoring import compute_confidence, prefer_newest_values
from memory.recall.rewriting.exchanges import Exchange
from memory.text.embedding import Embedded

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
    return Messages.unpacked(Messages.build(messages).packed())


def compute_relevance(query: str, messages: Messages, cosines: Scores | None = None) -> Scores:
    return Comparison(query, messages, cosines).scores()


def best(query: str, messages: Messages, cosines: list[float] | None = None) -> int:
    scores = compute_relevance(query, messages, None if cosines is None else np.array(cosines))
    return int(np.argmax(scores))


def test_the_message_with_the_words_is_the_most_relevant() -> None:
    assert best("Why does bread rise?", heard(*TALK)) == 2


def test_the_message_with_the_nearest_vector_is_the_most_relevant() -> None:
    assert best("Who is moving?", heard(*TALK), [0.1, 0.1, 0.1, 0.1, 0.1, 0.7]) == 5


def test_what_stands_beside_a_relevant_message_is_relevant_too() -> None:
    scores = compute_relevance(
        "What does the heron do?", heard(*TALK), np.array([0.6, 0, 0, 0, 0, 0])
    )
    assert scores[0] > scores[2] > scores[4]  # what was asked before and after
    assert scores[1] > scores[3]  # what was answered


def test_the_words_of_its_sitting_count_for_a_message_and_a_pause_ends_them() -> None:
    texts = ["Ann: Herons.", *["Bob: Yes.", "Ann: Yes."] * 2, "Bob: Yes."]
    together = compute_relevance("herons?", heard(*texts))
    assert together[4] == together[3]
    messages = heard(*texts, apart=timedelta(hours=2))
    parted = Messages(
        messages.words,
        messages.seconds + np.array([0, 0, 0, 10**6, 10**6, 10**6]),
        messages.speakers,
        messages.cues,
    )
    scores = compute_relevance("herons?", parted)
    assert scores[2] > scores[4]


def test_a_message_without_a_vector_stands_between_those_that_have_one() -> None:
    texts = ["Ann: a", "Bob: b", "Ann: c"]
    scores = compute_relevance("?", heard(*texts), np.array([0.9, np.nan, 0.0]))
    assert scores[0] > scores[1] > scores[2]
    assert np.isfinite(compute_relevance("?", heard("a", "b"), np.array([np.nan, np.nan]))).all()


def test_a_when_wants_a_message_that_tells_a_time() -> None:
    messages = heard("Hello.", "Hi.", "The heron came.", "Nice.", "The heron came yesterday.")
    scores = compute_relevance("When did the heron come?", messages)
    assert scores[4] > scores[2]
    plain = compute_relevance("Where did the heron come?", messages)
    assert scores[4] - scores[2] > plain[4] - plain[2]


def test_among_people_an_answer_beats_the_question_it_answers() -> None:
    said = ["What does the heron eat?", "The heron eats fish.", "Thank you.", "Welcome."]
    messages = heard(*[f"{name}: {text}" for name, text in zip("ABAB", said, strict=True)])
    assert best("the heron eats what", messages) == 1


def test_what_was_answered_does_not_drown_what_was_said_unless_it_is_asked_for() -> None:
    messages = heard(
        "I keep herons.", "Herons, herons: feed herons fish.", "I bake.", "Bread wants salt."
    )
    cosines = [0.6, 0.7, 0.1, 0.1]
    assert best("What do I keep, herons?", messages, cosines) == 0
    assert best("What have you said about herons?", messages, cosines) == 1


def test_where_advice_is_asked_for_a_preference_is_relevant() -> None:
    messages = heard("I prefer trains to planes.", "Ok.", "I took a train and a plane.", "Ok.")
    cosines = np.array([0.5, 0, 0.5, 0])
    advice, past = "How should I travel to Rome?", "How did I travel to Rome?"
    scores, plain = (compute_relevance(query, messages, cosines) for query in (advice, past))
    assert scores[0] - scores[2] > plain[0] - plain[2]


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("Always show the formula when I ask about rent.", Cue.WISHES),
        ("Siempre en español, por favor.", Cue.WISHES),
        ("I always take the train. " * 20 + "When I ask, answer.", None),
        ("I don't eat meat.", Cue.PREFERS),
        ("Me gusta el té.", Cue.PREFERS),
        ("It rains in Rome.", None),
    ],
)
def test_a_wish_and_a_preference_are_known_by_their_wording(text: str, cue: Cue | None) -> None:
    shown = Cue(int(heard(text).cues[0])) & (Cue.WISHES | Cue.PREFERS)
    assert shown & cue if cue else not shown & Cue.WISHES


def of_sessions(*sessions: list[str]) -> Messages:
    """Messages of several sessions, read as one: each has a question or more and no answer."""
    blocks = []
    for at, texts in enumerate(sessions):
        said = [Message(1 + row, Side.QUESTION, text, MORNING) for row, text in enumerate(texts)]
        block = Messages.build(said)
        numbers = replace(block.words, numbers=block.numbers + at * STRIDE)
        blocks.append(replace(block, words=numbers))
    return Messages.joined(blocks)


def test_a_short_session_is_about_one_thing_and_a_long_one_is_not() -> None:
    short, long = ["I keep a heron.", "It is grey."], ["I keep a hen."] + ["It is grey."] * 80
    messages = of_sessions(short, long)
    cosines = np.array([0.6, 0.1, 0.6] + [0.1] * 80)
    scores = compute_relevance("Which bird?", messages, cosines)
    assert scores[1] > scores[3] > scores[4]
    alone = compute_relevance("Which bird?", heard(*short), np.array([0.6, 0.1]))
    assert alone[0] - alone[1] > scores[0] - scores[1]


OLD, NEW = "My rent is 900 a month.", "My rent is 950 a month now."
RENT = np.array([1.0, 0.2]), np.array([0.9, 0.3])


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("What is my rent?", 1),
        ("What was the latest rent that I mentioned?", 1),
        ("What was my rent at first?", 0),
        ("What was my rent last time, before the latest rise?", 0),
        ("Which rent do you suggest?", 0),
    ],
)
def test_of_two_values_the_newer_comes_first_where_it_is_meant(query: str, best: int) -> None:
    messages = of_sessions([OLD], [NEW], ["I bake bread."])
    scores, near = np.array([0.8, 0.7, 0.6]), dict(enumerate([*RENT, np.array([0.0, 1.0])]))
    changed = prefer_newest_values(RelevanceQuestion(query), messages, scores, lambda rows: near)
    assert np.argmax(changed) == best
    assert sorted(changed) == sorted(scores)
    assert changed[2] == 0.6  # another subject


def test_where_advice_is_asked_for_the_words_beside_count_in_long_sittings_only() -> None:
    said = ["I walk in hills on weekends.", "Sure.", "I like tea.", "Sure."]
    asked, plain = "Can you recommend hills for weekends?", "Which hills were named for weekends?"
    beside = [
        compute_relevance(query, heard(*said, *["So it is.", "Sure."] * more))[2]
        for query in (asked, plain)
        for more in (0, 20)
    ]
    assert beside[0] < beside[1]
    assert beside[2] > beside[0]


def test_it_is_sure_of_what_was_talked_about_and_what_people_tell_of_themselves() -> None:
    messages = of_sessions(["I pay rent of 900 a month."], ["I bake bread."])
    sure = [
        Comparison(query, messages, np.array(cosines))
        for query, cosines in (
            ("What rent do I pay?", [0.8, 0.1]),
            ("What was discussed about the reasons for the rent?", [0.8, 0.1]),
            ("What colour is the bicycle?", [0.1, 0.2]),
        )
    ]
    known, detail, unknown = (compute_confidence(each, each.scores()) for each in sure)
    assert 1 >= known > 0.5 > detail > unknown >= 0
    assert compute_confidence(Comparison("Why?", Messages.build([])), np.zeros(0)) == 0


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
    messages = Messages.build(
        [Message(at, Side.QUESTION, "Something.", day) for at, day in enumerate(moments, start=1)]
    )
    assert best(query, messages) == row // 2


def test_who_is_named_is_the_speaker() -> None:
    messages = heard(
        "Ann: I love herons.", "Bob: I love herons.", "Ann: It rains.", "Bob: It does rain."
    )
    assert find_named_speakers("What does Bob love?", messages) == ["bob"]
    assert best("What does Bob love?", messages) == 1
    assert best("What does Ann love?", messages) == 0
    assert drop_names("What is Bob's bird?", ["bob"]) == "What is bird?"


def test_speakers_with_two_names_are_known_by_the_first() -> None:
    messages = heard("Ann Hill: I love herons.", "José Ruiz: I love herons.")
    assert find_named_speakers("What does Jose love?", messages) == ["jose"]
    assert best("What does José love?", messages) == 1


def test_what_opens_a_sitting_weighs_a_little_more() -> None:
    scores = compute_relevance("?", heard("The heron.", "The heron.", "The heron.", "The heron."))
    assert scores[0] > scores[1]


def test_a_word_before_a_colon_is_nobody_where_most_messages_have_none() -> None:
    messages = heard("Note: it rains.", *TALK[1:])
    assert find_named_speakers("Which note?", messages) == []


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
    assert split_speaker(text) == (name, said or text)


@given(
    st.text(max_size=80),
    st.lists(st.text(max_size=80), max_size=9),
    st.lists(st.floats(-1, 1) | st.just(np.nan), min_size=9, max_size=9),
)
def test_relevance_lies_between_0_and_1(query: str, texts: list[str], cosines: list[float]) -> None:
    messages = heard(*texts)
    for known in (None, np.array(cosines[: len(texts)])):
        scores = compute_relevance(query, messages, known)
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
