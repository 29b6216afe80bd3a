"""Recording of acts; an audit event is written in the transaction of its act."""

import unicodedata
from collections.abc import Sequence
from contextlib import nullcontext
from datetime import timedelta
from uuid import UUID

from django.db import models

from memory import jobs
from memory.audit import chain, circumstances
from memory.models import AuditAddress, AuditDetail, AuditEvent, ErasureRequest, User
from memory.postgresql.scope import assume_person

Outcome = AuditEvent.Outcome
# Lifetime of a reason in words; its digest stays.
DETAIL_LIFETIME = timedelta(days=90)
LONGEST_REASON = 300
USER = "memory.user"


def record(
    action: str,
    *,
    actor: UUID | None,
    subject: models.Model | None = None,
    operator: str | None = None,
    outcome: str = Outcome.DONE,
    reason: str = "",
    about: UUID | None = None,
    change: str = "",
) -> AuditEvent:
    """Write one audit event: ids and names of actions only, never content.

    The reason is stored as a digest, and in words under the key of the event's person.
    """
    event = _make_event(action, actor, subject)
    event.operator, event.outcome, event.change = operator, outcome, change
    reason = clean_reason(reason)
    event.reason = chain.compute_keyed_digest(reason)
    event.mac = chain.sign_event(event)
    event.save(force_insert=True)
    _keep_words(event, reason, about)
    return event


def clean_reason(text: str) -> str:
    """Return the text on one line, bounded, without control and direction characters."""
    printable = "".join(" " if unicodedata.category(each)[0] in "CZ" else each for each in text)
    return " ".join(printable.split())[:LONGEST_REASON]


def record_access(
    action: str, actor: UUID | None, subject: str, subject_id: UUID | None, *, outcome: str
) -> None:
    """Write one event of a read or of a refused attempt, with the label and id of its object."""
    event = _make_event(action, actor, None)
    event.subject, event.subject_id, event.outcome = subject, subject_id, outcome
    event.mac = chain.sign_event(event)
    event.save(force_insert=True)
    _keep_words(event)


def record_job(lease: jobs.Lease, **signal: object) -> None:
    """Write one event of a job that read or changed personal data, on its person's behalf."""
    if jobs.get_audit_class(lease.kind) == jobs.AuditClass.RECORDED:
        event = _make_event(f"job.{lease.kind}", None, None)
        event.subject_id, event.on_behalf_of_id = lease.subject, lease.owner_id
        event.mac = chain.sign_event(event)
        event.save(force_insert=True)


def record_all(action: str, subjects: Sequence[models.Model]) -> None:
    """Write an event without an actor for each of the rows."""
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
        subject_id=_convert_to_uuid(subject.pk) if subject else None,
        outcome=Outcome.DONE,
        on_behalf_of_id=known.on_behalf_of,
        credential=known.credential,
        request=known.request,
        address=chain.compute_keyed_digest(known.address),
        reason="",
        purpose=known.purpose,
        change="",
    )


def _convert_to_uuid(key: UUID | int) -> UUID:
    """Return the key in the event's form: other packages' models have numbers."""
    return UUID(int=key) if isinstance(key, int) else key


def _keep_words(event: AuditEvent, reason: str = "", about: UUID | None = None) -> None:
    """Keep the address under its person's key, and the reason under the key of the event's person.

    A reason from an operator without an account is kept in the clear, if the event is about nobody.
    """
    actor = event.actor_id or (event.subject_id if event.subject == USER else None)
    if event.address and actor:
        with assume_person(actor):
            _keep_address(event, actor)
    person = about or actor
    if not reason:
        return
    with assume_person(person) if person else nullcontext():
        if not person or User.objects.filter(pk=person).exists():
            detail = AuditDetail(event_id=event.pk, owner_id=person, created_at=event.at)
            detail.reason = reason
            detail.save(force_insert=True)


def _keep_address(event: AuditEvent, person: UUID) -> None:
    """Note that the person's address was in use today, with one write a day.

    Nothing is noted of a deleted person, or one whose erasure has begun.
    """
    today = event.at.date()
    rows = AuditAddress.objects.filter(owner_id=person, digest=event.address)
    last = rows.values_list("last_used_on", flat=True).first()
    erased = ErasureRequest.objects.running().filter(person_id=person, scope="account")
    if last is None and User.objects.filter(pk=person).exists() and not erased.exists():
        row = AuditAddress(owner_id=person, digest=event.address or "", last_used_on=today)
        row.address = circumstances.get().address
        AuditAddress.objects.bulk_create([row], ignore_conflicts=True)
    elif last is not None and last < today:
        rows.update(last_used_on=today)
