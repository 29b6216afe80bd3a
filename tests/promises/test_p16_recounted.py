"""P16: with a turn go the answers of its own conversation that tell what was said in it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from chat.models import ContextRecord
from chat.turns.pipeline import answer_now
from citations.deletion import delete_document
from citations.models import Document
from memory.conversations.asking import retry
from memory.forgetting.answers import count_derived_answers, delete_answers
from memory.forgetting.deletion import erase_turn
from memory.forgetting.retention.trimming import trim
from memory.models import AuditEvent, Session, Turn, User
from memory.models.turns import SOURCE_GONE
from tests.chat.remembered import said
from tests.citations.documents import add
from tests.memory.summaries.told import condensed, told
from tests.model_server import ModelServer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("library")]

SECRET = "What is the Determination Date of Zanzibar?"
# Requests to recount earlier turns; each answer must leave out the fourth.
RECOUNTS = [
    "What did I ask first?",
    "List my questions so far",
    "Summarise our conversation",
    "What did I ask about Zanzibar?",
    "Remind me what you told me about Zanzibar",
]


def withdrawn(turn: Turn) -> bool:
    turn.refresh_from_db()
    assert turn.query
    return (turn.status, turn.failure, turn.response) == ("failed", SOURCE_GONE, "")


def trimmed(turn: Turn) -> None:
    trim(turn.session_id, keep=turn.session.turns.count() - 1)


WAYS: dict[str, Callable[[Turn], object]] = {
    "erased": lambda turn: erase_turn(turn, actor=turn.owner),
    "withdrawn with its document": lambda turn: delete_answers(turn.session_id, [turn.pk]),
    "trimmed": trimmed,
}


@pytest.fixture
def first(session: Session) -> Turn:
    turn = said(session, SECRET)
    said(session, "Which drugs target PIK3CA?")
    return turn


@pytest.mark.parametrize(
    ("question", "way"),
    [
        *((question, "erased") for question in RECOUNTS),
        *((RECOUNTS[1], way) for way in list(WAYS)[1:]),
    ],
)
def test_p16_an_answer_that_tells_what_was_said_goes_with_it(
    first: Turn, session: Session, question: str, way: str
) -> None:
    telling = said(session, question)
    assert "Zanzibar" in telling.response
    WAYS[way](first)
    assert withdrawn(telling)
    assert AuditEvent.objects.filter(action="answer.withdrawn", subject_id=telling.pk).exists()


def test_p16_what_tells_of_what_tells_of_it_goes_too(first: Turn, session: Session) -> None:
    shorter = said(session, "What is the Determination Date?"), said(session, "In one sentence")
    assert shorter[1].response
    assert ContextRecord.objects.get(turn=shorter[1]).told == [{"first": 3, "last": 3}]
    assert count_derived_answers(Turn.objects.filter(pk=shorter[0].pk)) == 1
    erase_turn(shorter[0], actor=first.owner)
    assert withdrawn(shorter[1])


def test_p16_a_summary_of_summaries_goes_with_any_turn_that_they_cover(owner: User) -> None:
    session = told(owner, 33)
    condensed(session)
    telling = said(session, "Summarise our conversation")
    record = ContextRecord.objects.get(turn=telling)
    assert record.told
    assert record.told[0] == {"first": 1, "last": 25}
    erase_turn(session.turns.get(position=7), actor=owner)
    assert withdrawn(telling)


@pytest.mark.parametrize(
    ("restates", "answer"),
    [
        (True, "For your flat in Zanzibar, it is the Determination Date. [1]"),
        (True, "As your deposit of 4,350 shillings falls due, it is that date. [1]"),
        (True, "It is that date, mould in the cellar or none. [1]"),
        (False, "It is the Determination Date. [1]"),
        (False, "It is the day on which the committee decides. [1]"),
    ],
)
def test_p16_a_models_answer_that_cites_a_document_may_restate_a_turn_too(
    session: Session, model_server: ModelServer, settings: Any, *, restates: bool, answer: str
) -> None:
    told = "I rent a flat in Zanzibar for 4350 shillings, there is mould in the cellar."
    first = said(session, f"{told} What is a Business Day?")
    settings.LLM_BASE_URL, settings.LLM_MODEL = model_server.base_url, "test-model"
    model_server.reply(answer)
    model = said(session, "What is the Determination Date?")
    assert model.citations.exists()
    record = ContextRecord.objects.get(turn=model)
    assert record.told == ([{"first": 1, "last": 1}] if restates else [])
    assert count_derived_answers(Turn.objects.filter(pk=first.pk)) == restates
    erase_turn(first, actor=first.owner)
    assert withdrawn(model) == restates


def test_p16_it_is_told_before_how_many_answers_go(
    first: Turn, session: Session, client: Client
) -> None:
    client.force_login(first.owner)
    for question in RECOUNTS[:2]:
        said(session, question)
    page = client.get(reverse("chat:delete_turn", args=[session.pk, first.pk])).content.decode()
    assert "2 other answers use this text and are deleted with it" in page
    last = session.turns.order_by("position").last()
    assert last
    page = client.get(reverse("chat:delete_turn", args=[session.pk, last.pk])).content.decode()
    assert "The other questions and answers stay as they are" in page


TITLE = "Zanzibar"
SOURCES, LIBRARY = "List all sources used so far", "Which documents do you have?"
FEE = "The Zanzibar clause sets the termination fee at 4711 guilders."


@pytest.fixture
def private(session: Session) -> tuple[Document, Turn]:
    """A document of the person's own that an answer cites, and one that cites another."""
    document = add(FEE, session.owner, title=TITLE)
    citing = said(session, "What termination fee does the Zanzibar clause set?")
    assert "4711" in citing.response
    said(session, "What is a Business Day?")
    return document, citing


@pytest.mark.parametrize("question", [SOURCES, LIBRARY])
def test_p16_with_a_document_goes_the_answer_that_names_it(
    private: tuple[Document, Turn], session: Session, question: str
) -> None:
    telling = said(session, question)
    assert TITLE in telling.response
    delete_document(private[0], actor=session.owner)
    telling.refresh_from_db()
    assert (telling.status, telling.response) == ("failed", "")
    again = answer_now(retry(telling))
    assert (again.status, TITLE in again.response) == ("complete", False)
