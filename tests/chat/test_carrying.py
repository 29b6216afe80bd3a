"""Asking for more: the sources of the answer before come first, with what they left unsaid."""

import pytest

from chat.models import ContextPassage
from chat.turns.pipeline import answer_now, take_turn
from memory.conversations.asking import Question, create_session
from memory.jobs.queue import run_due
from memory.models import Session, Turn, User

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("library")]


@pytest.fixture
def session(owner: User) -> Session:
    return create_session(owner)


def turn_of(session: Session, text: str) -> Turn:
    asked = take_turn(session, Question(text))
    assert asked.attempt
    return answer_now(asked.attempt)


def passages(turn: Turn) -> list[ContextPassage]:
    rows = ContextPassage.objects.filter(record__turn=turn).select_related("passage")
    return list(rows.order_by("rank"))


def test_more_comes_from_the_sources_of_the_answer_before(session: Session) -> None:
    first = turn_of(session, "Which drugs target PIK3CA?")
    sources = {citation.source.document_id for citation in first.citations.all()}
    quoted = {citation.passage_id for citation in first.citations.all()}
    found = passages(turn_of(session, "Show me more"))
    carried = [row for row in found if row.carried_over]
    assert carried
    assert found[: len(carried)] == carried
    assert {row.passage.document_id for row in carried} <= sources
    assert found[0].passage_id not in quoted
    said = [row.passage_id in quoted for row in carried]
    assert said == sorted(said)  # what was quoted already comes last


def test_another_question_carries_nothing_over(session: Session) -> None:
    turn_of(session, "Which drugs target PIK3CA?")
    found = passages(turn_of(session, "Which drugs are approved for breast cancer?"))
    assert not any(row.carried_over for row in found)


def test_a_new_topic_is_noted_and_moves_nothing(session: Session) -> None:
    turn_of(session, "Which drugs target PIK3CA?")
    run_due()  # its vectors are stored
    turn = turn_of(session, "On which day does the Servicer calculate the monthly payments?")
    assert turn.new_topic
    assert turn.standalone_query == turn.query
    assert {row.bias for row in passages(turn)} == {1.0}
    again = turn_of(session, "And what happens if it falls on a weekend?")
    assert not again.new_topic
    assert "PIK3CA" not in again.standalone_query
    biased = {row.passage.document_id for row in passages(again) if row.bias > 1}
    assert biased == {citation.source.document_id for citation in turn.citations.all()}
