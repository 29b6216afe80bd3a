"""Audit events of changed rights, by form, API, shell or command, with old and new values."""

import json
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth.models import Group, Permission
from django.db.models import Model
from django.db.models.signals import m2m_changed, post_save, pre_delete, pre_save

from memory import audit
from memory.audit import circumstances
from memory.models import User
from memory.models.people import FLAGS, flags_changed
from memory.people.staff.operators import find_operator

LABELS = {
    "groups": ("name",),
    "user_permissions": ("content_type__app_label", "codename"),
    "permissions": ("content_type__app_label", "codename"),
}
TABLES = {
    User.groups.through: "groups",
    User.user_permissions.through: "user_permissions",
    Group.permissions.through: "permissions",
}
Changes = Mapping[str, tuple[object, object]]
Flags = Mapping[str, bool]


def listen() -> None:
    """Record changed rights from now on."""
    pre_save.connect(_keep_flags, sender=User, dispatch_uid="rights:before")
    post_save.connect(_compare_flags, sender=User, dispatch_uid="rights:after")
    for table in TABLES:
        m2m_changed.connect(_follow_members, sender=table, dispatch_uid=f"rights:{table}")
    flags_changed.connect(_compare_accounts, dispatch_uid="rights:accounts")
    for model in (Group, Permission):
        pre_delete.connect(_empty, sender=model, dispatch_uid=f"rights:{model.__name__}")


def _keep_flags(instance: User, update_fields: Iterable[str] | None, **event: Any) -> None:
    is_concerned = update_fields is None or set(FLAGS) & set(update_fields)
    before = User.objects.filter(pk=instance.pk).values(*FLAGS).first() if is_concerned else None
    instance.__dict__["rights_before"] = (before or FLAGS) if is_concerned else None


def _compare_flags(instance: User, update_fields: Iterable[str] | None, **event: Any) -> None:
    before = instance.__dict__.pop("rights_before", None) or {}
    saved = [name for name in before if update_fields is None or name in update_fields]
    _record(instance, {name: (before[name], getattr(instance, name)) for name in saved})


def _compare_accounts(
    before: Mapping[UUID, Flags], after: Mapping[UUID, Flags], **event: Any
) -> None:
    for key, flags in after.items():
        _record(User(pk=key), {name: (before[key][name], flags[name]) for name in FLAGS})


def _follow_members(
    sender: Any, instance: Model, action: str, reverse: bool, model: Any, pk_set: Any, **event: Any
) -> None:
    """Compare the members of each holder before and after the change."""
    name = TABLES[sender]
    if action.startswith("pre_"):
        holders: Iterable[Model] = [instance]
        if reverse:
            having = {name: instance.pk} if pk_set is None else {"pk__in": pk_set}
            holders = model.objects.filter(**having)
        instance.__dict__[name] = [(holder, _list_members(holder, name)) for holder in holders]
        return
    for holder, before in instance.__dict__.pop(name, ()):
        _record(holder, {name: (before, _list_members(holder, name))})


def _empty(instance: Group | Permission, **event: Any) -> None:
    """Remove a group or a right from its holders, which its deletion would not signal."""
    instance.user_set.clear()
    (instance.permissions if isinstance(instance, Group) else instance.group_set).clear()


def _list_members(holder: Model, name: str) -> list[str]:
    rows = getattr(holder, name).values_list(*LABELS[name])
    return sorted(".".join(row) for row in rows)


def _record(holder: Model, compared: Changes) -> None:
    changes = {name: values for name, values in compared.items() if values[0] != values[1]}
    if not changes:
        return
    action = "rights.changed"
    if "is_superuser" in changes:
        action = "superuser.made" if changes["is_superuser"][1] else "superuser.ended"
    audit.record(
        action,
        actor=circumstances.get().actor,
        subject=holder,
        operator=find_operator(),
        change=json.dumps(changes),
    )
