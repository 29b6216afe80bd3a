"""Held rows are not overwritten; their person can still ask questions and arrange conversations."""

from collections.abc import Callable

import pytest

from memory import holds, postponed
from memory.conversations import attempts, editing
from memory.conversations.asking import Question, ask, retry
from memory.conversations.attempts import KEPT_BY_HOLD, Ending, end_alone
from memory.errors import Held
from memory.forgetting.answers import delete_answers
from memory.jobs.queue import run_due
from memory.models import (
    Consent,
    Entity,
    LegalHold,
    Purpose,
    Session,
    Turn,
    User,
    WaitingDeletion,
)
from memory.personal_data import consent
from memory.recall import entity_corrections
from tests.memory.retained import TITLE, session_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def counsel(colleague: User) -> User:
    """A person who places holds."""
    return colleague


@pytest.fixture
def held(owner: User, counsel: User) -> Session:
    """A conversation of two turns, the second interrupted, with a rating and a thing remembered."""
    session = session_of(owner, turns=2, metadata={"case": 1})
    one, two = session.turns.order_by("position")
    allow(owner, given=True)
    editing.rate_answer(one, rating=-1, feedback="Wrong.")
    Turn.objects.filter(pk=two.pk).update(status="interrupted")
    entity_corrections.add(session, name="Maria", kind="name", snippet="A person.")
    holds.place(session, reason="A case", author=counsel)
    return session


def allow(person: User, *, given: bool) -> None:
    consent.decide(person, {Purpose.IMPROVE: given}, source=Consent.Source.PAGE)


def turn_of(session: Session, position: int) -> Turn:
    return session.turns.select_related("session__owner").get(position=position)


OVERWRITING: dict[str, Callable[[Session], object]] = {
    "rename": lambda session: editing.rename(session, "Nothing"),
    "metadata": lambda session: editing.change(session, metadata={}),
    "thumb": lambda session: editing.rate_answer(turn_of(session, 1), rating=1, feedback="Wrong."),
    "comment": lambda session: editing.rate_answer(turn_of(session, 1), rating=-1, feedback=""),
    "correct": lambda session: entity_corrections.change(Entity.objects.get(), snippet="Nobody."),
    "forget": lambda session: entity_corrections.delete(Entity.objects.get()),
    "try again": lambda session: retry(turn_of(session, 2)),
    "withdraw": lambda session: delete_answers(session.pk, [turn_of(session, 1).pk]),
}


@pytest.mark.parametrize("how", OVERWRITING)
def test_what_is_written_in_it_stays_as_it_is(held: Session, how: str) -> None:
    with pytest.raises(Held):
        OVERWRITING[how](held)
    held.refresh_from_db()
    one, two = turn_of(held, 1), turn_of(held, 2)
    assert (held.title, held.metadata) == (TITLE, {"case": 1})
    assert (one.rating, one.feedback, one.response) == (-1, "Wrong.", "Answer 1.")
    assert (two.status, two.response, two.attempts.count()) == ("interrupted", "Answer 2.", 1)
    assert Entity.objects.remembered().get().snippet == "A person."
    # Only deletions wait for the hold's end; nobody renames months later.
    assert not WaitingDeletion.objects.exists()


def test_what_loses_nothing_is_allowed(held: Session, owner: User) -> None:
    editing.rename(held, TITLE)
    editing.change(held, pinned=True, archived=True, context_window=2048)
    editing.rate_answer(turn_of(held, 1), rating=-1, feedback="Wrong.")
    editing.rate_answer(turn_of(held, 2), rating=1, feedback="Right.")
    entity_corrections.add(held, name="Tomasz", kind="name")
    Turn.objects.filter(session=held, position=2).update(response_tokens=0)
    attempt = retry(turn_of(held, 2))
    end_alone(attempt, Ending(status="complete", text="At last."))
    asked = ask(held, Question("And then?")).turn
    assert asked.position == 3
    assert turn_of(held, 2).response == "At last."


def test_a_hold_placed_while_it_is_answered_again_keeps_the_earlier_text(
    owner: User, counsel: User
) -> None:
    session = session_of(owner, turns=1)
    Turn.objects.update(status="interrupted")
    attempt = retry(turn_of(session, 1))
    holds.place(session, reason="A case", author=counsel)
    end_alone(attempt, Ending(status="complete", text="Another answer."))
    turn = turn_of(session, 1)
    assert (turn.status, turn.failure) == ("failed", KEPT_BY_HOLD)
    assert (turn.response, turn.citations.count()) == ("Answer 1.", 1)
    assert not attempts.open_attempt(turn.pk)


# --- Ratings whose consent is withdrawn -----------------------------------------------------------


def test_ratings_of_what_is_held_go_when_the_hold_ends(
    held: Session, owner: User, counsel: User
) -> None:
    free = session_of(owner, turns=1)
    editing.rate_answer(turn_of(free, 1), rating=1, feedback="Good.")
    allow(owner, given=False)
    run_due()
    assert (turn_of(free, 1).rating, turn_of(free, 1).feedback) == (None, "")
    assert turn_of(held, 1).feedback == "Wrong."
    assert postponed.is_waiting("forget_ratings", owner.pk)
    holds.release(LegalHold.objects.get(), actor=counsel)
    run_due()
    assert (turn_of(held, 1).rating, turn_of(held, 1).feedback) == (None, "")
    assert not WaitingDeletion.objects.open().exists()
