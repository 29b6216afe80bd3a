"""Questions about a document as a whole are answered from its profile, others never are."""

import pytest

from chat.turns.pipeline import answer_now, take_turn
from citations.models import Document
from memory.conversations.asking import Question, create_session
from memory.models import Turn, User
from tests.chat.extractive.material import HANDBOOK, OTHER, add, asked

pytestmark = pytest.mark.django_db

ABOUT = "This handbook describes how boats enter, stay in and leave the harbour of Brightsea."


@pytest.fixture(autouse=True)
def handbook(db: None) -> Document:
    add(OTHER, name="guide.md")
    return add(HANDBOOK, name="harbour.md")


def asked_of(owner: User, document: Document, question: str) -> Turn:
    """Ask in a conversation that is limited to the document."""
    begun = take_turn(create_session(owner), Question(question), documents=[document.pk])
    assert begun.attempt
    return answer_now(begun.attempt)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the Harbour Handbook about?", ABOUT),
        ("Summarize the harbour handbook", ABOUT),
        ("¿De qué trata el Harbour Handbook?", ABOUT),
        ("Who wrote the Harbour Handbook?", "**Ines Calder, Tom Okafor**"),
        ("¿Quién escribió el Harbour Handbook?", "**Ines Calder, Tom Okafor**"),
        ("When was the Harbour Handbook published?", "dated **2024**"),
        ("¿Cuándo se publicó el Harbour Handbook?", "lleva fecha: **2024**"),
        ("List the sections of the Harbour Handbook", "- Berths\n- Fees\n- People"),
        ("¿Qué secciones tiene el Harbour Handbook?", "- Berths\n- Fees\n- People"),
    ],
)
def test_it_answers_from_the_profile_and_cites_the_document(
    owner: User, question: str, answer: str
) -> None:
    turn = asked(owner, question)
    assert answer in turn.response
    assert (turn.outcome, turn.answerability) == (Turn.Outcome.ANSWERED, 1.0)
    cited = {each.passage.document.title for each in turn.citations.select_related("passage")}
    assert cited == {"Harbour Handbook"}
    assert turn.response.split("\n")[0].endswith("[1]")


@pytest.mark.parametrize("question", ["What is this document about?", "What is it about?"])
def test_this_document_is_the_only_one_asked_or_the_one_cited_last(
    owner: User, handbook: Document, question: str
) -> None:
    assert ABOUT in asked_of(owner, handbook, question).response
    assert ABOUT in asked(owner, "Who is the harbour master?", question).response


def test_pages_are_counted_where_there_are_any(owner: User, handbook: Document) -> None:
    Document.objects.filter(pk=handbook.pk).update(page_count=12)
    turn = asked(owner, "How many pages does the Harbour Handbook have?")
    assert "has **12 pages**" in turn.response


@pytest.mark.parametrize(
    "question",
    ["What is a berth about to be called?", "Who wrote the letter?", "How long is a big boat?"],
)
def test_other_questions_are_searched_for(owner: User, question: str) -> None:
    turn = asked(owner, question)
    assert turn.answerability != 1.0
