"""Recall: which of a session's stored turns a question brings back."""

import pytest
from django.conf import LazySettings

from memory.conversations.asking import create_session
from memory.jobs.queue import run_due
from memory.models import Session, User
from memory.models.conversations import Strategy
from memory.recall import Recalled, Stored, recall
from memory.recall.budget import compute_history_limit, scale_limits
from memory.recall.index.indexing import embed_missing
from memory.recall.rewriting.exchanges import Rewrite
from memory.text.embedding import Embedded, get_embedder
from tests.pages.conversations import turn_of

pytestmark = pytest.mark.django_db

SAID = {
    1: ("Which agreements do we have?", "A lease and a sale."),
    7: ("What does the heron eat?", "It eats fish, frogs and small eels."),
    8: ("And how does it hunt them?", "It waits without moving, then strikes."),
}
FILLER = ("What does clause {} say about rent?", "Clause {} says that rent is due on day {}.")
TURNS = 30
QUESTION = "Does the heron hunt frogs and eels too?"


@pytest.fixture(params=["e5", "minilm", "none"])
def session(request: pytest.FixtureRequest, owner: User, settings: LazySettings) -> Session:
    settings.EMBEDDING = request.param
    session = create_session(owner)
    for position in range(1, TURNS + 1):
        query, response = SAID.get(position, tuple(text.format(*[position] * 2) for text in FILLER))
        turn_of(session, query=query, response=response, recalled_tokens=12)
    embed_missing()
    run_due()
    return session


def recalled(session: Session, strategy: Strategy, question: str = QUESTION) -> Recalled:
    session.strategy = strategy
    limits = scale_limits(4096)
    allowance = compute_history_limit(limits, system=200, question=20)
    return recall(
        Stored(session, TURNS + 1),
        question,
        limits=limits,
        allowance=allowance,
        standalone=Rewrite(question, "given"),
    )


def on_the_topic() -> set[int]:
    """The turns that should come back; without vectors, only the one with the question's words."""
    return {7, 8} if get_embedder() else {7}


def test_sequential_brings_back_the_newest_and_the_first(session: Session) -> None:
    assert recalled(session, Strategy.SEQUENTIAL).order == (30, 1, *range(29, 20, -1))


def test_relevance_brings_back_what_the_question_is_about_and_what_stood_beside_it(
    session: Session,
) -> None:
    order = recalled(session, Strategy.RELEVANCE).order
    assert order[:2] == (30, 1)
    assert on_the_topic() <= set(order[2:4])


def test_hybrid_brings_back_the_last_three_and_then_the_most_relevant(session: Session) -> None:
    order = recalled(session, Strategy.HYBRID).order
    assert order[:4] == (30, 1, 29, 28)
    assert on_the_topic() <= set(order[4:6])
    assert len(set(order)) == len(order) <= 10


def test_where_nothing_is_relevant_nothing_is_brought_back_for_it(session: Session) -> None:
    question = "Who won the Olympic marathon in Helsinki?"
    assert recalled(session, Strategy.RELEVANCE, question).order == (30, 1)


def test_a_higher_minimum_wants_less(session: Session, settings: LazySettings) -> None:
    settings.MIN_RELEVANCE_SCORE = 1.0
    assert recalled(session, Strategy.RELEVANCE).order == (30, 1)


def test_scores_are_those_of_turns_before_the_question(session: Session) -> None:
    assert set(Stored(session, 8).scores(Embedded(QUESTION))) == {7}


def test_the_blocks_are_read_once_however_many_turns_there_are(
    session: Session, django_assert_num_queries: object
) -> None:
    past = Stored(session, TURNS + 1)
    with django_assert_num_queries(1):  # type: ignore[operator]
        past.scores(Embedded(QUESTION))  # words, and vectors
