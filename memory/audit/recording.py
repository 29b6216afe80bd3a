"""Recording of what was done; a record is written in the transaction of the act itself."""

from collections.abc import Sequence
from uuid import UUID

from django.db import models

from memory.models import AuditEvent


def record(
    action: str,
    *,
    actor: UUID | None,
    subject: models.Model | None = None,
    operator: str | None = None,
) -> AuditEvent:
    """Write one audit event: ids and names of actions only, never content."""
    return AuditEvent.objects.create(
        action=action,
        actor_id=actor,
        subject=subject._meta.label_lower if subject else "",
        subject_id=subject.pk if subject else None,
        operator=operator,
    )


def record_all(action: str, subjects: Sequence[models.Model]) -> None:
    """Write an event for each of the rows, which nobody in person did."""
    AuditEvent.objects.bulk_create(
        AuditEvent(action=action, subject=row._meta.label_lower, subject_id=row.pk)
        for row in subjects
    )
