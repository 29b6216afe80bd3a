"""Recall of earlier sessions: with consent, for questions that ask for it, and shown."""

from typing import Any

import pytest

from chat.models import ContextEarlier
from memory.conversations.asking import create_session
from memory.conversations.editing import change
from memory.forgetting.deletion import erase_session
from memory.jobs.queue import run_due
from memory.models import Consent, Purpose, Session, Turn, User
from memory.models.conversations import Reach
from memory.personal_data import consent
from memory.recall.earlier.calling import asks_what_was_said, calls_for_earlier
from tests.chat.remembered import said
from tests.model_server import ModelServer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("library")]

ASKED = "What is the Determination Date?"
AGAIN = "What did we discuss last week about the Determination Date?"


@pytest.fixture
def first(consenting: User) -> Session:
    """A session in which one question was answered."""
    session = create_session(consenting)
    said(session, ASKED)
    run_due()
    return session


def recalled(turn: Turn) -> set[object]:
    return {row.turn.session_id for row in ContextEarlier.objects.filter(answer=turn)}


def test_what_was_said_is_told_with_its_day_and_shown(first: Session, consenting: User) -> None:
    turn = said(create_session(consenting), AGAIN)
    assert turn.outcome == "about_conversation"
    assert f"“{ASKED}”" in turn.response
    assert "In your conversation of" in turn.response
    assert recalled(turn) == {first.pk}
    record = turn.context_records.get()
    assert record.earlier_confidence
    assert 0 < record.earlier_confidence <= 1


def test_a_model_reads_it_as_data_behind_its_day(
    first: Session, consenting: User, model_server: ModelServer, settings: Any
) -> None:
    settings.LLM_BASE_URL, settings.LLM_MODEL = model_server.base_url, "test-model"
    model_server.reply("It is the fifteenth day of the month [1].")
    turn = said(
        create_session(consenting), "Who computes the Determination Date we talked about before?"
    )
    last = model_server.last_request["messages"][-1]["content"]
    assert "<other conversations with this user>" in last
    assert ASKED in last
    assert recalled(turn) == {first.pk}


def test_without_consent_nothing_is_recalled_from_the_moment_of_its_withdrawal(
    first: Session, consenting: User
) -> None:
    session = create_session(consenting)
    assert recalled(said(session, AGAIN))
    consent.decide(consenting, {Purpose.RECALL: False}, source=Consent.Source.API)
    turn = said(session, AGAIN)
    assert not recalled(turn)
    assert ASKED not in turn.response
    assert turn.context_records.get().earlier_confidence is None


@pytest.mark.parametrize("how", ["archived", "own", "erased", "temporary asks", "own asks"])
def test_what_is_kept_apart_is_never_recalled(first: Session, consenting: User, how: str) -> None:
    asking: dict[str, Any] = {}
    if how == "archived":
        change(first, archived=True)
    elif how == "own":
        change(first, reach=Reach.SESSION)
    elif how == "erased":
        erase_session(first, actor=consenting)
    else:
        asking = {"temporary": True} if how == "temporary asks" else {"reach": Reach.SESSION}
    turn = said(create_session(consenting, **asking), AGAIN)
    assert not recalled(turn)
    assert f"“{ASKED}”" not in turn.response


def test_the_reach_of_documents_takes_sessions_that_cite_the_same(
    first: Session, consenting: User
) -> None:
    session = create_session(consenting, reach=Reach.DOCUMENTS)
    assert not recalled(said(session, AGAIN))  # it is on no document yet
    said(session, ASKED)
    assert recalled(said(session, AGAIN)) == {first.pk}


def test_deleting_a_session_takes_its_turns_out_of_the_records_of_others(
    first: Session, consenting: User
) -> None:
    turn = said(create_session(consenting), AGAIN)
    assert recalled(turn)
    erase_session(first, actor=consenting)
    assert not recalled(turn)


POINTS = "Who computes the date we talked about last week?"


def test_what_is_pointed_at_in_an_earlier_session_is_searched_with(
    first: Session, consenting: User
) -> None:
    turn = said(create_session(consenting), POINTS)
    assert turn.rewrite_reason == "earlier_session"
    assert turn.standalone_query
    assert "Determination" in turn.standalone_query
    assert "last week" not in turn.standalone_query
    assert recalled(turn) == {first.pk}
    assert turn.outcome == "answered"


def test_without_consent_what_is_pointed_at_elsewhere_is_not_searched_with(
    first: Session, consenting: User
) -> None:
    consent.decide(consenting, {Purpose.RECALL: False}, source=Consent.Source.API)
    turn = said(create_session(consenting), POINTS)
    assert turn.rewrite_reason != "earlier_session"
    assert "Determination" not in (turn.standalone_query or "")


def test_how_it_was_searched_for_goes_with_the_session_that_it_was_made_of(
    first: Session, consenting: User
) -> None:
    turn = said(create_session(consenting), POINTS)
    erase_session(first, actor=consenting)
    turn.refresh_from_db()
    assert turn.query == POINTS
    assert turn.standalone_query is None
    assert not turn.rewrite_reason
    assert turn.response == ""


@pytest.mark.parametrize(
    ("question", "calls", "asks"),
    [
        ("What are the cardiac effects mentioned earlier?", True, False),
        ("As we discussed last week, which fee applies?", True, False),
        ("what did i tell you about my budget", True, True),
        ("Do you remember what we said about the pump?", True, True),
        ("In our previous conversation you explained the fee. What was it?", True, False),
        ("¿Qué te dije sobre el presupuesto?", True, True),
        ("Wie letzte Woche besprochen, wer unterschreibt?", True, False),
        ("Was habe ich dir über meine Miete gesagt?", True, True),
        ("Sind die vorhin erwähnten Wirkungen umkehrbar?", True, False),
        ("Worüber haben wir in unserem letzten Gespräch geredet?", True, True),
        ("Weißt du noch, welche Pumpe es war?", True, False),
        ("Wer hat den Vertrag letzte Woche unterschrieben?", False, False),
        ("Was wurde in der letzten Sitzung besprochen?", False, False),
        ("Welche früheren Fassungen gibt es?", False, False),
        ("Wann habe ich Anspruch auf Urlaub?", False, False),
        ("What is the Determination Date?", False, False),
        ("What happened last week at the plant?", False, False),
        ("Which earlier version of the agreement applies?", False, False),
        ("What did the author say about the pump?", False, False),
        ("Was the fee discussed in the report?", False, False),
    ],
)
def test_a_question_says_whether_it_points_at_what_was_said(
    question: str, calls: bool, asks: bool
) -> None:
    assert (calls_for_earlier(question), asks_what_was_said(question)) == (calls, asks)
