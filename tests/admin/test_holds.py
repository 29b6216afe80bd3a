"""Legal holds in the admin: placed with a reason, shown with what waits, released."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from memory.errors import Held
from memory.forgetting.deletion import erase_session
from memory.jobs.queue import run_due
from memory.models import AuditEvent, LegalHold, Session, User, WaitingDeletion
from memory.sealing.cipher import destroy_data_keys, key_ring
from tests.admin.conftest import words
from tests.memory.retained import expired_session_of, session_of

pytestmark = pytest.mark.django_db
ADD = reverse("admin:memory_legalhold_add")
REASON = "Asked for by counsel, case 4711"


def place(at_admin: Client, scope: str, target: object, **fields: object) -> LegalHold:
    form = {"scope": scope, "target": str(target), "reason": REASON, "tells_person": "on"}
    answer = at_admin.post(ADD, form | fields)
    assert answer.status_code == 302, words(answer)
    return LegalHold.objects.latest("created_at")


def place_of(hold: LegalHold, act: str = "change") -> str:
    return reverse(f"admin:memory_legalhold_{act}", args=[hold.pk])


def test_a_hold_on_a_conversation_stops_its_deletion_until_it_is_released(
    at_admin: Client, boss: User, owner: User
) -> None:
    session = session_of(owner, turns=1)
    hold = place(at_admin, "session", session.pk)
    assert "The hold is placed. " in words(at_admin.get(place_of(hold)))
    assert (hold.person_id, hold.author_id, hold.tells_person) == (owner.pk, boss.pk, True)
    with pytest.raises(Held):
        erase_session(session, actor=owner)
    said = words(at_admin.get(place_of(hold)))
    assert REASON in said
    assert str(session.pk) in said
    assert "Deferred until its end" in said
    release = place_of(hold, "release")
    assert "Deferred deletions 1" in words(at_admin.get(release))
    assert "The hold is released." in words(at_admin.post(release, follow=True))
    run_due()
    assert not Session.objects.filter(pk=session.pk).exists()
    assert WaitingDeletion.objects.open().count() == 0
    acts = AuditEvent.objects.filter(actor_id=boss.pk, subject_id=hold.pk)
    acts = acts.exclude(action="admin.read")
    named = list(acts.order_by("pk").values_list("action", flat=True))
    # The page is read twice before the release, and after it.
    assert named == ["hold.placed", "hold.read", "hold.read", "hold.released", "hold.read"]


def test_a_hold_can_be_released_once(at_admin: Client, owner: User) -> None:
    hold = place(at_admin, "person", owner.username)
    at_admin.post(place_of(hold, "release"))
    assert "There is nothing here." in words(at_admin.post(place_of(hold, "release"), follow=True))
    assert place_of(hold, "release") not in at_admin.get(place_of(hold)).content.decode()


def test_a_hold_may_begin_later_and_without_telling_its_person(
    at_admin: Client, owner: User
) -> None:
    assert "In UTC. Empty: from now on." in words(at_admin.get(ADD))
    later = {"starts_at": "2099-01-01T10:00", "tells_person": ""}
    hold = place(at_admin, "person", owner.pk, **later)
    assert not hold.tells_person
    assert hold.starts_at.year == 2099
    assert not LegalHold.objects.active().exists()
    said = words(at_admin.get(place_of(hold)))
    assert "The hold begins at" in said
    assert "Until then it has no effect." in said
    assert "It has no effect yet: it begins on" in said
    assert "2099" in said
    assert "Nothing of it is deleted" not in said


def test_what_is_missing_expired_or_malformed_can_not_be_held(
    at_admin: Client, owner: User
) -> None:
    expired = expired_session_of(owner)
    for scope, target in (
        ("session", uuid4()),
        ("session", expired.pk),
        ("session", owner.pk),
        ("document", "x"),
        ("person", "nobody"),
    ):
        form = {"scope": scope, "target": str(target), "reason": REASON}
        answer = at_admin.post(ADD, form)
        assert answer.status_code == 400
        assert "There is nothing of that name or id." in words(answer)
    assert not LegalHold.objects.exists()


def test_the_reason_is_sealed_and_goes_with_its_authors_key(
    at_admin: Client, boss: User, owner: User
) -> None:
    hold = place(at_admin, "person", owner.pk)
    listed = at_admin.get(reverse("admin:memory_legalhold_changelist"))
    assert REASON not in words(listed)
    destroy_data_keys(boss.pk)
    key_ring.clear()
    assert "can’t be read any more" in words(at_admin.get(place_of(hold)))
