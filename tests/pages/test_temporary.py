"""Temporary conversations: begun by choice, marked as such, and gone once they are closed."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memory import holds
from memory.conversations.asking import Question, ask, create_session
from memory.conversations.attempts import Ending, end_alone
from memory.forgetting.retention.lifetimes import limit_lifetime
from memory.forgetting.retention.sweeping import sweep
from memory.models import Session, User
from tests.memory.retained import session_of
from tests.pages.conversations import HTMX, QUESTION, page, text

# One engine is enough: tests/migrations/test_updates.py opens each page on either.
pytestmark = pytest.mark.django_db

HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)


@pytest.fixture
def temporary(owner: User) -> Session:
    return session_of(owner, turns=1, temporary=True, title="")


def describe_end(session: Session) -> datetime:
    session.refresh_from_db()
    return session.expires_at


def send(client: Client, name: str, session: Session) -> int:
    return client.post(page(name, session.pk)).status_code


def test_anyone_may_begin_one_and_its_page_says_what_it_is(client: Client, owner: User) -> None:
    shown = text(client.get(page("home")))
    assert 'type="checkbox" name="temporary"' in shown
    assert "Erased when you close it, or after 1 hour." in shown
    answer = client.post(page("start"), {"query": QUESTION, "temporary": "on"}, follow=True)
    session = Session.objects.get(owner=owner)
    assert session.temporary
    assert not session.title
    assert "<title>Temporary conversation" in text(answer)
    assert "Temporary: erased when you close it, or after 1 hour" in text(answer)
    assert "Kept until" not in text(answer)
    assert f'data-temporary="/conversations/{session.pk}"' in text(answer)


def test_without_the_choice_a_conversation_is_kept(client: Client, owner: User) -> None:
    shown = text(client.post(page("start"), {"query": QUESTION}, follow=True))
    assert not Session.objects.get(owner=owner).temporary
    assert "data-temporary" not in shown


def test_a_refused_question_keeps_the_choice(client: Client) -> None:
    again = client.post(page("start"), {"query": "", "temporary": "on"})
    assert 'name="temporary" checked' in text(again)


def test_one_that_is_closed_ends_within_a_minute_and_is_purged(
    client: Client, temporary: Session
) -> None:
    assert describe_end(temporary) > timezone.now() + HOUR - MINUTE
    assert send(client, "close", temporary) == 204
    ends = describe_end(temporary)
    assert ends <= timezone.now() + MINUTE
    assert send(client, "close", temporary) == 204
    assert describe_end(temporary) == ends, "closing again must not prolong it"
    Session.objects.update(expires_at=timezone.now() - SECOND)
    assert send(client, "reopen", temporary) == 404
    sweep()
    assert not Session.objects.exists()


def test_one_that_is_looked_at_again_has_its_hour_back(client: Client, temporary: Session) -> None:
    before = describe_end(temporary)
    send(client, "close", temporary)
    assert send(client, "reopen", temporary) == 204
    assert describe_end(temporary) == before
    assert send(client, "reopen", temporary) == 204
    assert describe_end(temporary) == before, "looking at it is no question"


def test_closing_one_never_prolongs_it(client: Client, owner: User) -> None:
    almost = session_of(owner, temporary=True, idle=HOUR - 20 * SECOND)
    before = describe_end(almost)
    send(client, "close", almost)
    assert describe_end(almost) == before
    send(client, "reopen", almost)
    assert describe_end(almost) == before


def test_a_time_of_its_own_is_what_it_has_back(client: Client, temporary: Session) -> None:
    limit_lifetime(temporary, 1800)
    before = describe_end(temporary)
    send(client, "close", temporary)
    send(client, "reopen", temporary)
    assert describe_end(temporary) == before


def test_an_answer_that_ends_later_does_not_open_it_again(client: Client, owner: User) -> None:
    session = create_session(owner, temporary=True)
    asked = ask(session, Question(QUESTION))
    send(client, "close", session)
    ends = describe_end(session)
    end_alone(asked.attempt, Ending(status="complete", text="The fifteenth."))
    assert describe_end(session) == ends
    send(client, "reopen", session)
    assert describe_end(session) == session.compute_expiry(session.last_activity)


def test_a_question_opens_it_again(client: Client, temporary: Session) -> None:
    send(client, "close", temporary)
    client.post(page("ask", temporary.pk), {"query": QUESTION})
    assert describe_end(temporary) > timezone.now() + HOUR - MINUTE


def test_only_temporary_ones_are_closed(client: Client, session: Session) -> None:
    before = describe_end(session)
    for name in ("close", "reopen"):
        assert send(client, name, session) == 404
        assert client.get(page(name, session.pk)).status_code == 405
    assert describe_end(session) == before


def test_one_that_is_held_is_hidden_and_stays(
    client: Client, temporary: Session, colleague: User
) -> None:
    holds.place(temporary, reason="A trial", author=colleague)
    assert send(client, "close", temporary) == 204
    Session.objects.update(expires_at=timezone.now() - SECOND)
    assert client.get(page("conversation", temporary.pk)).status_code == 404
    sweep()
    assert Session.objects.filter(pk=temporary.pk).exists()


def test_signing_out_closes_those_that_began_in_this_browser(client: Client, owner: User) -> None:
    elsewhere = session_of(owner, temporary=True)
    client.post(page("start"), {"query": QUESTION, "temporary": "on"})
    here = Session.objects.exclude(pk=elsewhere.pk).get()
    client.post(reverse("account_logout"))
    assert describe_end(here) <= timezone.now() + MINUTE
    assert describe_end(elsewhere) > timezone.now() + HOUR - MINUTE


def test_its_dialog_says_when_it_goes_and_that_nothing_shorter_is_offered(
    client: Client, temporary: Session
) -> None:
    for headers in ({}, HTMX):
        shown = text(client.get(page("lifetime", temporary.pk), headers=headers))
        assert "It is temporary: erased when you close it" in shown
        assert f'datetime="{timezone.localtime(temporary.expires_at).isoformat()[:19]}' in shown
        assert "No shorter time can be chosen than the 1 hour" in shown
