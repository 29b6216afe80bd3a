"""Patterns over what a person told of themselves, always with the facts that they come from."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.conversations.asking import Question, ask, create_session
from memory.conversations.editing import change
from memory.forgetting.deletion import erase_session
from memory.models import Attempt, Fact, Session, Turn, User
from memory.recall.facts import managing, undoing
from memory.recall.facts.patterns import Pattern, find_patterns
from tests.people import allow

pytestmark = pytest.mark.django_db


def told(session: Session, *texts: str) -> None:
    for text in texts:
        ask(session, Question(text), patience=0)
        Turn.objects.filter(session=session).update(status="complete", outcome="noted")
        Attempt.objects.filter(turn__session=session).update(finished_at=timezone.now())


def texts(pattern: Pattern) -> list[str]:
    return [fact.text for fact in pattern.facts]


def test_a_value_that_changed_several_times_is_told_with_its_values(owner: User) -> None:
    allow(owner)
    session = create_session(owner)
    told(session, "I live in Lisbon.", "I moved to Porto.", "My budget is 2000 euros.")
    assert find_patterns(owner).changed == []
    told(create_session(owner), "I moved to Faro.")
    (home,) = find_patterns(owner).changed
    assert (home.subject, home.count) == ("home", 3)
    assert texts(home) == ["I live in Lisbon", "I moved to Porto", "I moved to Faro"]


def test_several_things_of_one_kind_are_told_together(owner: User) -> None:
    allow(owner)
    session = create_session(owner)
    told(session, "We use PostgreSQL.", "We use Django.", "I am allergic to nuts.")
    assert find_patterns(owner).alike == []
    told(session, "We use Redis.")
    (uses,) = find_patterns(owner).alike
    assert (uses.subject, texts(uses)) == (
        "uses",
        ["We use PostgreSQL", "We use Django", "We use Redis"],
    )
    # Facts written in words of no known kind have nothing in common.
    for thing in ("Blue", "Long walks", "Old maps"):
        managing.write(owner, text=thing, kind="preference")
    assert len(find_patterns(owner).alike) == 1


def test_patterns_take_consent_and_what_counts_in_other_sessions(
    owner: User, colleague: User
) -> None:
    lone = create_session(owner)
    told(lone, "I live in Oslo.")
    allow(owner)
    allow(colleague)
    session = create_session(owner)
    told(session, "I live in Lisbon.", "I moved to Porto.", "I moved to Faro.")
    (home,) = find_patterns(owner).changed
    assert "I live in Oslo" not in texts(home)
    assert find_patterns(colleague).changed == []
    change(session, archived=True)
    assert find_patterns(owner).changed == []
    change(session, archived=False)
    allow(owner, given=False)
    assert find_patterns(owner).changed == []


def test_a_pattern_goes_with_its_facts(owner: User) -> None:
    allow(owner)
    session = create_session(owner)
    told(session, "I live in Lisbon.", "I moved to Porto.", "I moved to Faro.")
    told(session, "I moved to Braga.")
    undoing.hide(Fact.objects.get(valid_until=None))
    assert len(find_patterns(owner).changed[0].facts) == 3
    erase_session(session, actor=owner)
    assert find_patterns(owner).changed == []


def test_of_many_facts_the_newest_are_shown(owner: User) -> None:
    allow(owner)
    for at in range(12):
        moment = timezone.now() - timedelta(days=12 - at)
        Fact.objects.create(
            owner=owner, kind="fact", subject="home", text=f"City {at}", is_shared=True,
            valid_from=moment, valid_until=moment if at < 11 else None,
        )  # fmt: skip
    (home,) = find_patterns(owner).changed
    assert home.count == 12
    assert texts(home) == [f"City {at}" for at in range(4, 12)]
