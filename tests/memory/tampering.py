"""Nine ways to tamper with the audit log, by someone who writes the database but has no key.

Each takes the number of an event up to the last anchor, and a source of chance.
"""

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

from django.db import connection
from django.db.models import F
from uuid_utils.compat import uuid7

from memory.audit import append_only, chain
from memory.audit.integrity import pruning
from memory.models import AuditAnchor, AuditEvent, AuditLink, AuditStub

Tampering = Callable[[int, Random], None]
TABLES = ("memory_auditevent", "memory_auditlink", "memory_auditstub")
# Changes to events that an attacker may want.
LIES: tuple[dict[str, Any], ...] = (
    {"action": "nothing"},
    {"actor_id": uuid7()},
    {"subject_id": None},
    {"outcome": "failed"},
    {"operator": "somebody"},
    {"credential": "token:another"},
    {"on_behalf_of_id": uuid7()},
    {"mac": None, "action": "nothing"},
)


def drop_triggers() -> None:
    with connection.cursor() as cursor:
        for table in TABLES:
            verbs = append_only.SQLITE if connection.vendor == "sqlite" else append_only.POSTGRESQL
            for verb in verbs:
                end = "" if connection.vendor == "sqlite" else f" ON {table}"
                cursor.execute(f"DROP TRIGGER {table}_no_{verb}{end}")


def edit(at: int, random: Random) -> None:
    _find_event(at).update(**random.choice(LIES))


def edit_and_rehash(at: int, random: Random) -> None:
    edit(at, random)
    rehash(at)


def delete(at: int, random: Random) -> None:
    _find_event(at).delete()


def delete_and_renumber(at: int, random: Random) -> None:
    delete(at, random)
    AuditLink.objects.filter(number=at).delete()
    later = AuditLink.objects.filter(number__gt=at)
    later.update(number=-F("number"))
    AuditLink.objects.filter(number__lt=0).update(number=-F("number") - 1)
    AuditAnchor.objects.filter(number__gte=at).delete()
    rehash(at)


def swap(at: int, random: Random) -> None:
    one, two = AuditLink.objects.get(number=at), random.choice(_list_others(at))
    AuditLink.objects.filter(number__in=(at, two.number)).delete()
    one.number, two.number = two.number, one.number
    AuditLink.objects.bulk_create([one, two])
    if random.random() < 0.5:
        rehash(min(one.number, two.number))


def insert(at: int, random: Random) -> None:
    event = _find_event(at).get()
    mac = random.choice([None, bytes(32), event.mac])
    AuditEvent.objects.create(action="test.inserted", at=event.at, mac=mac)


def cut_tail(at: int, random: Random) -> None:
    tail = AuditLink.objects.filter(number__gte=at)
    AuditEvent.objects.filter(pk__in=list(tail.values_list("event_id", flat=True))).delete()
    tail.delete()
    AuditAnchor.objects.filter(number__gte=at).delete()


def replace_all(at: int, random: Random) -> None:
    count = AuditEvent.objects.count()
    for model in (AuditEvent, AuditLink, AuditStub, AuditAnchor):
        model.objects.all().delete()
    for _number in range(count):
        AuditEvent.objects.create(action="test.harmless")
    chain.extend()  # as the product's own job would


def redate(at: int, random: Random) -> None:
    event = _find_event(at).get()
    away = timedelta(seconds=random.choice([-1, 1]) * random.randint(1, 10**6))
    _find_event(at).update(at=event.at + away)
    if random.random() < 0.5:
        rehash(at)


TAMPERINGS: tuple[Tampering, ...] = (
    edit,
    edit_and_rehash,
    delete,
    delete_and_renumber,
    swap,
    insert,
    cut_tail,
    replace_all,
    redate,
)


def rehash(first: int) -> None:
    """Make digests and heads fit again from the link on; their MACs need the key."""
    number, head = first - 1, pruning._get_head(first - 1)
    for link in AuditLink.objects.filter(number__gte=first).order_by("number"):
        if stub := AuditStub.objects.filter(last=link.number - 1).first():
            head = bytes(stub.after)
        if event := AuditEvent.objects.filter(pk=link.event_id).first():
            link.digest = chain.digest_event(event)
        number, head = link.number, chain.compute_next_head(head, link.number, bytes(link.digest))
        AuditLink.objects.filter(number=number).update(digest=link.digest, head=head)


def _find_event(number: int) -> Any:
    return AuditEvent.objects.filter(pk=AuditLink.objects.get(number=number).event_id)


def _list_others(number: int) -> list[AuditLink]:
    return list(AuditLink.objects.exclude(number=number))
