"""Follow-ups by the whole product: the sample library's own ones, and what is wanted of answers."""

import pytest

from chat.models import ContextPassage
from chat.suggestions import SAMPLE_NEXT
from citations.models import Document
from memory.models import Fact, Session, Turn
from tests.chat.remembered import said
from tests.citations.documents import add

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("library")]


def test_the_frontend_one_is_the_frontend_role(session: Session) -> None:
    said(session, "What does the backend role require?")
    chip = SAMPLE_NEXT["Role descriptions: backend engineer and frontend engineer"]
    turn = said(session, chip)
    assert "frontend" in turn.standalone_query
    assert "role" in turn.standalone_query
    assert "TypeScript" in turn.response


def test_what_one_says_of_oneself_is_learned_and_not_searched_for(session: Session) -> None:
    turn = said(session, "hi im Tom and i live in Konstanz, what is the determination date")
    assert turn.standalone_query == "what is the determination date"
    assert turn.outcome == Turn.Outcome.ANSWERED
    told = [fact.text for fact in Fact.objects.visible(session.owner)]
    assert sorted(told) == ["i live in Konstanz", "im Tom"]
    following = said(session, "and what happens if it falls on a weekend?")
    assert "tom" not in str(following.standalone_query).lower()


def test_shorter_is_one_sentence_of_the_answer_before(session: Session) -> None:
    before = said(session, "What does the backend role require?")
    turn = said(session, "in one sentence please")
    quotation = turn.response.replace("**", "").split(" [")[0].removeprefix("> ")
    assert quotation in before.response.replace("**", "")
    assert len(turn.response) < len(before.response)
    assert turn.citations.exists()
    assert said(session, "shorter").outcome == Turn.Outcome.ANSWERED


def test_what_takes_a_language_model_is_said_to(session: Session) -> None:
    said(session, "What is the Determination Date?")
    turn = said(session, "translate that to german")
    assert "language model" in turn.response
    assert turn.outcome == Turn.Outcome.ABOUT_CONVERSATION
    # And the next one leans on the answer before it.
    following = said(session, "And what happens if it falls on a weekend?")
    assert following.standalone_query
    assert "Determination Date" in following.standalone_query


def test_what_an_answer_stands_on_is_told(session: Session) -> None:
    before = said(session, "What is the Determination Date?")
    turn = said(session, "where does it say that?")
    cited = before.citations.first()
    assert cited
    assert cited.passage
    assert cited.passage.document.title in turn.response
    assert turn.outcome == Turn.Outcome.ABOUT_CONVERSATION


def test_the_documents_are_told(session: Session) -> None:
    turn = said(session, "how many documents do you have")
    documents = Document.objects.ready()
    assert turn.response.startswith(str(documents.count()))
    assert all(document.title in turn.response for document in documents)
    assert "(yours)" not in turn.response


def test_which_documents_are_ones_own_is_told(session: Session) -> None:
    add("The slate roof needs a new gutter.", title="Our roof", owner=session.owner)
    turn = said(session, "which documents did i add")
    assert "- Our roof (yours)" in turn.response
    assert turn.response.count("(yours)") == 1


def test_why_reads_what_the_answer_cites_first(session: Session) -> None:
    before = said(session, "Which drug is approved for PIK3CA-mutated breast cancer?")
    turn = said(session, "why?")
    assert turn.standalone_query
    assert turn.standalone_query.endswith("and why?")
    first = ContextPassage.objects.filter(record__turn=turn).order_by("rank").first()
    cited = set(before.citations.values_list("passage_id", flat=True))
    assert first
    assert first.passage_id in cited


def test_this_is_the_one_document_that_is_asked_about(session: Session) -> None:
    documents = Document.objects.ready()
    roles = next(each.pk for each in documents if each.title.startswith("Role descriptions"))
    said(session, "What does the backend role require?", documents=[roles])
    turn = said(session, "what is this about?", documents=[roles])
    assert turn.standalone_query == turn.query
