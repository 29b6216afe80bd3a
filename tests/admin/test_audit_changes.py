"""Changed rights are recorded with old and new values, and reasons in words that erasure takes."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.test import Client

from memory import audit, holds
from memory.audit import append_only, chain, configuration
from memory.audit.integrity import holders, keeping
from memory.audit.integrity.checking import check
from memory.forgetting.erasure import execution, requests
from memory.jobs.queue import run_due
from memory.models import AuditDetail, AuditEvent, ErasureRequest, User
from memory.people.staff import rights
from memory.people.staff.operators import get_operator

pytestmark = pytest.mark.django_db

VIEW = "memory.view_auditevent"


def changes(**lookup: Any) -> list[tuple[str, Any]]:
    events = AuditEvent.objects.filter(**lookup).exclude(change="").order_by("id")
    return [(event.action, json.loads(event.change or "")) for event in events]


def permission() -> Permission:
    return Permission.objects.get(codename="view_auditevent")


def save_flag(person: User) -> None:
    person.is_staff = True
    person.save()


def bulk_update_flag(person: User) -> None:
    person.is_active = False
    User.objects.bulk_update([person], ["is_active", "first_name"])


def add_group(person: User) -> None:
    person.groups.add(Group.objects.create(name="Audit"))


def add_from_group(person: User) -> None:
    Group.objects.create(name="Audit").user_set.set([person])


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (save_flag, {"is_staff": [False, True]}),
        (
            lambda person: User.objects.filter(is_staff=False).update(is_staff=True),
            {"is_staff": [False, True]},
        ),
        (bulk_update_flag, {"is_active": [True, False]}),
        (add_group, {"groups": [[], ["Audit"]]}),
        (add_from_group, {"groups": [[], ["Audit"]]}),
        (
            lambda person: person.user_permissions.set([permission()]),
            {"user_permissions": [[], [VIEW]]},
        ),
    ],
)
def test_rights_that_a_shell_changes_are_recorded_with_old_and_new(
    owner: User, change: Callable[[User], None], expected: Any
) -> None:
    change(owner)
    owner.refresh_from_db()
    owner.save()
    assert changes(subject_id=owner.pk) == [("rights.changed", expected)]
    (event,) = AuditEvent.objects.filter(action="rights.changed")
    assert (event.actor_id, event.operator) == (None, get_operator())


def test_accounts_made_at_once_and_rights_that_are_deleted_are_recorded(owner: User) -> None:
    (root,) = User.objects.bulk_create([User(username="root", is_superuser=True)])
    assert changes(subject_id=root.pk) == [("superuser.made", {"is_superuser": [False, True]})]
    owner.user_permissions.add(permission())
    Permission.objects.filter(pk=permission().pk).delete()
    assert [change for _action, change in changes(subject_id=owner.pk)] == [
        {"user_permissions": [[], [VIEW]]},
        {"user_permissions": [[VIEW], []]},
    ]


def test_a_group_that_is_deleted_takes_its_rights_from_its_members(owner: User) -> None:
    group = Group.objects.create(name="Audit")
    group.permissions.add(permission())
    group.user_set.add(owner)
    group.user_set.clear()
    group.user_set.add(owner)
    group.delete()
    given, taken = {"groups": [[], ["Audit"]]}, {"groups": [["Audit"], []]}
    assert changes(subject_id=owner.pk) == [
        ("rights.changed", each) for each in (given, taken, given, taken)
    ]
    assert changes(subject="auth.group") == [
        ("rights.changed", {"permissions": [[], [VIEW]]}),
        ("rights.changed", {"permissions": [[VIEW], []]}),
    ]
    keeping.extend_and_anchor()
    assert check().faults == []


def test_making_a_superuser_has_its_own_act_in_the_admin_and_by_command(
    at_admin: Client, boss: User, owner: User
) -> None:
    page = f"/admin/memory/user/{owner.pk}/change/"
    assert (
        at_admin.post(page, {"username": owner.username, "is_superuser": "on"}).status_code == 302
    )
    (event,) = AuditEvent.objects.filter(action="superuser.made", subject_id=owner.pk)
    assert (event.actor_id, event.operator) == (boss.pk, None)
    assert json.loads(event.change or "") == {"is_superuser": [False, True]}
    assert at_admin.post(page, {"username": owner.username}).status_code == 302
    assert AuditEvent.objects.filter(action="superuser.ended", actor_id=boss.pk).exists()
    call_command("createsuperuser", interactive=False, username="root", email="r@example.org")
    root = User.objects.get(username="root")
    assert changes(subject_id=root.pk)[0][0] == "superuser.made"


@pytest.mark.postgresql
def test_rights_that_sql_changed_are_found_until_the_application_changes_them(
    owner: User, boss: User, settings, tmp_path: Path, django_assert_max_num_queries
) -> None:
    settings.AUDIT_ANCHORS = [f"file://{tmp_path / 'anchors.jsonl'}"]
    role = Group.objects.create(name="Audit")
    assert keeping.watch().faults == []
    role.permissions.add(permission())
    owner.groups.add(role)
    assert keeping.watch().faults == []
    with connection.cursor() as cursor:
        cursor.execute("UPDATE memory_user SET is_superuser = %s", [True])
        cursor.execute("DELETE FROM auth_group_permissions")
    found = [
        f"the rights of {key} were changed outside the application"
        for key in sorted((owner.pk.hex, UUID(int=role.pk).hex))
    ]
    for _time in range(2):
        assert keeping.watch().faults == found
    User.objects.filter(pk=owner.pk).update(is_superuser=False)
    role.permissions.add(permission())
    assert keeping.watch().faults == []
    with django_assert_max_num_queries(7):  # however many have rights
        assert holders.find_unrecorded_changes() == []
    with append_only.deletion_allowed():
        User.objects.all().delete()
    assert keeping.watch().faults == []


@pytest.mark.django_db(transaction=True)
def test_no_right_changes_that_can_not_be_recorded(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **options: Any) -> None:
        raise DatabaseError("disk full")

    monkeypatch.setattr(rights.audit, "record", fail)
    owner.is_superuser = True
    with pytest.raises(DatabaseError):
        owner.save()
    assert not User.objects.get(pk=owner.pk).is_superuser


def test_a_reason_is_one_bounded_line_without_directions() -> None:
    hostile = "Case\r\n[31m 1‮2​" + "x" * 1000
    cleaned = audit.clean_reason(hostile)
    assert cleaned.startswith("Case [31m 1 2 x")
    assert len(cleaned) == 300
    assert cleaned.isprintable()


def test_the_reason_of_a_hold_goes_with_its_person_and_its_digest_stays(
    owner: User, boss: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execution.scrubbing, "scrub", lambda pulse, **only: [])
    monkeypatch.setattr(execution.scanning, "search", lambda samples, not_ours, pulse: [])
    hold = holds.place(owner, reason="Case\n4711", author=boss)
    (event,) = AuditEvent.objects.filter(action="hold.placed")
    assert event.reason == chain.compute_keyed_digest("Case 4711")
    detail = AuditDetail.objects.get(event_id=event.pk)
    assert (detail.owner_id, detail.reason) == (owner.pk, "Case 4711")
    holds.release(hold, actor=boss)
    keeping.extend_and_anchor()
    request = requests.ask(owner, ErasureRequest.Scope.ACCOUNT, actor=owner.pk)
    requests.confirm(request, actor=owner.pk, at_once=True)
    run_due()
    assert not User.objects.filter(pk=owner.pk).exists()
    assert not AuditDetail.objects.filter(event_id=event.pk).exists()
    keeping.extend_and_anchor()
    assert check().faults == []


def test_the_reason_of_an_operator_is_in_the_row_of_the_act(at_admin: Client, owner: User) -> None:
    call_command("create_token", owner.username, "--reason", "Nightly import", stderr=StringIO())
    act = AuditEvent.objects.get(action="token.by_operator")
    assert act.reason == chain.compute_keyed_digest("Nightly import")
    assert AuditDetail.objects.get(event_id=act.pk).owner_id == owner.pk
    shown = at_admin.get(f"/admin/memory/auditevent/{act.pk}/change/").content.decode()
    assert "Nightly import" in shown


def test_settings_that_a_start_changed_are_recorded_once_without_secrets(
    settings: Any, db: None
) -> None:
    settings.AUDIT_FEED = ["https://:hidden@siem.example/in?token=hidden"]
    configuration.record_settings()
    configuration.record_settings()
    assert not AuditEvent.objects.filter(action="settings.changed").exists()
    settings.TURNS_PER_HOUR, settings.SECRET_KEY = 7, "hidden" * 9
    settings.AUDIT_FEED = ["https://:hidden2@other.example/in?token=hidden"]
    settings.WORKER_CLASSES = ["bulk"]
    for _process in range(2):
        configuration.record_settings()
    ((_action, changed),) = changes(action="settings.changed")
    assert changed.keys() == {"TURNS_PER_HOUR", "AUDIT_FEED"}
    assert changed["TURNS_PER_HOUR"][1] == "7"
    assert changed["AUDIT_FEED"] == ['["https://siem.example/in"]', '["https://other.example/in"]']
