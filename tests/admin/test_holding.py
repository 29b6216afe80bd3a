"""Placing and releasing holds: the notices before it, in its form and on its pages."""

import pytest
from django.test import Client
from django.urls import reverse

from memory import holds
from memory.errors import Held
from memory.forgetting.deletion import erase_turn
from memory.forgetting.erasure import requests
from memory.jobs.queue import run_due
from memory.models import AuditEvent, User
from tests.admin.conftest import words
from tests.memory.retained import expired_session_of, session_of

# One engine is enough: tests/migrations opens each page of the admin on either.
pytestmark = pytest.mark.django_db
ADD = reverse("admin:memory_legalhold_add")


def form_for(owner: User, **fields: str) -> dict[str, str]:
    return {"scope": "person", "target": owner.username, "reason": "A case"} | fields


def test_a_hold_names_its_person_and_its_author(at_admin: Client, boss: User, owner: User) -> None:
    session = session_of(owner)
    hold = holds.place(session, reason="A case", author=boss)
    holds.place(owner, reason="Another", author=boss)
    for place in (
        reverse("admin:memory_legalhold_change", args=[hold.pk]),
        reverse("admin:memory_legalhold_changelist"),
        reverse("admin:index"),
    ):
        page = at_admin.get(place).content.decode()
        assert f'href="{reverse("admin:memory_user_change", args=[owner.pk])}">owner</a>' in page
        assert reverse("admin:memory_session_change", args=[session.pk]) in page


def test_a_release_says_what_it_is_about_and_what_goes_with_it(
    at_admin: Client, boss: User, owner: User
) -> None:
    session = session_of(owner, turns=2)
    expired_session_of(owner)
    narrow = holds.place(session, reason="A case", author=boss)
    hold = holds.place(owner, reason="Another", author=boss)
    with pytest.raises(Held):
        erase_turn(session.turns.get(position=1), actor=owner)
    said = words(at_admin.get(reverse("admin:memory_legalhold_release", args=[hold.pk])))
    assert "Person owner Deferred deletions 1" in said
    place = reverse("admin:memory_legalhold_release", args=[narrow.pk])
    said = words(at_admin.get(place))
    assert f"Conversation {session.pk} Person owner Deferred deletions 1" in said
    assert "Other holds on it, which stay 1" in said
    shown = words(at_admin.get(reverse("admin:memory_legalhold_change", args=[narrow.pk])))
    assert "Question" in shown
    at_admin.post(place)
    assert at_admin.get(place).status_code == 302


def test_an_erasure_that_waits_is_not_said_to_be_done_by_a_release(
    at_admin: Client, boss: User, owner: User
) -> None:
    hold = holds.place(owner, reason="A case", author=boss)
    asked = requests.ask(owner, "account", actor=owner.pk)
    requests.confirm(asked, actor=owner.pk)
    asked.refresh_from_db()
    place = reverse("admin:memory_legalhold_release", args=[hold.pk])
    said = words(at_admin.get(place))
    assert "Deferred deletions 0 Erasure begins" in said
    assert "begins only when the time to cancel it is over" in said
    at_admin.post(place)
    run_due()
    asked.refresh_from_db()
    assert (asked.status, User.objects.filter(pk=owner.pk).exists()) == ("waiting", True)
    told = words(at_admin.get(reverse("admin:memory_auditevent_changelist")))
    assert "Erasure freed of hold" in told
    assert AuditEvent.objects.get(action="erasure.freed_of_hold").actor_id is None
    assert "Deletion carried out" not in told
    waited = words(at_admin.get(reverse("admin:memory_waitingdeletion_changelist")))
    assert "Waits no longer since" in waited
