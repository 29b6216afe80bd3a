"""The rights of accounts and roles, compared with those that the audit last recorded."""

import json
from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django.contrib.auth.models import Group

from memory.audit import chain, recording
from memory.models import AuditEvent, User
from memory.models.people import FLAGS, IS_STAFF

SEEN = "audit.rights_seen"
CHANGED = ("rights.changed", "superuser.made", "superuser.ended")


def find_unrecorded_changes() -> list[str]:
    """Name the holders whose rights changed without an event; where none did, record all rights."""
    newest = AuditEvent.objects.filter(action=SEEN).order_by("-id")[:1]
    last = next(filter(chain.has_own_mac, newest), None)  # the chain's check finds another
    before = json.loads(last.change or "") if last else {}
    now = dict(_read_rights(before))
    changed = {key for key, rights in now.items() if last and rights != before.get(key)}
    if last and changed:
        events = AuditEvent.objects.newer(last.at, chain.LATEST_COMMIT).filter(action__in=CHANGED)
        known = events.filter(subject_id__in=changed).values_list("subject_id", flat=True)
        changed -= {key.hex for key in known if key}
    if now != before and not changed:
        recording.record(SEEN, actor=None, change=json.dumps(now))
    return [f"the rights of {key} were changed outside the application" for key in sorted(changed)]


def _read_rights(known: Iterable[str]) -> Iterator[tuple[str, list[Any]]]:
    """Yield the flags, roles and permissions of accounts that have or had some, and of roles."""
    ids: set[UUID | str] = {*known, *User.objects.filter(IS_STAFF).values_list("pk", flat=True)}
    for table in (User.groups.through, User.user_permissions.through):
        ids.update(table._default_manager.values_list("user_id", flat=True))
    for user in User.objects.filter(pk__in=ids):
        flags = [getattr(user, name) for name in FLAGS]
        yield user.pk.hex, [*flags, _list_ids(user.groups), _list_ids(user.user_permissions)]
    for group in Group.objects.all():
        yield UUID(int=group.pk).hex, [_list_ids(group.permissions)]


def _list_ids(rows: Any) -> list[int]:
    return sorted(rows.values_list("pk", flat=True))
