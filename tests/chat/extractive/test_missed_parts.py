"""Answers from documents with unread parts: their text and their confidence."""

import pytest
from django.test import Client

from chat.shapes.missed import list_missed
from chat.templatetags.library import is_partly_read
from citations.formats.parts import PartKind
from citations.library import unread_sentences
from citations.models import Document
from citations.session_focus.unread_parts import find_named_kinds
from memory.models import Turn, User
from tests.api.conftest import Api
from tests.chat.extractive.material import HANDBOOK, add, asked
from tests.model_server import ModelServer
from tests.pages.conversations import page, text

Outcome = Turn.Outcome
WHO = "Who is the harbour master?"
COMMENT = "What does the comment say about the harbour master?"
UNREAD = [["comment", 3, "unsupported", []], ["page", 1, "no_text", [7]], ["chart", 2, None, []]]
SAID = "“Harbour Handbook”: 3 comments were not read: of a kind that can’t be read."


@pytest.fixture
def handbook(db: None) -> Document:
    document = add(HANDBOOK)
    document.parts = UNREAD
    document.save(update_fields=["parts"])
    return document


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("What does the comment say?", {PartKind.COMMENT}),
        ("was steht in der fusszeile", {PartKind.HEADER}),
        ("¿Qué dice el pie de página?", {PartKind.HEADER}),
        ("que dit la note de bas de page ?", {PartKind.NOTE}),
        ("what's in the chart", {PartKind.CHART, PartKind.IMAGE}),
        ("Welche Anhänge hat die Mail?", {PartKind.ATTACHMENT}),
        ("Wie viele Kunden sind es insgesamt?", {PartKind.ROW, PartKind.FORMULA}),
        ("What does a commentator earn?", set()),
    ],
)
def test_a_question_names_kinds_of_parts_in_any_language(
    question: str, kinds: set[PartKind]
) -> None:
    assert find_named_kinds(question) >= kinds
    assert kinds or not find_named_kinds(question)


@pytest.mark.parametrize(
    ("question", "is_sure"),
    [
        (WHO, True),
        (COMMENT, False),
        ("Who is the harbour master on page 7?", False),
        ("Who is the harbour master on page 3?", True),
        ("Who is the harbour master in the chart?", True),
    ],
)
def test_an_answer_is_not_sure_where_the_question_names_what_was_not_read(
    owner: User, handbook: Document, question: str, is_sure: bool
) -> None:
    before = asked(owner, question).outcome == Outcome.ANSWERED
    handbook.parts = []
    handbook.save(update_fields=["parts"])
    assert asked(owner, question).outcome == Outcome.ANSWERED
    assert before == is_sure


@pytest.mark.usefixtures("handbook")
def test_an_answer_says_what_was_not_read_in_the_api_and_on_the_page(
    owner: User, client: Client
) -> None:
    client.force_login(owner)
    for question, said in ((COMMENT, [SAID]), (WHO, [])):
        turn = asked(owner, question)
        shown = Api(owner).get(f"/sessions/{turn.session_id}/turns/{turn.pk}").json()
        assert shown["unread"] == said
        conversation = text(client.get(page("conversation", turn.session_id)))
        assert (SAID in conversation) == bool(said)


def test_an_answer_that_is_not_stored_names_the_parts_of_the_documents_that_it_is_limited_to(
    owner: User, handbook: Document
) -> None:
    for limit, said in ((frozenset({handbook.pk}), [SAID]), (None, [])):
        assert list_missed(Turn(query=COMMENT, owner=owner), [], limit) == said


@pytest.mark.parametrize(
    ("part", "is_partly"),
    [(["image", 2, "no_text", []], False), (["chart", 1, "unsupported", []], True)],
)
def test_pictures_alone_are_listed_without_a_mark(
    handbook: Document, part: list[object], is_partly: bool
) -> None:
    handbook.parts = [part]
    assert is_partly_read(handbook) == is_partly
    assert len(unread_sentences(handbook)) == 1


@pytest.mark.usefixtures("handbook")
def test_a_model_is_told_what_was_not_read_and_its_answer_is_not_sure(
    owner: User, model: ModelServer
) -> None:
    model.reply("It is Marta Lindqvist [1].")
    assert asked(owner, COMMENT).outcome == Outcome.UNSURE
    told = model.requests[0]["messages"][-1]["content"]
    assert "Not read of this document: page (1), comment (3)." in told
