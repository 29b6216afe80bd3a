"""Recording of what was done; a record is written in the transaction of the act itself."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.db import models

from memory.audit import chain, circumstances
from memory.models import AuditDetail, AuditEvent, User
from memory.postgresql.scope import acting_as

Outcome = AuditEvent.Outcome
# The address and the reason themselves are kept so long; their digests stay.
DETAIL_LIFETIME = timedelta(days=90)
LONGEST_REASON = 300
SIGN_INS = ("signed_in", "signed_in_by_link", "signed_out")
USER = "memory.user"


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
    _keep_detail(event)


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


def _keep_detail(event: AuditEvent, reason: str = "") -> None:
    """Keep a reason, and the address of a sign-in or a refusal, sealed under the person's key."""
    is_wanted = reason or event.outcome != Outcome.DONE or event.action in SIGN_INS
    person = event.actor_id or (event.subject_id if event.subject == USER else None)
    if not is_wanted or not person:
        return
    with acting_as(person):
        if User.objects.filter(pk=person).exists():
            detail = AuditDetail(event_id=event.pk, owner_id=person, created_at=event.at)
            detail.reason = reason.strip()[:LONGEST_REASON]
            detail.address = circumstances.get().address
            detail.save(force_insert=True)
