"""Asking on the pages: by form, by script, and what is refused."""

import html
import json

import pytest
from django.conf import LazySettings, settings
from django.test import Client
from django.utils import timezone

from chat.forms.conversations import QuestionForm
from chat.turns import pipeline
from chat.turns.admission import Admission
from memory.models import Session, Turn, User
from tests.pages.conversations import QUESTION, STREAM, page, text, turn_of

FOLLOW_UP = "And what happens if it falls on a weekend?"


def test_the_first_question_begins_a_conversation(client: Client, owner: User) -> None:
    response = client.post(page("start"), {"query": QUESTION}, follow=True)
    session = Session.objects.get(owner=owner)
    assert response.redirect_chain == [(f"/conversations/{session.pk}#turn-1", 303)]
    assert session.title == QUESTION
    assert QUESTION in text(response)


def test_the_same_form_sent_twice_asks_once(client: Client, owner: User) -> None:
    form = {"query": QUESTION, "idempotency_key": "one"}
    first = client.post(page("start"), form)
    second = client.post(page("start"), form)
    assert first["Location"] == second["Location"]
    assert Session.objects.filter(owner=owner).count() == Turn.objects.count() == 1


def test_a_script_gets_the_answer_as_a_stream(client: Client, session: Session) -> None:
    response = client.post(page("ask", session.pk), {"query": QUESTION}, headers=STREAM)
    assert response["Content-Type"].startswith("text/event-stream")
    assert "event: done" in text(response)


def test_a_script_resumes_from_the_turns_own_address(client: Client, session: Session) -> None:
    turn = turn_of(session)
    turn.attempts.create(
        owner=session.owner, number=1, lease_until=timezone.now(), finished_at=timezone.now()
    )
    response = client.get(page("turn", session.pk, turn.pk), headers=STREAM)
    assert "The fifteenth" in text(response)


@pytest.fixture
def nobody_else_may_wait(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """No further question may be answered or wait."""
    settings.ANSWERS_AT_WORK, settings.ANSWERS_WAITING = 0, 0
    monkeypatch.setattr(pipeline, "admission", Admission())


@pytest.mark.usefixtures("nobody_else_may_wait")
def test_beyond_what_may_wait_the_question_is_kept_in_its_form_and_nothing_is_stored(
    client: Client, session: Session
) -> None:
    for url in (page("start"), page("ask", session.pk)):
        refused = client.post(url, {"query": QUESTION})
        assert (refused.status_code, int(refused["Retry-After"]) > 0) == (503, True)
        assert f"{QUESTION}</textarea>" in text(refused)
        assert "ask again in a moment" in text(refused)
        told = client.post(url, {"query": QUESTION}, headers=STREAM)
        assert (told.status_code, told["Retry-After"]) == (503, refused["Retry-After"])
        assert json.loads(told.content)["error"]["code"] == "overloaded"
    failed = turn_of(session, status="failed", response="")
    client.post(page("retry", session.pk, failed.pk))
    assert list(Turn.objects.values_list("status", flat=True)) == ["failed"]
    assert Session.objects.count() == 1


@pytest.mark.parametrize("query", ["", " \n ", "\x00"])
def test_a_question_that_is_none_is_refused_and_nothing_is_stored(
    client: Client, session: Session, query: str
) -> None:
    for url in (page("start"), page("ask", session.pk)):
        assert client.post(url, {"query": query}).status_code == 400
        refused = client.post(url, {"query": query}, headers=STREAM)
        assert refused.status_code == 400
        assert json.loads(refused.content)["error"]["code"] == "invalid"
    assert not Turn.objects.exists()
    assert Session.objects.count() == 1


def test_a_question_that_is_too_long_is_kept_in_its_form(client: Client, session: Session) -> None:
    question = "long " * (settings.MAX_QUESTION_LENGTH // 5) + "end"
    response = client.post(page("ask", session.pk), {"query": question})
    assert response.status_code == 400
    assert f"{question}</textarea>" in text(response)
    assert f"{settings.MAX_QUESTION_LENGTH} characters" in text(response)


def test_a_line_end_is_one_character() -> None:
    form = QuestionForm({"query": "a\r\nb"})
    assert form.is_valid()
    assert form.cleaned_data["query"] == "a\nb"


def test_a_full_conversation_offers_a_new_one(client: Client, session: Session) -> None:
    Session.objects.filter(pk=session.pk).update(turn_count=100)
    shown = text(client.get(page("conversation", session.pk)))
    assert "Continue in a new conversation" in shown
    assert "<textarea" not in shown
    assert client.post(page("ask", session.pk), {"query": QUESTION}).status_code == 409


@pytest.mark.usefixtures("library")
def test_a_rewritten_question_can_be_asked_again_exactly_as_typed(
    client: Client, session: Session
) -> None:
    client.post(page("ask", session.pk), {"query": QUESTION})
    client.post(page("ask", session.pk), {"query": FOLLOW_UP})
    rewritten = session.turns.get(position=2)
    assert rewritten.standalone_query != FOLLOW_UP
    shown = text(client.get(page("conversation", session.pk)))
    assert rewritten.standalone_query in html.unescape(shown)
    assert shown.count("Search exactly what I typed") == 1
    client.post(page("ask", session.pk), {"query": FOLLOW_UP, "as_typed": "on"})
    typed = session.turns.get(position=3)
    assert typed.standalone_query == FOLLOW_UP
    assert (typed.rewriting, typed.rewrite_reason) == ("as_typed", "as_typed")


@pytest.mark.usefixtures("library")
def test_what_the_model_saw_names_the_turns_that_the_question_was_drawn_from(
    client: Client, session: Session
) -> None:
    client.post(page("ask", session.pk), {"query": QUESTION})
    client.post(page("ask", session.pk), {"query": FOLLOW_UP})
    turn = session.turns.get(position=2)
    shown = text(client.get(page("context", session.pk, turn.pk)))
    assert f'from turn <a href="/conversations/{session.pk}#turn-1">1</a>' in shown
