"""The feed: every audit event, in the chain's order and at least once, to each external receiver.

A receiver has a cursor that moves when a batch is accepted. If a process dies in between, the batch
is sent again with the same numbers. Addresses and reasons are sent as digests only.
"""

import hashlib
import json
import logging
from collections.abc import Sequence
from datetime import timedelta
from urllib.parse import urlsplit
from uuid import UUID

import httpx2
from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from memory import jobs
from memory.audit import chain, destinations
from memory.audit.integrity import keeping
from memory.audit.integrity.checking import read_rows
from memory.errors import describe_error
from memory.models import AuditEvent, AuditFeed, AuditLink, Job

log = logging.getLogger(__name__)

FEED = jobs.register_kind("audit_feed", jobs.WorkClass.BULK, jobs.AuditClass.DERIVED)
EVERYONE = UUID(int=1)
BATCH = 200
BATCHES_AT_ONCE = 50  # then other work runs
# Time for which a dead sender blocks its receiver.
CLAIM = timedelta(minutes=1)
LONGEST_DELAY = timedelta(minutes=5)
LATE = timedelta(minutes=15)


def enqueue_feed() -> None:
    """Enqueue the feed if a receiver is behind and may be tried."""
    if not settings.AUDIT_FEED:
        return
    end = chain.get_end()[0]
    is_due = any(row.number < end and row.is_due for _place, row in _list_cursors())
    if is_due and not Job.objects.unfinished().filter(kind=FEED).exists():
        jobs.enqueue(FEED, EVERYONE)


@jobs.job(FEED)
def feed_receivers(lease: jobs.Lease) -> None:
    """Send each receiver its next events, as far as it accepts them; keep only the newest job."""
    for place, row in _list_cursors():
        AuditFeed.objects.bulk_create([row], ignore_conflicts=True)
        _feed(place, AuditFeed.objects.get(pk=row.pk), lease.pulse)
    with lease.finishing():
        done = Job.objects.filter(kind=FEED, subject=EVERYONE, status=Job.Status.DONE)
        done.exclude(pk=lease.job_id).delete()


def measure_lag() -> tuple[int, float]:
    """Return how many events the slowest receiver lacks, and the age of the first in seconds."""
    numbers = [row.number for _place, row in _list_cursors()]
    first = (
        AuditLink.objects.filter(number__gt=min(numbers)) if numbers else AuditLink.objects.none()
    )
    link = first.order_by("number").first()
    event = AuditEvent.objects.filter(pk=link.event_id).first() if link else None
    if link is None or event is None:
        return 0, 0.0
    age = (timezone.now() - event.at).total_seconds()
    return chain.get_end()[0] - link.number + 1, max(0.0, age)


def filter_taken(events: "QuerySet[AuditEvent]") -> "QuerySet[AuditEvent]":
    """Filter the events that each receiver has accepted; all of them without a receiver."""
    numbers = [row.number for _place, row in _list_cursors()]
    if not numbers:
        return events
    taken = AuditLink.objects.filter(event_id=OuterRef("pk"), number__lte=min(numbers))
    return events.filter(Exists(taken))


def _list_cursors() -> list[tuple[str, AuditFeed]]:
    """Return each address with its cursor, a new one at the log's beginning."""
    names = {place: _name(place) for place in settings.AUDIT_FEED}
    known = AuditFeed.objects.in_bulk(list(names.values()))
    return [(place, known.get(name) or AuditFeed(name=name)) for place, name in names.items()]


def _name(place: str) -> str:
    """Return a digest of the address without its credentials, which may change."""
    parts = urlsplit(place)
    bare = f"{parts.scheme}://{parts.hostname}:{parts.port}{parts.path}"
    return hashlib.sha256(bare.encode()).hexdigest()


def _feed(place: str, row: AuditFeed, pulse: jobs.Pulse) -> None:
    if not row.is_due or not _change(row, retry_at=timezone.now() + CLAIM):
        return
    for _number in range(BATCHES_AT_ONCE):
        last, documents = _read_batch(row.number, as_one=place.startswith("http"))
        if last == row.number:
            break
        pulse()
        try:
            destinations.send(documents, place)
        except (OSError, httpx2.HTTPError) as error:
            _put_off(row, error)
            return
        taken = {"number": last, "failing_since": None, "is_late": False}
        if not _change(row, **taken, retry_at=timezone.now() + CLAIM):
            return
    _change(row, retry_at=timezone.now())


def _change(row: AuditFeed, **values: object) -> bool:
    """Change the row unless another sender has claimed it."""
    ours = AuditFeed.objects.filter(pk=row.pk, retry_at=row.retry_at)
    for name, value in values.items():
        setattr(row, name, value)
    return bool(ours.update(**values))


def _read_batch(number: int, *, as_one: bool) -> tuple[int, Sequence[str]]:
    """Read the events after the number: the last number, and JSON of each, or of all together."""
    rows = next(read_rows(number, BATCH), [])
    # A deleted event has no values: the check reports it.
    events = [
        {"number": at, "head": bytes(head).hex(), **dict(zip(chain.FIELDS, values, strict=True))}
        for at, _event, _digest, head, _mac, is_missing, *values in rows
        if not is_missing
    ]
    documents = [json.dumps(event, separators=(",", ":")) for event in events]
    if as_one and documents:
        documents = [f"[{','.join(documents)}]"]
    return (rows[-1][0] if rows else number), documents


def _put_off(row: AuditFeed, error: Exception) -> None:
    """Retry after as long as it has failed, within limits; raise the alarm once it is late."""
    now = timezone.now()
    since = row.failing_since or now
    is_late = now - since >= LATE
    log.warning("audit_feed_not_taken", extra={"receiver": row.name[:8], **describe_error(error)})
    if is_late and not row.is_late:
        log.error("audit_feed_late", extra={"receiver": row.name[:8]})
        keeping.tell_staff(
            _("The audit log isn't taken"),
            [_("A receiver of AUDIT_FEED has taken nothing since %(time)s.") % {"time": since}],
        )
    delay = min(max(now - since, timedelta(seconds=1)), LONGEST_DELAY)
    _change(row, failing_since=since, is_late=is_late, retry_at=now + delay)
