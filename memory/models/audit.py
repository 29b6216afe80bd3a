"""Who did what to which row, and when: ids only, so that erasing a person leaves it true."""

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from memory.classification import Handling


class AuditEvent(models.Model):
    """One recorded act."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    at = models.DateTimeField(default=timezone.now)
    # No foreign keys: the record outlives the person and the thing.
    actor_id = models.UUIDField(null=True)
    action = models.CharField(max_length=40)
    subject = models.CharField(max_length=40, blank=True)
    subject_id = models.UUIDField(null=True)

    append_only: ClassVar = True
    handling: ClassVar = Handling(
        trace="action subject",
        stays="It says by ids alone who did what, and an id without its account is nobody's.",
    )

    class Meta:
        verbose_name = _("audit line")
        verbose_name_plural = _("audit lines")
        indexes: ClassVar = [
            models.Index(fields=["subject_id", "id"], name="audit_event_subject"),
            models.Index(fields=["actor_id", "id"], name="audit_event_actor"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.subject_id}"
