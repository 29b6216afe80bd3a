"""The topic of a question: the newest, a new one, or one that was left before."""

from collections.abc import Collection, Mapping

import numpy as np
import pytest

from memory.recall.rewriting.exchanges import Exchange
from memory.recall.rewriting.questions import ReadQuestion
from memory.recall.topics import Topic, find_topic
from memory.text.embedding import Embedded, Vectors, embed_message

DATES = Exchange(
    "What is the Determination Date?",
    "It is the fifteenth day of each calendar month, when the Servicer calculates the payments.",
    position=1,
)
GENES = Exchange(
    "Which gene mutations cause breast cancer?",
    "Mutations of BRCA1 and BRCA2 cause hereditary breast cancer.",
    position=2,
)


Pair = tuple[Vectors | None, Vectors | None]


class Told:
    """Exchanges with the positions where their topics began, and real vectors of all of them."""

    def __init__(self, *told: tuple[Exchange, int], pair: Pair | None = None) -> None:
        self.exchanges = {exchange.position: exchange for exchange, _ in told}
        self.newest_topics = self.topics = {each.position: begun for each, begun in told}
        self.pair = pair

    def read(self, positions: Collection[int]) -> Mapping[int, Exchange]:
        assert not positions, "all are known"
        return {}

    def vectors(self, positions: Collection[int]) -> Mapping[int, Pair]:
        return {at: self.pair or self._real(self.exchanges[at]) for at in positions}

    def _real(self, exchange: Exchange) -> Pair:
        return embed_message(exchange.query), embed_message(exchange.response)


def about(question: str, *told: tuple[Exchange, int]) -> Topic:
    """Return the question's topic, with the real vectors of all that was said."""
    return find_topic(ReadQuestion(question), Told(*told), asked=Embedded(question))


def test_a_question_far_from_what_was_said_begins_a_new_topic() -> None:
    topic = about(GENES.query, (DATES, 1))
    assert topic.is_new
    assert topic.exchanges == ()


@pytest.mark.parametrize(
    "question",
    [
        "When does the Servicer calculate the monthly payments?",
        "And what happens if it falls on a weekend?",
        "Who calculates them?",
        "why?",
        "?",
        "and then",
    ],
)
def test_a_question_that_goes_on_keeps_the_topic(question: str) -> None:
    topic = about(question, (DATES, 1))
    assert (topic.begun, topic.is_resumed, topic.exchanges) == (1, False, (DATES,))


def test_the_first_question_has_nothing_before_it() -> None:
    assert about(GENES.query).is_new


def test_only_the_exchanges_of_the_newest_topic_are_its_own() -> None:
    topic = about("Which drugs are given for it?", (DATES, 1), (GENES, 2))
    assert (topic.begun, topic.exchanges) == (2, (GENES,))


def test_a_question_that_names_an_earlier_topic_comes_back_to_it() -> None:
    topic = about("When is the Determination Date of a month?", (DATES, 1), (GENES, 2))
    assert (topic.begun, topic.is_resumed, topic.exchanges) == (1, True, (DATES,))


def test_without_vectors_words_decide_and_have_to_be_surer() -> None:
    def by_words(question: str) -> Topic:
        return find_topic(ReadQuestion(question), Told((DATES, 1)))

    assert by_words("How do herons catch fish in winter?").is_new
    assert not by_words("Which payments are made each month?").is_new


def test_vectors_of_another_engine_are_no_vectors() -> None:
    other = np.ones(4, np.float32)
    told = Told((DATES, 1), pair=(other, other))
    question = "Which payments are made each month?"
    assert not find_topic(ReadQuestion(question), told, asked=Embedded(question)).is_new
