"""Recurring topics of a person, with the questions they come from."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory.conversations.asking import create_session
from memory.conversations.editing import change
from memory.forgetting.deletion import erase_session, erase_turn
from memory.models import Entity, Fact, Job, Session, Summary, Turn, User
from memory.models.conversations import Reach
from memory.recall.earlier import returning
from memory.recall.earlier.returning import ReturnedTo, find_returning_topics
from tests.people import allow

pytestmark = pytest.mark.django_db

RENT = "How much is the security deposit?"
PETS = "Does the security deposit cover the parrot cage?"


def asked(owner: User, *questions: str, days_ago: int = 0) -> Session:
    """Store a session with these questions, asked so long ago."""
    session = create_session(owner)
    for position, question in enumerate(questions, 1):
        Turn.objects.create(
            session=session, owner=owner, position=position, status="complete", query=question,
            query_tokens=9, response="So it is.", outcome="answered",
            asked_at=timezone.now() - timedelta(days=days_ago),
        )  # fmt: skip
    session.turn_count, session.context_tokens = len(questions), 9 * len(questions)
    session.last_position = len(questions)
    session.save()
    return session


def named(owner: User) -> dict[str, ReturnedTo]:
    return {each.name.lower(): each for each in find_returning_topics(owner)}


def test_a_topic_of_three_sessions_on_two_days_is_told_with_its_latest_questions(
    owner: User,
) -> None:
    allow(owner)
    oldest = asked(owner, RENT, "Who pays the security deposit back?", days_ago=2)
    asked(owner, RENT, "Is there a garden gnome?", days_ago=1)
    assert named(owner) == {}
    newest = asked(owner, PETS)
    found = named(owner)
    assert list(found) == ["security deposit"]
    told = found["security deposit"]
    assert (told.count, told.days) == (3, 3)
    assert [turn.session_id for turn in told.turns][::2] == [newest.pk, oldest.pk]
    assert told.turns[2].query == "Who pays the security deposit back?"


def test_one_day_is_not_coming_back(owner: User) -> None:
    allow(owner)
    for _ in range(4):
        asked(owner, RENT)
    assert named(owner) == {}
    asked(owner, RENT, days_ago=1)
    assert named(owner)["security deposit"].days == 2


def test_what_everybody_says_in_every_session_is_no_topic(owner: User) -> None:
    allow(owner)
    for at in range(4):
        asked(owner, "How much time is there?", "What is it like?", "I live in Lisbon", days_ago=at)
    assert named(owner) == {}


def test_in_german_topics_are_nouns_and_never_small_words(owner: User) -> None:
    allow(owner)
    for at in range(3):
        asked(owner, "Wie hoch ist die Kündigungsfrist und wer zahlt sie?", days_ago=at)
    assert list(named(owner)) == ["kündigungsfrist"]


def test_topics_that_often_come_together_say_so(owner: User) -> None:
    allow(owner)
    for at in range(4):
        asked(owner, RENT, *(["Is there a parrot cage?"] if at else []), days_ago=at)
    found = named(owner)
    assert found["security deposit"].beside == ["parrot cage"]
    assert found["parrot cage"].beside == ["security deposit"]


def test_nothing_is_derived_of_what_may_not_be_recalled(owner: User, colleague: User) -> None:
    allow(colleague)
    sessions = [asked(owner, RENT, days_ago=at) for at in range(3)]
    assert named(owner) == {}
    allow(owner)
    assert named(owner)
    assert named(colleague) == {}
    first = sessions[0]
    for apart, back in (
        ({"archived": True}, {"archived": False}),
        ({"reach": Reach.SESSION}, {"reach": Reach.EVERYTHING}),
    ):
        change(first, **apart)
        assert named(owner) == {}
        change(first, **back)
        assert named(owner)
    end = first.expires_at
    Session.objects.filter(pk=first.pk).update(expires_at=timezone.now())
    assert named(owner) == {}
    Session.objects.filter(pk=first.pk).update(expires_at=end)
    assert named(owner)
    allow(owner, given=False)
    assert named(owner) == {}


def test_it_goes_with_a_question_or_a_session_that_it_comes_from(owner: User) -> None:
    allow(owner)
    sessions = [asked(owner, RENT, days_ago=at) for at in range(4)]
    erase_turn(sessions[0].turns.get(), actor=owner)
    assert named(owner)["security deposit"].count == 3
    erase_session(sessions[1], actor=owner)
    assert named(owner) == {}


def test_looking_stores_and_learns_nothing_and_looks_at_so_many_questions(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(owner)
    for at in range(3):
        asked(owner, RENT, days_ago=at)
    with CaptureQueriesContext(connection) as queries:
        assert named(owner)
    assert [each["sql"].split()[0] for each in queries] == ["SELECT"]
    for model in (Fact, Entity, Summary, Job):
        assert not model.objects.exists()
    monkeypatch.setattr(returning, "MOST_QUESTIONS", 2)
    assert named(owner) == {}
