"""The chain over the audit log, which reveals an edit of the database.

Each event has a digest (SHA-256 of its canonical form) and a MAC under a key that no database has.
A job gives each new event the next number: its head is SHA-256(previous head, number, digest), its
MAC is over the head. Heads can be checked without a key, and MACs without an anchor. The job is
separate from the acts, so that acts never wait for one another. Until it has run (a few seconds),
an event has only its own MAC, and its deletion isn't detected.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, timedelta
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet

from memory.models import AuditEvent, AuditLink, AuditStub
from memory.sealing.signing import derive_keys

FIELDS = (
    "id at actor_id on_behalf_of_id credential action subject subject_id operator outcome request "
    "address reason purpose change"
).split()
FIRST_HEAD = bytes(32)
LINKS_AT_ONCE = 2000
# An event is linked if its transaction lasts no longer than this.
LATEST_COMMIT = timedelta(minutes=15)
LOCK = 0x7468_6175  # of PostgreSQL, for the length of a transaction


def get_keys() -> Sequence[bytes]:
    """Return the keys of MACs, the current one first."""
    return derive_keys(b"audit chain")


def sign_event(event: AuditEvent) -> bytes:
    """Return the MAC of the event."""
    return hmac.digest(get_keys()[0], digest_event(event), "sha256")


def digest_event(event: AuditEvent) -> bytes:
    """Return the digest of the event's canonical form."""
    return digest(next(_list_forms(_list_values(event))))


def digest(values: Sequence[str | None]) -> bytes:
    """Return the digest of an event's values, as texts in the order of FIELDS."""
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).digest()


def find_form(values: Sequence[str | None], expected: bytes) -> Sequence[str | None] | None:
    """Find the form of the values that has the digest."""
    return next((form for form in _list_forms(values) if digest(form) == expected), None)


def _list_forms(values: Sequence[str | None]) -> Iterator[Sequence[str | None]]:
    """Yield the canonical forms of the values.

    Events from before the field `change` were recorded without it, so an empty one has two forms.
    """
    if values[-1] is None:
        yield values[:-1]
    yield values


def compute_next_head(before: bytes, number: int, event_digest: bytes) -> bytes:
    """Return the chain's head at an event."""
    return hashlib.sha256(before + number.to_bytes(8) + event_digest).digest()


def compute_keyed_digest(text: str) -> str:
    """Return a digest of an address or a reason, which can't be guessed without the key."""
    return hmac.digest(get_keys()[-1], text.encode(), "sha256").hex()[:32] if text else ""


def has_own_mac(event: AuditEvent) -> bool:
    """Return whether this product recorded the event in its present form."""
    digests = map(digest, _list_forms(_list_values(event)))
    return event.mac is not None and any(is_mac(each, bytes(event.mac)) for each in digests)


def is_mac(message: bytes, mac: bytes) -> bool:
    """Return whether the MAC is the message's, under any of the keys."""
    expected = (hmac.digest(key, message, "sha256") for key in get_keys())
    return any(hmac.compare_digest(each, mac) for each in expected)


def _list_values(event: AuditEvent) -> list[str | None]:
    return [_format_value(getattr(event, name)) for name in FIELDS]


def _format_value(value: Any) -> str | None:
    if isinstance(value, UUID):
        return value.hex
    if hasattr(value, "astimezone"):
        return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
    return None if value is None else str(value)


# --- Links ----------------------------------------------------------------------------------------


def extend() -> int:
    """Link the events without a link; return how many.

    Events from before the chain have no MAC and are linked when the chain begins. A later event
    without a MAC was recorded by another program: it is skipped, and the check reports it.
    """
    if not list_unlinked().exists():  # asked all the time: no writer waits for it
        return 0
    with hold_chain():
        number, head = get_end()
        is_beginning = number < 0
        links = []
        for event in list_unlinked()[:LINKS_AT_ONCE]:
            if not (is_beginning and event.mac is None) and not has_own_mac(event):
                continue
            number, event_digest = number + 1, digest_event(event)
            head = compute_next_head(head, number, event_digest)
            links.append(_link(number, event, event_digest, head))
        AuditLink.objects.bulk_create(links)
    return len(links)


def _link(number: int, event: AuditEvent, event_digest: bytes, head: bytes) -> AuditLink:
    mac = hmac.digest(get_keys()[0], head, "sha256")
    return AuditLink(number=number, event_id=event.pk, digest=event_digest, head=head, mac=mac)


@contextmanager
def hold_chain() -> Iterator[None]:
    """Lock the chain, in a transaction of its own."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        yield


def get_end() -> tuple[int, bytes]:
    """Return the number and the head of the chain's end: -1 for an empty chain."""
    link = AuditLink.objects.order_by("-number").first()
    stub = AuditStub.objects.order_by("-first").first()
    if stub and (link is None or stub.last > link.number):
        return stub.last, bytes(stub.after)
    return (link.number, bytes(link.head)) if link else (-1, FIRST_HEAD)


def list_unlinked(*, is_whole: bool = False) -> "QuerySet[AuditEvent]":
    """Return the events without a link, the oldest first: recent ones, or of the whole log."""
    linked = AuditLink.objects.filter(event_id=OuterRef("pk"))
    events = AuditEvent.objects.filter(~Exists(linked)).order_by("id")
    if is_whole:
        return events
    if last := AuditLink.objects.order_by("-number").values_list("event_id", flat=True).first():
        margin = int(LATEST_COMMIT.total_seconds() * 1000)
        moment = max(0, (last.int >> 80) - margin)
        events = events.filter(id__gte=UUID(int=moment << 80))
    return events
