"""Accounts in the admin: tier, suspension and erasure, each with its page of what it will do."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from memory import holds
from memory.conversations.asking import create_session
from memory.forgetting.erasure import requests
from memory.jobs.queue import run_due
from memory.models import AuditEvent, ErasureRequest, RetentionRun, Session, Tier, User
from tests.admin.conftest import prove, words
from tests.memory.retained import expired_session_of, session_of
from tests.people import person, token_of

pytestmark = pytest.mark.django_db
Status = ErasureRequest.Status


def place_of(someone: User, act: str = "change") -> str:
    return reverse(f"admin:memory_user_{act}", args=[someone.pk])


def acts_of(boss: User) -> set[str]:
    return set(AuditEvent.objects.filter(actor_id=boss.pk).values_list("action", flat=True))


# --- Tier -----------------------------------------------------------------------------------------


def test_a_tier_changes_only_after_a_look_at_what_would_go(at_admin: Client, boss: User) -> None:
    someone = person("someone", tier=Tier.RESEARCH)
    for days in (1, 10):
        expired_session_of(someone, turns=days)
    kept = session_of(someone, turns=1)
    answer = at_admin.post(place_of(someone, "change_tier"), {"tier": "enterprise"})
    run = RetentionRun.objects.latest("created_at")
    assert (run.person_id, run.tier) == (someone.pk, "enterprise")
    page = at_admin.get(answer.headers["Location"])
    assert "30 days → 7 days" in words(page)
    someone.refresh_from_db()
    assert someone.tier == Tier.RESEARCH
    at_admin.post(reverse("admin:memory_retentionrun_confirm", args=[run.pk]))
    run_due()
    someone.refresh_from_db()
    assert someone.tier == Tier.ENTERPRISE
    assert Session.objects.live().filter(pk=kept.pk).exists()
    assert "person.tier_changed" in acts_of(boss)


def test_the_form_of_an_account_changes_neither_tier_nor_standing(
    at_admin: Client, boss: User, owner: User
) -> None:
    page = at_admin.get(place_of(owner))
    assert not re.search(r'name="(tier|is_active|own_lifetime)"', page.content.decode())
    form = {"username": "renamed", "email": owner.email, "tier": "research", "is_active": ""}
    assert at_admin.post(place_of(owner), form).status_code == 302
    owner.refresh_from_db()
    assert (owner.username, owner.tier, owner.is_active) == ("renamed", "default", True)
    assert "admin.changed" in acts_of(boss)


# --- Names ----------------------------------------------------------------------------------------


def test_an_account_is_called_by_its_name_and_leads_to_what_is_its(
    at_admin: Client, boss: User, owner: User
) -> None:
    session_of(owner)
    hold = holds.place(owner, reason="A case", author=boss)
    asked = requests.ask(owner, ErasureRequest.Scope.ACCOUNT, actor=boss.pk)
    page = at_admin.get(place_of(owner)).content.decode()
    assert "<title> owner |" in " ".join(page.split())
    assert re.search(r">\s*owner\s*</a>", page)
    assert f'href="/admin/memory/session/?q={owner.pk}">1</a>' in page
    assert f'href="/admin/memory/legalhold/?q={owner.pk}">1</a>' in page
    assert reverse("admin:memory_erasurerequest_change", args=[asked.pk]) in page
    listed = at_admin.get(reverse("admin:memory_legalhold_changelist") + f"?q={owner.pk}")
    assert str(hold.pk) in listed.content.decode()


# --- Suspension -----------------------------------------------------------------------------------


def test_whoever_is_suspended_is_out_at_once_and_can_be_let_in_again(
    at_admin: Client, boss: User, owner: User
) -> None:
    session = create_session(owner)
    program = Client(headers={"Authorization": f"Bearer {token_of(owner)}"})
    browser = Client()
    browser.force_login(owner)
    assert program.get("/api/v1/sessions").status_code == 200
    assert "Sign-in by password, link or token is blocked" in words(
        at_admin.get(place_of(owner, "suspend"))
    )
    said = words(at_admin.post(place_of(owner, "suspend"), follow=True))
    assert "The account is suspended." in said
    assert "Let in again" in said
    assert program.get("/api/v1/sessions").status_code == 401
    assert browser.get(f"/conversations/{session.pk}").status_code == 302
    at_admin.post(place_of(owner, "readmit"))
    assert program.get("/api/v1/sessions").status_code == 401
    browser.force_login(owner)
    assert browser.get(f"/conversations/{session.pk}").status_code == 200
    assert {"person.suspended", "person.readmitted"} <= acts_of(boss)


# --- Erasure --------------------------------------------------------------------------------------


def test_an_erasure_needs_a_fresh_proof_and_the_name(
    at_admin: Client, boss: User, owner: User
) -> None:
    form = {"scope": "account", "username": owner.username, "at_once": "on"}
    stolen = Client()
    stolen.force_login(boss)
    unproven = stolen.post(place_of(owner, "erase"), form)
    assert "/account/reauthenticate/" in unproven.headers["Location"]
    prove(at_admin, place_of(owner, "erase"))
    wrong = at_admin.post(place_of(owner, "erase"), form | {"username": "colleague"})
    assert wrong.status_code == 400
    assert "This is another name." in words(wrong)
    assert not ErasureRequest.objects.exists()


def test_an_erasure_begins_after_its_grace_and_can_be_cancelled(
    at_admin: Client, boss: User, owner: User
) -> None:
    prove(at_admin, place_of(owner, "erase"))
    form = {"scope": "account", "username": owner.username}
    said = words(at_admin.post(place_of(owner, "erase"), form))
    assert "can be cancelled until then" in said
    link = re.search(r"http://testserver(/\S+)", said)
    assert link
    assert Client().get(link[1]).status_code == 200
    row = ErasureRequest.objects.get()
    assert (row.status, row.actor_id, row.person_id) == (Status.WAITING, boss.pk, owner.pk)
    cancel = reverse("admin:memory_erasurerequest_cancel", args=[row.pk])
    assert "Nothing is erased then." in words(at_admin.get(cancel))
    assert "Nothing will be erased." in words(at_admin.post(cancel, follow=True))
    run_due()
    assert User.objects.filter(pk=owner.pk).exists()
    assert {"erasure.asked", "erasure.confirmed", "erasure.cancelled"} <= acts_of(boss)


def test_who_may_not_erase_someone_is_told_before_giving_a_password(
    at_admin: Client, boss: User
) -> None:
    assert at_admin.get(place_of(boss, "erase")).status_code == 403
