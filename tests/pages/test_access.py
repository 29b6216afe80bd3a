"""Access: the owner alone, while the conversation lives."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from citations.models import Citation, Passage
from memory.conversations.asking import create_session
from memory.models import Session, Turn, User
from tests.pages.conversations import HTMX, QUESTION, STREAM, page, text, turn_of

# One engine is enough: tests/migrations/test_updates.py opens each page on either.


def doors(session: Session, turn: Turn, citation: Citation) -> list[tuple[str, str]]:
    """Every page and form about a conversation."""
    one, two = (session.pk,), (session.pk, turn.pk)
    return [
        ("get", page("conversation", *one)),
        ("get", page("title", *one)),
        ("post", page("title", *one)),
        ("get", page("delete", *one)),
        ("post", page("delete", *one)),
        ("post", page("ask", *one)),
        ("get", page("turn", *two)),
        ("post", page("stop", *two)),
        ("post", page("retry", *two)),
        ("post", page("feedback", *two)),
        ("get", page("context", *two)),
        ("get", page("citation", citation.pk)),
    ]


FORM = {"query": QUESTION, "title": "Mine now", "rating": "1"}


@pytest.fixture
def knocked(session: Session, passage: Passage) -> Callable[[Client], set[int]]:
    """Try every door of the owner's conversation; return the statuses."""
    turn = turn_of(session, passage)
    listed = doors(session, turn, turn.citations.get())

    def knock(client: Client) -> set[int]:
        return {
            getattr(client, method)(url, FORM, headers=headers).status_code
            for method, url in listed
            for headers in ({}, HTMX, STREAM)
        }

    return knock


def test_an_expired_conversation_is_gone(
    client: Client, session: Session, knocked: Callable[[Client], set[int]]
) -> None:
    Session.objects.filter(pk=session.pk).update(expires_at=timezone.now())
    assert knocked(client) == {404}
    assert "Dates" not in text(client.get(page("home")))


def test_who_is_signed_out_signs_in_first(knocked: Callable[[Client], set[int]]) -> None:
    assert knocked(Client()) == {302}


def test_a_turn_is_found_in_its_own_conversation_only(
    client: Client, owner: User, session: Session
) -> None:
    turn = turn_of(session)
    other = create_session(owner)
    assert client.get(page("context", other.pk, turn.pk)).status_code == 404


def test_a_form_without_its_token_is_refused_kindly(owner: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)
    response = browser.post(page("start"), {"query": QUESTION})
    assert response.status_code == 403
    assert "This page is too old" in text(response)
    assert not Session.objects.exists()


@pytest.mark.parametrize("name", ["start", "ask", "stop", "retry", "feedback"])
def test_changes_are_posted(client: Client, session: Session, name: str) -> None:
    turn = turn_of(session)
    ids = {"start": [], "ask": [session.pk]}.get(name, [session.pk, turn.pk])
    assert client.get(page(name, *ids)).status_code == 405
