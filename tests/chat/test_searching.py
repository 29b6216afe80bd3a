"""A model's rewrite of a question is one more search, which nothing waits for."""

import pytest
from django.conf import LazySettings
from django.db import OperationalError

from chat.turns.grounding.searching import begin_asking
from chat.turns.pipeline import answer_now, take_turn
from memory.conversations.asking import Question, create_session
from memory.models import Session, Turn, User
from memory.recall import Stored, entities, recall
from memory.recall.budget import scale_limits
from tests.citations.documents import add
from tests.model_server import ModelServer

pytestmark = pytest.mark.django_db(transaction=True)

HERONS = "The heron of the western pond stands in the shallow water and eats fish."
FEES = "The harbour master asks 22 euros a night of every boat that lies at a berth."
VAGUE = "What about it then?"


@pytest.fixture
def session(owner: User, model_server: ModelServer, settings: LazySettings) -> Session:
    settings.LLM_BASE_URL, settings.LLM_MODEL = model_server.base_url, "test-model"
    settings.LLM_RETRIES = 0
    add(HERONS)
    add(FEES)
    session = create_session(owner)
    model_server.reply("It eats fish [1].")
    asked(session, "What does the heron of the western pond eat?")
    model_server.reset()
    return session


def asked(session: Session, question: str) -> Turn:
    return answer_now(take_turn(session, Question(question)).attempt)


def rewrites(model_server: ModelServer) -> list[str]:
    """Return the prompts by which the model was asked for a rewrite."""
    alone = [each["messages"][0]["content"] for each in model_server.requests]
    return [text for text in alone if text.startswith("Rewrite the last question")]


def test_a_question_in_doubt_is_asked_about_and_an_echo_changes_nothing(
    session: Session, model_server: ModelServer
) -> None:
    model_server.reply(VAGUE)
    model_server.reply("It stands in the water [1].")
    turn = asked(session, VAGUE)
    assert len(rewrites(model_server)) == 1
    assert turn.rewrite_reason != "rewritten_by_model"


def test_a_late_rewrite_is_not_waited_for(
    session: Session, model_server: ModelServer, settings: LazySettings
) -> None:
    settings.LLM_REWRITE_TIMEOUT = 0.05
    model_server.reply("What about the fee of 22 euros then?", delay=60)
    model_server.reply("It stands in the water [1].")
    turn = asked(session, VAGUE)
    assert turn.status == Turn.Status.COMPLETE
    assert turn.rewrite_reason != "rewritten_by_model"


def test_a_model_that_fails_costs_nothing(session: Session, model_server: ModelServer) -> None:
    model_server.fail(500)
    model_server.reply("It stands in the water [1].")
    assert asked(session, VAGUE).status == Turn.Status.COMPLETE


def test_what_fails_before_the_model_is_asked_takes_no_place_of_others(
    session: Session, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    past, limits = Stored(session, before=2), scale_limits(4_096)
    recalled = recall(past, VAGUE, limits=limits, allowance=limits.history)

    def failing(*args: object) -> None:
        raise OperationalError

    with monkeypatch.context() as patch:
        patch.setattr(entities, "list_known_entities", failing)
        for _ in range(9):
            with pytest.raises(OperationalError):
                begin_asking(recalled, past, "test-model")
    model_server.reply(VAGUE)
    rewrite = begin_asking(recalled, past, "test-model")
    assert rewrite is not None
    told = rewrite.result()
    assert told is not None
    assert told.query == VAGUE


def test_a_question_that_is_clear_is_not_asked_about(
    session: Session, model_server: ModelServer
) -> None:
    model_server.reply("It is 22 euros [1].")
    asked(session, "What does the harbour master ask of every boat at a berth?")
    assert not rewrites(model_server)


def test_a_larger_window_of_a_model_is_filled_from_further_down(session: Session) -> None:
    for number in range(30):
        add(f"Heron {number} of the western pond stands in the shallow water and eats fish. " * 8)
    passages = []
    for window in (2_048, 8_192, 32_768):
        Session.objects.filter(pk=session.pk).update(context_window=window)
        session.refresh_from_db()
        turn = asked(session, "What do the herons of the western pond eat in the shallow water?")
        passages.append(turn.context_records.get().passages.exclude(label=None).count())
    assert passages[0] < passages[1] < passages[2]
