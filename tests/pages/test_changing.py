"""Changes by a person: titles, ratings, and deletions."""

import pytest
from django.test import Client

from citations.models import Citation, Passage
from memory.models import Session
from tests.pages.conversations import HTMX, page, text, turn_of

# One engine is enough: tests/migrations/test_updates.py opens each page on either.


def test_a_name_turns_no_direction_round(client: Client, session: Session) -> None:
    client.post(page("title", session.pk), {"title": "\u202eeman A\u2066"})
    session.refresh_from_db()
    assert session.title == "eman A"
    client.post(page("title", session.pk), {"title": "\u202e"})
    session.refresh_from_db()
    assert session.title == "eman A"


def test_a_conversation_is_renamed(client: Client, session: Session) -> None:
    assert 'value="Dates"' in text(client.get(page("title", session.pk)))
    client.post(page("title", session.pk), {"title": "Other dates"})
    session.refresh_from_db()
    assert session.title == "Other dates"


@pytest.mark.parametrize("title", ["", "  ", "x" * 121])
def test_a_title_is_not_empty_or_too_long(client: Client, session: Session, title: str) -> None:
    assert client.post(page("title", session.pk), {"title": title}).status_code == 400
    session.refresh_from_db()
    assert session.title == "Dates"


def test_deleting_is_confirmed_first(client: Client, session: Session, passage: Passage) -> None:
    turn_of(session, passage)
    for headers in ({}, HTMX):
        shown = text(client.get(page("delete", session.pk), headers=headers))
        assert "can’t be undone" in shown
    assert Session.objects.filter(pk=session.pk).exists()
    assert client.post(page("delete", session.pk))["Location"] == page("home")
    assert not Session.objects.exists()
    assert not Citation.objects.exists()


def test_an_answer_is_rated_and_commented_on(client: Client, session: Session) -> None:
    turn = turn_of(session)
    url = page("feedback", session.pk, turn.pk)
    client.post(url, {"rating": "1", "feedback": "Just right"}, headers=HTMX)
    turn.refresh_from_db()
    assert (turn.rating, turn.feedback) == (1, "Just right")
    client.post(url, {"rating": "", "feedback": ""})
    turn.refresh_from_db()
    assert (turn.rating, turn.feedback) == (None, "")


@pytest.mark.parametrize("form", [{"rating": "2"}, {"rating": "1", "feedback": "x" * 2001}])
def test_a_rating_that_is_none_changes_nothing(
    client: Client, session: Session, form: dict[str, str]
) -> None:
    turn = turn_of(session)
    client.post(page("feedback", session.pk, turn.pk), form, headers=HTMX)
    turn.refresh_from_db()
    assert turn.rating is None
