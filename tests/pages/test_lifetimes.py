"""The end of conversations on the pages: its notices, and the person's choices."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from memory import holds
from memory.models import RetentionPolicy, Session, User
from tests.memory.retained import session_of
from tests.pages.conversations import HTMX, page, text

# One engine is enough: tests/migrations/test_updates.py opens each page on either.
pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def test_a_conversation_warns_before_it_expires_and_is_kept_longer(
    client: Client, owner: User
) -> None:
    session = session_of(owner, idle=23 * HOUR)
    shown = text(client.get(page("conversation", session.pk)))
    assert "This conversation expires" in shown
    assert "Keep it for 1 day from now" in shown
    answer = client.post(page("extend", session.pk), follow=True)
    assert "The conversation is kept longer." in text(answer)
    assert "This conversation expires" not in text(answer)


def test_a_conversation_far_from_its_end_says_only_when_that_is(
    client: Client, session: Session
) -> None:
    shown = text(client.get(page("conversation", session.pk)))
    assert "Kept until" in shown
    assert "This conversation expires" not in shown


def test_a_shorter_time_is_chosen_in_a_dialog_or_on_a_page(
    client: Client, session: Session
) -> None:
    for headers in ({}, HTMX):
        shown = text(client.get(page("lifetime", session.pk), headers=headers))
        assert "As usual: 1 day" in shown
        assert "1 hour" in shown
        assert "7 days" not in shown
    assert client.post(page("lifetime", session.pk), {"lifetime": "3600"}).status_code == 302
    session.refresh_from_db()
    assert session.own_lifetime == 3600
    assert session.expires_at <= timezone.now() + HOUR
    client.post(page("lifetime", session.pk), {"lifetime": ""})
    session.refresh_from_db()
    assert session.own_lifetime is None


def test_fewer_questions_are_chosen_beside_the_time(client: Client, owner: User) -> None:
    session = session_of(owner, idle=2 * HOUR)  # no shorter time is offered
    Session.objects.filter(pk=session.pk).update(own_lifetime=3 * 3600)
    assert client.post(page("lifetime", session.pk), {"max_turns": "50"}).status_code == 302
    session.refresh_from_db()
    assert (session.max_turns, session.own_lifetime) == (50, 3 * 3600)
    assert 'value="50"' in client.get(page("lifetime", session.pk)).content.decode()
    for refused in ("0", "101", "x"):
        answer = client.post(page("lifetime", session.pk), {"max_turns": refused})
        assert answer.status_code == 400
    client.post(page("lifetime", session.pk), {"max_turns": ""})
    session.refresh_from_db()
    assert session.max_turns is None


@pytest.mark.parametrize("lifetime", ["604800", "5", "-1", "x", "3600.5"])
def test_a_time_that_is_not_offered_is_refused(
    client: Client, session: Session, lifetime: str
) -> None:
    for name, ids in (("lifetime", (session.pk,)), ("keeping", ())):
        assert client.post(page(name, *ids), {"lifetime": lifetime}).status_code == 400
    session.refresh_from_db()
    assert session.own_lifetime is None


def test_nothing_is_offered_that_would_end_the_conversation_at_once(
    client: Client, owner: User
) -> None:
    session = session_of(owner, idle=2 * HOUR)
    assert "1 hour" not in text(client.get(page("lifetime", session.pk)))
    assert client.post(page("lifetime", session.pk), {"lifetime": "3600"}).status_code == 400


def test_the_dialog_gives_the_date_that_a_phone_s_topbar_has_no_place_for(
    client: Client, session: Session
) -> None:
    for headers in ({}, HTMX):
        shown = text(client.get(page("lifetime", session.pk), headers=headers))
        about = shown[shown.index("If nothing more is asked, until") :]
        ends = timezone.localtime(session.expires_at).isoformat()[:19]
        assert f'<time datetime="{ends}' in about


def test_where_no_shorter_time_is_offered_it_is_said_why(client: Client, owner: User) -> None:
    idle = text(client.get(page("lifetime", session_of(owner, idle=2 * HOUR).pk)))
    assert "the conversation has been idle for longer, and would end at once" in idle
    RetentionPolicy.objects.create(tier=owner.tier, version=1, lifetime=3600, max_turns=100)
    short = text(client.get(page("lifetime", session_of(owner).pk)))
    assert "No shorter time can be chosen than the 1 hour" in short
    everything = text(client.get(page("keeping")))
    assert "Your tier keeps conversations for 1 hour. No shorter time can be chosen." in everything
    assert "Save" not in everything


def test_a_time_for_all_asks_before_it_ends_any(client: Client, owner: User) -> None:
    old, young = session_of(owner, idle=3 * HOUR), session_of(owner)
    asked = client.post(page("keeping"), {"lifetime": "3600"})
    assert "1 conversation has been idle for longer than that" in text(asked)
    assert Session.objects.live().count() == 2
    client.post(page("keeping"), {"lifetime": "3600", "confirmed": "on"})
    assert list(Session.objects.live()) == [young]
    assert client.get(page("conversation", old.pk)).status_code == 404
    assert "selected>1 hour" in text(client.get(page("keeping")))


def test_a_time_that_ends_nothing_is_saved_without_a_question(client: Client, owner: User) -> None:
    session_of(owner)
    assert client.post(page("keeping"), {"lifetime": "3600"}).status_code == 302
    owner.refresh_from_db()
    assert owner.own_lifetime == 3600


def test_a_hold_is_told_and_a_deletion_it_refuses_too(
    client: Client, owner: User, colleague: User
) -> None:
    session = session_of(owner)
    holds.place(session, reason="A case", author=colleague)
    shown = text(client.get(page("conversation", session.pk)))
    assert "This conversation has been under a legal hold" in shown
    assert "Held, open until" in shown
    assert "Kept until" not in shown
    assert "A case" not in shown
    answer = client.post(page("delete", session.pk), follow=True)
    assert "A legal hold forbids deleting this now" in text(answer)
    assert Session.objects.filter(pk=session.pk).exists()
