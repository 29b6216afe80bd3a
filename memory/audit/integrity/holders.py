"""The rights of accounts and roles, compared with those that the audit last recorded."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django.contrib.auth.models import Group

from memory.audit import chain, recording
from memory.models import AuditEvent, User
from memory.models.people import FLAGS, IS_STAFF

SEEN = "audit.rights_seen"
# Acts that may give rights, and all acts that change them.
GIVEN = ("rights.changed", "superuser.made")
CHANGED = (*GIVEN, "superuser.ended")


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
    roles = _read_pairs(User.groups.through, "user_id", "group_id")
    permissions = _read_pairs(User.user_permissions.through, "user_id", "permission_id")
    staff = User.objects.filter(IS_STAFF).values_list("pk", flat=True)
    ids: set[UUID | str] = {*known, *staff, *roles, *permissions}
    for key, *flags in User.objects.filter(pk__in=ids).values_list("pk", *FLAGS):
        yield key.hex, [*flags, roles[key], permissions[key]]
    of_roles = _read_pairs(Group.permissions.through, "group_id", "permission_id")
    for role in Group.objects.values_list("pk", flat=True):
        yield UUID(int=role).hex, [of_roles[role]]


def _read_pairs(table: Any, holder: str, held: str) -> defaultdict[Any, list[int]]:
    """Return the ids that each holder has in the table, sorted; one query."""
    pairs: defaultdict[Any, list[int]] = defaultdict(list)
    for key, pk in table._default_manager.order_by(held).values_list(holder, held):
        pairs[key].append(pk)
    return pairs
