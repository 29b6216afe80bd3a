"""Legal holds: what one is on stays, whoever wants it gone, until the hold is released."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from citations.models import Document
from memory import holds, postponed
from memory.errors import Held, NotFound
from memory.forgetting.deletion import erase_session
from memory.forgetting.retention.due import Due
from memory.forgetting.retention.purging import purge
from memory.jobs.queue import run_due
from memory.models import AuditEvent, Job, LegalHold, Session, User, WaitingDeletion
from tests.memory.retained import expired_session_of, session_of

pytestmark = pytest.mark.django_db

REASON = "Case 4711 of the Kanarienvogel clause"


@pytest.fixture
def counsel(colleague: User) -> User:
    """A person who places holds."""
    return colleague


def document_of(owner: User | None) -> Document:
    checksum = str(owner.pk if owner else "")
    return Document.objects.create(
        owner=owner, title="T", media_type="text/plain", checksum=checksum
    )


def test_a_hold_is_on_its_target_and_on_whose_it_is(owner: User, counsel: User) -> None:
    held, other = session_of(owner, turns=1), session_of(owner, turns=1)
    holds.place(held, reason=REASON, author=counsel)
    assert holds.is_held(held)
    assert holds.is_held(held.turns.all()[0])
    assert not holds.is_held(other)
    assert not holds.is_held(other.turns.all()[0])
    # The account would take the conversation with it.
    assert holds.is_held(owner)
    assert not holds.is_held(counsel)


@pytest.mark.postgresql
def test_a_hold_on_a_person_is_on_all_that_is_theirs(
    owner: User, counsel: User, stranger: User
) -> None:
    session, document = session_of(owner, turns=1), document_of(owner)
    holds.place(owner, reason=REASON, author=counsel)
    assert all(map(holds.is_held, (owner, session, session.turns.all()[0], document)))
    theirs = session_of(stranger, turns=1)
    assert not any(map(holds.is_held, (stranger, theirs, document_of(None))))


def test_a_hold_on_a_document_is_on_it_and_on_its_owners_account(
    owner: User, counsel: User
) -> None:
    private, shared = document_of(owner), document_of(None)
    holds.place(private, reason=REASON, author=counsel)
    holds.place(shared, reason=REASON, author=counsel)
    assert holds.is_held(private)
    assert holds.is_held(shared)
    assert holds.is_held(owner)
    assert not holds.is_held(session_of(owner))


def test_a_hold_holds_from_its_day_until_its_release(owner: User, counsel: User) -> None:
    session = session_of(owner)
    tomorrow = timezone.now() + timedelta(days=1)
    later = holds.place(session, reason=REASON, author=counsel, starts_at=tomorrow)
    assert not holds.is_held(session)
    LegalHold.objects.filter(pk=later.pk).update(starts_at=timezone.now())
    assert holds.is_held(session)
    holds.release(later, actor=counsel)
    assert not holds.is_held(session)
    with pytest.raises(NotFound):
        holds.release(later, actor=counsel)


def test_only_holds_that_are_to_be_known_are_told(owner: User, counsel: User) -> None:
    told = holds.place(session_of(owner), reason=REASON, author=counsel)
    holds.place(session_of(owner), reason=REASON, author=counsel, tells_person=False)
    assert list(holds.list_told_holds(owner)) == [told]
    assert not holds.list_told_holds(counsel)


# --- Against retention ----------------------------------------------------------------------------


def test_what_is_held_and_expired_is_hidden_and_stays(owner: User, counsel: User) -> None:
    held, gone = expired_session_of(owner, turns=2), expired_session_of(owner, turns=2)
    hold = holds.place(held, reason=REASON, author=counsel)
    assert purge(Due()).sessions == 1
    assert not Session.objects.visible(owner).exists()
    assert held.turns.count() == 2
    assert not Session.objects.filter(pk=gone.pk).exists()
    holds.release(hold, actor=counsel)
    assert purge(Due()).sessions == 1


# --- Against a person's own deletion --------------------------------------------------------------


def test_a_refused_deletion_waits_and_is_carried_out_at_the_release(
    owner: User, counsel: User
) -> None:
    session = session_of(owner, turns=1)
    hold = holds.place(session, reason=REASON, author=counsel)
    for _ in range(2):
        with pytest.raises(Held):
            erase_session(session, actor=owner)
    wish = WaitingDeletion.objects.get()
    assert (wish.kind, wish.target_id, wish.actor_id) == ("session", session.pk, owner.pk)
    assert postponed.is_waiting("session", session.pk)
    assert Session.objects.filter(pk=session.pk).exists()
    holds.release(hold, actor=counsel)
    run_due()
    assert not Session.objects.filter(pk=session.pk).exists()
    assert not postponed.is_waiting("session", session.pk)
    told = list(AuditEvent.objects.filter(subject_id=wish.pk).values_list("action", flat=True))
    assert told == ["deletion.refused", "deletion.carried_out"]


def test_it_goes_on_waiting_while_another_hold_is_on_it(owner: User, counsel: User) -> None:
    session = session_of(owner, turns=1)
    first = holds.place(session, reason=REASON, author=counsel)
    second = holds.place(owner, reason=REASON, author=counsel)
    with pytest.raises(Held):
        erase_session(session, actor=owner)
    holds.release(first, actor=counsel)
    run_due()
    assert not Job.objects.exclude(status="done").exists()
    assert postponed.is_waiting("session", session.pk)
    holds.release(second, actor=counsel)
    run_due()
    assert not Session.objects.exists()


def test_what_waits_for_nothing_any_more_is_asked_for_again(
    owner: User, counsel: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = session_of(owner, turns=1)
    hold = holds.place(session, reason=REASON, author=counsel)
    noted = postponed.wait

    def released_before_it_is_noted(*args: Any, **values: Any) -> WaitingDeletion:
        holds.release(hold, actor=counsel)
        return noted(*args, **values)

    monkeypatch.setattr(postponed, "wait", released_before_it_is_noted)
    with pytest.raises(Held):
        erase_session(session, actor=owner)
    assert not Job.objects.exists()
    assert postponed.resume() == 1
    # Its job is given up at last.
    Job.objects.update(status=Job.Status.FAILED, finished_at=timezone.now())
    assert postponed.resume() == 1
    assert postponed.resume() == 0
    run_due()
    assert not Session.objects.exists()
    assert postponed.resume() == 0
