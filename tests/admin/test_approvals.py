"""Approvals: one admin requests an act and another approves it; it is done once, for both."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from io import StringIO
from threading import Barrier, Thread
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memory import holds
from memory.audit import append_only
from memory.forgetting.retention.previews import preview, proposed
from memory.models import (
    AuditEvent,
    EmergencyAccess,
    ErasureRequest,
    LegalHold,
    PendingAct,
    RetentionPolicy,
    Session,
    User,
)
from memory.people.staff import approvals
from memory.people.staff.approvals import KINDS
from memory.people.staff.operators import get_operator
from tests.admin.conftest import prove, words
from tests.memory.retained import session_of
from tests.people import person

pytestmark = pytest.mark.django_db
REASON = "Their doctor asks"


@pytest.fixture(autouse=True)
def all_kinds(settings: Any) -> None:
    settings.SECOND_APPROVAL = list(KINDS)


@pytest.fixture
def second(db: None) -> User:
    return forget_rights(person("second", is_staff=True, is_superuser=True))


def forget_rights(admin: User) -> User:
    """Let the audit know nothing of the account, as of one that has its rights for long."""
    with append_only.deletion_allowed():
        AuditEvent.objects.filter(subject_id=admin.pk).delete()
    return admin


@pytest.fixture
def at_second(second: User) -> Client:
    client = Client()
    client.force_login(second)
    return client


def ask(at_admin: Client, name: str, pk: object, form: dict[str, Any]) -> None:
    """Ask for the act on its page, which says that it waits."""
    place = reverse(f"admin:memory_{name}", args=[pk] if pk else [])
    if at_admin.get(place).status_code == 302:
        prove(at_admin, place)
    for _time in range(2):
        assert "waits for a second person" in words(at_admin.post(place, form, follow=True))


def waiting() -> PendingAct:
    return PendingAct.objects.get(status="waiting")


def approve(client: Client, pending: PendingAct) -> str:
    place = reverse("admin:memory_pendingact_approve", args=[pending.pk])
    if client.get(place).status_code == 302:
        prove(client, place)
    return words(client.post(place, follow=True))


def ask_to_open(at_admin: Client, owner: User) -> Callable[[], bool]:
    ask(at_admin, "user_open_in_emergency", owner.pk, {"reason": REASON})
    return EmergencyAccess.objects.filter(owner=owner).exists


def ask_to_erase(at_admin: Client, owner: User) -> Callable[[], bool]:
    form = {"scope": "account", "username": "owner"}
    ask(at_admin, "user_erase", owner.pk, form)
    return ErasureRequest.objects.filter(person_id=owner.pk).exclude(link_hash="").exists


def ask_by_command(at_admin: Client, owner: User) -> Callable[[], bool]:
    for admin in ("", "owner"):
        with pytest.raises(CommandError, match="name an admin"):
            call_command("erase_person", "owner", yes=True, operator=admin)
    said = StringIO()
    call_command("erase_person", "owner", yes=True, operator="boss", stdout=said)
    assert "waits for a second person" in said.getvalue()
    asked = AuditEvent.objects.get(action="approval.asked")
    assert (asked.actor_id, asked.operator) == (waiting().requested_by_id, get_operator())
    return ErasureRequest.objects.filter(person_id=owner.pk).exclude(link_hash="").exists


def ask_to_delete(at_admin: Client, owner: User) -> Callable[[], bool]:
    session = session_of(owner)
    ask(at_admin, "session_erase", session.pk, {})
    return lambda: not Session.objects.filter(pk=session.pk).exists()


def ask_to_hold(at_admin: Client, owner: User) -> Callable[[], bool]:
    form = {"scope": "person", "target": "owner", "reason": REASON}
    ask(at_admin, "legalhold_add", None, form)
    return LegalHold.objects.filter(target_id=owner.pk).exists


def ask_to_release(at_admin: Client, owner: User) -> Callable[[], bool]:
    hold = holds.place(owner, reason="A case", author=person("counsel", is_staff=True))
    ask(at_admin, "legalhold_release", hold.pk, {})
    return LegalHold.objects.filter(pk=hold.pk, released_at__isnull=False).exists


def ask_to_change_policy(at_admin: Client, owner: User) -> Callable[[], bool]:
    run = preview(proposed("research", lifetime=86_400), author=owner).run
    place = reverse("admin:memory_retentionrun_confirm", args=[run.pk])
    assert "waits for a second person" in words(at_admin.post(place, follow=True))
    run.created_at = timezone.now() - timedelta(hours=20)  # longer than a preview lasts by itself
    run.save()
    return RetentionPolicy.objects.filter(tier="research").exists


def ask_to_change_tier(at_admin: Client, owner: User) -> Callable[[], bool]:
    run = preview(RetentionPolicy.objects.ruling("research"), person=owner, author=owner).run
    place = reverse("admin:memory_retentionrun_confirm", args=[run.pk])
    assert "waits for a second person" in words(at_admin.post(place, follow=True))
    return User.objects.filter(pk=owner.pk, tier="research").exists


ACTS = [
    ask_to_open, ask_to_erase, ask_by_command, ask_to_delete, ask_to_hold, ask_to_release,
    ask_to_change_policy, ask_to_change_tier,
]  # fmt: skip


@pytest.mark.parametrize("ask_for", ACTS)
def test_an_act_is_done_once_when_another_admin_approves_it(
    at_admin: Client, at_second: Client, boss: User, second: User, owner: User, ask_for: Any
) -> None:
    is_done = ask_for(at_admin, owner)
    pending = waiting()
    assert not is_done()
    assert "Another person has to approve" in approve(at_admin, pending)
    assert not is_done()
    assert "Approved and done" in approve(at_second, pending)
    assert is_done()
    assert "The request is closed" in approve(at_second, pending)
    decisions = AuditEvent.objects.filter(action="approval.approved")
    assert decisions.get(outcome="denied").actor_id == boss.pk
    decision = decisions.get(outcome="done")
    assert (decision.actor_id, decision.on_behalf_of_id) == (second.pk, boss.pk)
    both = AuditEvent.objects.filter(actor_id=boss.pk, on_behalf_of_id=second.pk)
    assert both.exists()
    if opening := EmergencyAccess.objects.first():
        assert (opening.operator_id, opening.approved_by_id) == (boss.pk, second.pk)


def make_superuser(at_admin: Client, someone: User, right: str) -> None:
    form = {"username": someone.username, "is_staff": "on", "is_superuser": "on"}
    at_admin.post(f"/admin/memory/user/{someone.pk}/change/", form)


def join_role(at_admin: Client, someone: User, right: str) -> None:
    someone.groups.add(Group.objects.create(name="Friends"))
    User.objects.filter(pk=someone.pk).update(is_staff=True)
    forget_rights(someone)
    someone.groups.get().permissions.add(Permission.objects.get(codename=right))


@pytest.mark.parametrize("give", [make_superuser, join_role])
def test_nobody_approves_on_the_day_when_their_rights_changed(
    at_admin: Client, second: User, at_second: Client, owner: User, give: Any
) -> None:
    is_done = ask_to_open(at_admin, owner)
    User.objects.filter(pk=second.pk).update(is_superuser=False)
    forget_rights(second)
    give(at_admin, second, "add_emergencyaccess")
    with pytest.raises(approvals.RightNew):
        approvals.approve(waiting(), approver=User.objects.get(pk=second.pk))
    denied = AuditEvent.objects.get(action="approval.approved", outcome="denied")
    assert (denied.actor_id, is_done()) == (second.pk, False)
    PendingAct.objects.update(requested_at=timezone.now() + timedelta(hours=25))
    approvals.approve(waiting(), approver=User.objects.get(pk=second.pk))
    assert is_done()


def test_what_is_asked_for_on_other_terms_waits_beside_what_waits(
    at_admin: Client, owner: User
) -> None:
    for reason in ("A case", "Another case"):
        form = {"scope": "person", "target": "owner", "reason": reason}
        ask(at_admin, "legalhold_add", None, form)
    assert {row.parameters["reason"] for row in PendingAct.objects.all()} == {
        "A case",
        "Another case",
    }


def test_what_is_refused_or_too_old_is_not_done_and_told(
    at_admin: Client, at_second: Client, boss: User, owner: User, settings: Any
) -> None:
    EmailAddress.objects.create(user=boss, email="boss@example.org", verified=True)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    is_done = ask_to_hold(at_admin, owner)
    refuse = reverse("admin:memory_pendingact_refuse", args=[waiting().pk])
    assert "Refused." in words(at_second.post(refuse, follow=True))
    ask_to_hold(at_admin, owner)
    PendingAct.objects.update(requested_at=timezone.now() - timedelta(hours=24, seconds=1))
    assert "The request is closed" in approve(at_second, waiting())
    listed = words(at_second.get(reverse("admin:memory_pendingact_changelist")))
    assert "Lapsed after 24 hours" in listed
    assert not is_done()
    for _time in range(2):
        approvals.end_overdue()
    ask_to_delete(at_admin, owner)
    approve(at_second, waiting())
    ends = [
        "“Place a legal hold”: Refused",
        "“Place a legal hold”: Lapsed after 24 hours",
        "“Delete”: Approved and done",
    ]
    told = [f"Your request {end}." for end in ends]
    assert [message.body for message in mail.outbox] == told
    shown = words(at_admin.get("/admin/"))
    assert all(each in shown for each in told)
    assert told[0] not in words(at_admin.get("/admin/"))
    assert AuditEvent.objects.filter(action="approval.lapsed").count() == 1


def test_a_command_that_shows_content_runs_once_it_is_approved(
    at_second: Client, owner: User, second: User, boss: User, capsys: Any
) -> None:
    session_of(owner)
    code = "from memory.models import Session; [row.title for row in Session.objects.all()]"
    read = partial(call_command, "shell", command=code, reason=REASON)
    with pytest.raises(CommandError, match="name an admin"):
        read(operator="owner")
    read(operator="boss")
    assert "waits for a second person" in capsys.readouterr().out
    assert "Approved and done" in approve(at_second, waiting())
    read(operator="boss")
    assert EmergencyAccess.objects.get(owner=owner).approved_by_id == second.pk
    PendingAct.objects.update(decided_at=timezone.now() - timedelta(minutes=31))
    read(operator="boss")
    assert waiting()


def test_nothing_is_done_for_who_lost_the_right_nor_to_what_is_gone(
    at_admin: Client, at_second: Client, boss: User, owner: User
) -> None:
    session = session_of(owner)
    ask(at_admin, "session_erase", session.pk, {})
    session.delete()
    assert "There is nothing here." in approve(at_second, waiting())
    is_done = ask_to_open(at_admin, owner)
    User.objects.filter(pk=boss.pk).update(is_superuser=False)
    assert "no longer has the right to do it" in approve(at_second, waiting())
    assert not is_done()
    states = PendingAct.objects.values_list("status", flat=True)
    assert set(states) == {"failed"}
    failed = AuditEvent.objects.filter(action="approval.done", outcome="failed")
    assert failed.count() == 2


def test_an_act_is_shown_only_to_those_who_may_do_it(at_admin: Client, owner: User) -> None:
    ask_to_erase(at_admin, owner)
    clerk = person("clerk", is_staff=True)
    few = Permission.objects.filter(codename__in=["view_pendingact", "add_legalhold"])
    clerk.user_permissions.set(few)
    client = Client()
    client.force_login(clerk)
    for name in ("change", "approve"):
        place = reverse(f"admin:memory_pendingact_{name}", args=[waiting().pk])
        assert client.get(place).status_code in (302, 404)
    assert "Nothing is found." in words(
        client.get(reverse("admin:memory_pendingact_changelist"), {"q": owner.pk})
    )
    assert approvals.get_title("erase_account") == "Erase"


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_two_approvals_at_once_run_the_act_once(owner: User, boss: User, second: User) -> None:
    with pytest.raises(approvals.AwaitingApproval):
        approvals.submit(
            "open_conversations", owner.pk, by=boss, right="memory.add_emergencyaccess",
            reason=REASON, session=None,
        )  # fmt: skip
    third = forget_rights(person("third", is_staff=True, is_superuser=True))
    pending, ready = waiting(), Barrier(2)
    ends: list[str] = []

    def approve_at_once(approver: User) -> None:
        ready.wait()
        try:
            approvals.approve(pending, approver=approver)
            ends.append("done")
        except approvals.Decided:
            ends.append("decided")
        finally:
            connections.close_all()

    threads = [Thread(target=approve_at_once, args=[each]) for each in (second, third)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ends) == ["decided", "done"]
    assert EmergencyAccess.objects.count() == 1
