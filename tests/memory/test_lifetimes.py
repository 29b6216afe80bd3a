"""Lifetimes: a person shortens them, extends them within their tier, and is warned in time."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.conversations.editing import change
from memory.forgetting.retention.lifetimes import (
    LifetimeTooLong,
    count_ending_sessions,
    extend,
    limit_all_lifetimes,
    limit_lifetime,
)
from memory.models import AuditEvent, RetentionPolicy, Session, User
from tests.memory.retained import DAY, session_of

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def left(session: Session) -> timedelta:
    session.refresh_from_db()
    return session.expires_at - timezone.now()


def test_extending_begins_the_time_anew_and_is_no_activity(owner: User) -> None:
    session = session_of(owner, idle=20 * HOUR)
    last = session.last_activity
    extend(session)
    assert timedelta(hours=23, minutes=59) < left(session) <= timedelta(days=1)
    assert session.last_activity == last
    assert AuditEvent.objects.filter(action="session.extended", subject_id=session.pk).exists()


def test_a_session_is_kept_for_less_and_again_for_the_usual_time(owner: User) -> None:
    session = session_of(owner, idle=2 * HOUR)
    limit_lifetime(session, 3 * 3600)
    assert timedelta(minutes=59) < left(session) <= HOUR
    limit_lifetime(session, None)
    assert left(session) > 21 * HOUR


@pytest.mark.parametrize("seconds", [1, 59, DAY + 1, 30 * DAY])
def test_nobody_keeps_longer_than_their_tier_does(owner: User, seconds: int) -> None:
    session = session_of(owner)
    for act in (
        lambda: limit_lifetime(session, seconds),
        lambda: limit_all_lifetimes(owner, seconds),
    ):
        with pytest.raises(LifetimeTooLong):
            act()
    assert left(session) > 23 * HOUR


def test_a_person_keeps_all_their_conversations_for_less(owner: User, colleague: User) -> None:
    old, young, other = session_of(owner, idle=5 * HOUR), session_of(owner), session_of(colleague)
    assert count_ending_sessions(owner, 2 * 3600) == 1
    assert limit_all_lifetimes(owner, 2 * 3600) == 1
    assert set(Session.objects.live()) == {young, other}
    assert HOUR < left(young) <= 2 * HOUR
    assert left(other) > 23 * HOUR
    assert left(session_of(owner)) <= 2 * HOUR
    limit_all_lifetimes(owner, None)
    assert left(young) > 23 * HOUR
    # An ended session stays ended.
    assert old not in Session.objects.live()


def test_a_pin_and_its_removal_change_the_clock_but_never_end_a_conversation(owner: User) -> None:
    RetentionPolicy.objects.create(
        tier="default", version=1, lifetime=DAY, max_turns=9, pinned_lifetime=90 * DAY
    )
    session = session_of(owner, idle=12 * HOUR)
    change(session, pinned=True)
    assert left(session) > timedelta(days=89)
    Session.objects.filter(pk=session.pk).update(
        last_activity=timezone.now() - timedelta(days=40),
        expires_at=timezone.now() + timedelta(days=50),
    )
    change(Session.objects.get(pk=session.pk), pinned=False)
    assert timedelta(hours=23) < left(session) <= timedelta(days=1)
