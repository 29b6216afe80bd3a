"""Asking for more: the sources of the answer before come first, with what they left unsaid."""

import pytest

from chat.models import ContextPassage
from chat.shapes.resources.turns import TurnAnswer, load_citations, turn_shape
from memory.jobs.queue import run_due
from memory.models import Session, Turn
from tests.chat.remembered import said

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("library")]


def passages(turn: Turn) -> list[ContextPassage]:
    rows = ContextPassage.objects.filter(record__turn=turn).select_related("passage")
    return list(rows.order_by("rank"))


def api_shape(session: Session) -> TurnAnswer:
    """Return the newest turn as the API shows it."""
    return turn_shape(load_citations(session.turns.order_by("-position"))[0])


def test_more_comes_from_the_sources_of_the_answer_before(session: Session) -> None:
    first = said(session, "Which drugs target PIK3CA?")
    sources = {citation.source.document_id for citation in first.citations.all()}
    quoted = {citation.passage_id for citation in first.citations.all()}
    found = passages(said(session, "Show me more"))
    carried = [row for row in found if row.carried_over]
    assert carried
    assert found[: len(carried)] == carried
    assert {row.passage.document_id for row in carried} <= sources
    assert found[0].passage_id not in quoted
    again = api_shape(session)
    from_turns = {row["number"]: row["carried_over_from"] for row in again["sources"]}
    earlier = {citation.source.number for citation in first.citations.all()}
    assert from_turns == {number: 1 if number in earlier else None for number in from_turns}
    assert 1 in from_turns.values()
    known = [row.passage_id in quoted for row in carried]
    assert known == sorted(known)  # what was quoted already comes last


def test_another_question_carries_nothing_over(session: Session) -> None:
    said(session, "Which drugs target PIK3CA?")
    found = passages(said(session, "Which drugs are approved for breast cancer?"))
    assert {row["carried_over_from"] for row in api_shape(session)["sources"]} == {None}
    assert not any(row.carried_over for row in found)


def test_a_new_topic_is_noted_and_moves_nothing(session: Session) -> None:
    said(session, "Which drugs target PIK3CA?")
    run_due()  # its vectors are stored
    turn = said(session, "On which day does the Servicer calculate the monthly payments?")
    assert turn.new_topic
    assert turn.standalone_query == turn.query
    assert {row.bias for row in passages(turn)} == {1.0}
    again = said(session, "And what happens if it falls on a weekend?")
    assert not again.new_topic
    assert "PIK3CA" not in again.standalone_query
    biased = {row.passage.document_id for row in passages(again) if row.bias > 1}
    assert biased == {citation.source.document_id for citation in turn.citations.all()}
