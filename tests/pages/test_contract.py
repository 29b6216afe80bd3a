"""Poor answers on the page: their notices, and the offered actions."""

from typing import Any

import pytest
from django.test import Client

from memory.conversations.asking import Question, ask, create_session
from memory.conversations.attempts import Ending, end_alone
from memory.models import Attempt, Session, Turn, User
from tests.api.conftest import Api
from tests.pages.conversations import page, text, turn_of

pytestmark = pytest.mark.django_db

THOUGHT = "First I look at <b>section</b> two [1]."


@pytest.fixture
def session(owner: User, client: Client) -> Session:
    client.force_login(owner)
    return create_session(owner)


def ended(session: Session, **how: Any) -> Turn:
    turn = ask(session, Question("When is it?")).turn
    end_alone(Attempt.objects.get(turn=turn), Ending(**{"status": "complete", "text": ""} | how))
    turn.refresh_from_db()
    return turn


@pytest.mark.parametrize("outcome", Turn.Outcome.mendable())
def test_a_poor_answer_can_be_tried_again(client: Client, session: Session, outcome: str) -> None:
    turn = turn_of(session, outcome=outcome)
    shown = text(client.get(page("conversation", session.pk)))
    assert "outcome-notice" in shown
    assert page("retry", session.pk, turn.pk) in shown
    assert (page("continue", session.pk, turn.pk) in shown) == (outcome == "cut")
    response = client.post(page("retry", session.pk, turn.pk))
    assert response.status_code == 303
    assert Attempt.objects.filter(turn=turn).count() == 1


@pytest.mark.parametrize("outcome", ["", "answered", "unsure", "nothing_found", "small_talk"])
def test_any_other_answer_can_not(client: Client, session: Session, outcome: str) -> None:
    turn = turn_of(session, outcome=outcome)
    shown = text(client.get(page("conversation", session.pk)))
    assert page("retry", session.pk, turn.pk) not in shown
    for name in ("retry", "continue"):
        refused = client.post(
            page(name, session.pk, turn.pk), headers={"Accept": "text/event-stream"}
        )
        assert refused.status_code == 409
    assert not Attempt.objects.exists()


def test_an_answer_without_words_keeps_its_outcome(session: Session) -> None:
    turn = ended(session, outcome="empty", model="m")
    assert (turn.status, turn.outcome, turn.response) == ("complete", "empty", "")


def test_that_the_passages_stepped_in_is_said_with_its_reason(
    client: Client, session: Session
) -> None:
    how = {"outcome": "answered", "failure": "model_unreachable"}
    turn = ended(session, text="> It is so.", model="quoting", **how)
    shown = text(client.get(page("conversation", session.pk)))
    assert "be reached. Try again in a moment. These are the passages themselves." in shown
    assert page("retry", session.pk, turn.pk) in shown
    Turn.objects.filter(pk=turn.pk).update(model="m")
    shown = text(client.get(page("conversation", session.pk)))
    assert "The answer from before is kept." in shown


def test_what_the_model_thought_is_folded_and_goes_out_with_the_turn(
    client: Client, owner: User, session: Session
) -> None:
    turn = ended(session, text="It is so.", outcome="answered", reasoning=THOUGHT)
    shown = text(client.get(page("conversation", session.pk)))
    assert "The model’s reasoning</summary>" in shown
    assert "First I look at &lt;b&gt;section&lt;/b&gt; two [1]." in shown
    api = Api(owner)
    assert api.get(f"/sessions/{session.pk}/turns/{turn.pk}").json()["reasoning"] == THOUGHT
    exported = b"".join(api.get(f"/sessions/{session.pk}/export").streaming_content).decode()
    assert "First I look at" in exported
    found = api.get("/search?q=section").json()["results"]
    assert found == []


def test_a_turn_without_thoughts_shows_none(client: Client, owner: User, session: Session) -> None:
    turn = ended(session, text="It is so.", outcome="answered")
    assert "The model’s reasoning" not in text(client.get(page("conversation", session.pk)))
    shape = Api(owner).get(f"/sessions/{session.pk}/turns/{turn.pk}").json()
    assert shape["reasoning"] is None


def test_thoughts_are_sealed_and_no_later_prompt_has_them(session: Session) -> None:
    from chat.turns.pipeline import prepare

    ended(session, text="It is so.", outcome="answered", reasoning=THOUGHT)
    stored = Turn.objects.values_list("reasoning", flat=True).get()
    assert b"section" not in bytes(stored)
    asked = ask(session, Question("And which section is it in?"))
    assert asked.attempt
    said = str(prepare(asked.attempt).prompt.messages)
    assert "It is so." in said
    assert "First I look at" not in said
