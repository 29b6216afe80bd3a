"""Deletions and corrections of remembered facts can be undone for a short while."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory import holds, postponed
from memory.errors import Held, NotFound
from memory.forgetting.deletion import erase_turn
from memory.jobs.queue import run_due
from memory.models import Fact, Job, Session, User
from memory.recall.facts import managing, undoing
from memory.recall.facts.known import read_known_facts
from tests.chat.remembered import said, texts
from tests.people import allow

pytestmark = pytest.mark.django_db


def later() -> None:
    """Let the time in which it may come back be over, and the jobs be done."""
    passed = undoing.UNDO_TIME + timedelta(seconds=1)
    for fact in Fact.objects.exclude(deleted_at=None):
        fact.deleted_at = timezone.now() - passed
        fact.save(update_fields=["deleted_at"])
    Job.objects.filter(kind=undoing.FINISH).update(due_at=timezone.now())
    run_due()


def test_what_is_deleted_counts_no_more_and_comes_back_with_all_that_it_was(
    session: Session, owner: User
) -> None:
    said(session, "I live in Porto")
    (fact,) = read_known_facts(session).facts
    undoing.hide(fact)
    assert texts(session) == []
    assert not Fact.objects.visible(owner).exists()
    assert said(session, "Where do I live?").response.startswith("I don’t know")
    run_due()
    back = undoing.undo(owner, fact.pk)
    assert (back.pk, back.turn_id, texts(session)) == (fact.pk, fact.turn_id, ["I live in Porto"])
    later()
    assert texts(session) == ["I live in Porto"]


def test_soon_after_it_is_gone_for_good_with_the_answers_that_told_it(
    session: Session, owner: User
) -> None:
    said(session, "I live in Porto")
    told = said(session, "Where do I live?")
    (fact,) = read_known_facts(session).facts
    undoing.hide(fact)
    later()
    assert not Fact.objects.exists()
    with pytest.raises(NotFound):
        undoing.undo(owner, fact.pk)
    told.refresh_from_db()
    assert (told.status, told.response) == ("failed", "")


def test_though_the_job_is_late_it_comes_back_no_more(session: Session, owner: User) -> None:
    said(session, "I live in Porto")
    (fact,) = read_known_facts(session).facts
    undoing.hide(fact)
    passed = timezone.now() - undoing.UNDO_TIME
    Fact.objects.update(deleted_at=passed)
    with pytest.raises(NotFound):
        undoing.undo(owner, fact.pk)
    assert texts(session) == []


def test_deleted_again_it_may_come_back_as_long_as_the_first_time(
    session: Session, owner: User
) -> None:
    said(session, "I live in Porto")
    (fact,) = read_known_facts(session).facts
    undoing.hide(fact)
    undoing.undo(owner, fact.pk)
    undoing.hide(fact)
    Job.objects.filter(kind=undoing.FINISH).update(due_at=timezone.now())
    run_due()  # the first time's job comes too early for the second
    undoing.undo(owner, fact.pk)
    undoing.hide(fact)
    later()
    assert not Fact.objects.exists()


def test_a_correction_is_taken_back_with_all_that_it_changed(session: Session, owner: User) -> None:
    allow(owner)
    said(session, "I live in Porto")
    (fact,) = read_known_facts(session).facts
    managing.change(fact, text="my budget is 500 euros")
    assert texts(session) == ["my budget is 500 euros"]
    assert [row.text for row in undoing.select_undoable_facts(owner)] == ["I live in Porto"]
    back = undoing.undo(owner, fact.pk)
    assert (back.text, back.subject, back.state, back.turn_id) == (
        "I live in Porto", "home", "found", fact.turn_id,
    )  # fmt: skip
    assert Fact.objects.count() == 1
    managing.change(fact, text="I live in Braga")
    later()
    assert [row.text for row in Fact.objects.all()] == ["I live in Braga"]
    with pytest.raises(NotFound):
        undoing.undo(owner, fact.pk)


def test_what_was_said_meanwhile_is_newer_than_what_comes_back(
    session: Session, owner: User
) -> None:
    said(session, "I live in Porto")
    (fact,) = read_known_facts(session).facts
    undoing.hide(fact)
    said(session, "I moved to Braga")
    back = undoing.undo(owner, fact.pk)
    assert texts(session) == ["I moved to Braga"]
    assert back.replaced_by is not None
    assert back.replaced_by.text == "I moved to Braga"


@pytest.mark.parametrize("is_late", [True, False])
def test_nothing_comes_back_that_a_withdrawal_takes(
    session: Session, owner: User, is_late: bool
) -> None:
    allow(owner)
    said(session, "I live in Porto")
    (fact,) = read_known_facts(session).facts
    undoing.hide(fact)
    allow(owner, given=False)
    if not is_late:
        run_due()
        assert not Fact.objects.exists()
    with pytest.raises(NotFound):
        undoing.undo(owner, fact.pk)


def test_nothing_comes_back_that_a_correction_replaced_under_a_consent_withdrawn_since(
    session: Session, owner: User
) -> None:
    allow(owner)
    said(session, "I live in Porto")
    (fact,) = read_known_facts(session).facts
    managing.change(fact, text="I live in Braga")
    allow(owner, given=False)
    run_due()
    with pytest.raises(NotFound):
        undoing.undo(owner, fact.pk)
    assert [row.text for row in Fact.objects.all()] == ["I live in Braga"]


def test_nothing_comes_back_whose_turn_is_erased(session: Session, owner: User) -> None:
    turn = said(session, "I live in Porto")
    (fact,) = read_known_facts(session).facts
    undoing.hide(fact)
    erase_turn(turn, actor=owner)
    assert not Fact.objects.exists()
    with pytest.raises(NotFound):
        undoing.undo(owner, fact.pk)


def test_nobody_else_brings_it_back(session: Session, owner: User, stranger: User) -> None:
    said(session, "I live in Porto")
    (fact,) = read_known_facts(session).facts
    undoing.hide(fact)
    with pytest.raises(NotFound):
        undoing.undo(stranger, fact.pk)
    assert undoing.select_undoable_facts(stranger).count() == 0


def test_a_hold_refuses_to_hide_and_keeps_what_is_hidden_until_its_end(
    session: Session, owner: User, colleague: User
) -> None:
    said(session, "I live in Porto")
    (fact,) = read_known_facts(session).facts
    undoing.hide(fact)
    hold = holds.place(session, reason="A case", author=colleague)
    later()
    assert Fact.objects.exists()
    assert postponed.is_waiting(undoing.FINISH, fact.pk)
    holds.release(hold, actor=colleague)
    run_due()
    assert not Fact.objects.exists()
    said(session, "I live in Braga")
    (fact,) = read_known_facts(session).facts
    holds.place(session, reason="A case", author=colleague)
    with pytest.raises(Held):
        undoing.hide(fact)
