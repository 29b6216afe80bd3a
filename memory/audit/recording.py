"""Recording of what was done; a record is written in the transaction of the act itself."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.db import models

from memory.audit import chain, circumstances
from memory.models import AuditDetail, AuditEvent, User

Outcome = AuditEvent.Outcome
# The address and the reason themselves are kept so long; their digests stay.
DETAIL_LIFETIME = timedelta(days=90)
LONGEST_REASON = 300


def record(
    action: str,
    *,
    actor: UUID | None,
    subject: models.Model | None = None,
    operator: str | None = None,
    outcome: str = Outcome.DONE,
    reason: str = "",
) -> AuditEvent:
    """Write one audit event: ids and names of actions only, never content."""
    event = _make_event(action, actor, subject)
    event.operator, event.outcome = operator, outcome
    event.reason = chain.keyed_digest(reason)
    event.mac = chain.sign_event(event)
    event.save(force_insert=True)
    _keep_detail(event, reason)
    return event


def record_access(
    action: str, actor: UUID | None, subject: str, subject_id: UUID | None, *, outcome: str
) -> None:
    """Write one event of a read or of a refused attempt, by the label and id of its object."""
    event = _make_event(action, actor, None)
    event.subject, event.subject_id, event.outcome = subject, subject_id, outcome
    event.mac = chain.sign_event(event)
    event.save(force_insert=True)


def record_all(action: str, subjects: Sequence[models.Model]) -> None:
    """Write an event for each of the rows, which nobody in person did."""
    events = [_make_event(action, None, row) for row in subjects]
    for event in events:
        event.mac = chain.sign_event(event)
    AuditEvent.objects.bulk_create(events)


def _make_event(action: str, actor: UUID | None, subject: models.Model | None) -> AuditEvent:
    known = circumstances.get()
    return AuditEvent(
        action=action,
        actor_id=actor,
        subject=subject._meta.label_lower if subject else "",
        subject_id=subject.pk if subject else None,
        outcome=Outcome.DONE,
        on_behalf_of_id=known.on_behalf_of,
        credential=known.credential,
        request=known.request,
        address=chain.keyed_digest(known.address),
        reason="",
        purpose=known.purpose,
    )


def _keep_detail(event: AuditEvent, reason: str) -> None:
    """Keep a reason in words, sealed under the key of whom the event is by."""
    if reason and event.actor_id and User.objects.filter(pk=event.actor_id).exists():
        detail = AuditDetail(event_id=event.pk, owner_id=event.actor_id)
        detail.reason = reason.strip()[:LONGEST_REASON]
        detail.expires_at = event.at + DETAIL_LIFETIME
        detail.save(force_insert=True)
