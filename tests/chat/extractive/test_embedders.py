"""With each embedder and with none: what is held is answered, and what isn't is declined."""

import pytest
from django.conf import LazySettings

from chat.extractive.answerability import SURE
from memory.models import Turn, User
from tests.chat.extractive.material import HANDBOOK, OTHER, add, asked

pytestmark = pytest.mark.django_db

Outcome = Turn.Outcome


@pytest.fixture(params=["e5", "minilm", "none"], autouse=True)
def _embedding(request: pytest.FixtureRequest, settings: LazySettings) -> None:
    settings.EMBEDDING = request.param


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many berths does the harbour have?", "The harbour has 240 berths."),
        ("Who is the harbour master?", "The harbour master is Marta Lindqvist."),
        ("When was the breakwater finished?", "The breakwater was finished on 14 May 1931."),
        ("Which equipment must be on board of every boat?", "a fire extinguisher"),
    ],
)
def test_it_answers(settings: LazySettings, owner: User, question: str, answer: str) -> None:
    add(HANDBOOK)
    add(OTHER, name="guide.md")
    turn = asked(owner, question)
    assert answer in turn.response.replace("**", "")
    assert turn.citations.exists()
    # Words alone are less sure.
    sure = {Outcome.ANSWERED} | ({Outcome.UNSURE} if settings.EMBEDDING == "none" else set())
    assert turn.outcome in sure


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    "question",
    [
        "How do I bake sourdough bread?",
        "Who won the 1998 world cup?",
        "What is the capital of Mongolia?",
        "Tell me about garage doors",
    ],
)
def test_a_question_about_something_else_is_never_answered_as_if_it_were_held(
    owner: User, question: str
) -> None:
    turn = asked(owner, question)
    assert turn.outcome in (Outcome.NOTHING_FOUND, Outcome.UNSURE)
    assert turn.answerability < SURE


def test_vectors_that_an_embedder_has_left_behind_count_for_nothing_without_one(
    owner: User, settings: LazySettings
) -> None:
    settings.EMBEDDING = "e5"
    add(HANDBOOK)
    settings.EMBEDDING = "none"
    turn = asked(owner, "How do I repair the gearbox of a tractor?")
    assert turn.outcome != Outcome.ANSWERED
    rows = turn.context_records.get().passages.all()
    assert all(row.vector_score is None for row in rows)
