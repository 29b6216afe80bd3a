"""Acts of admins that wait for a second person's approval."""

from datetime import timedelta
from typing import ClassVar, Self
from uuid import UUID

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from memory.classification import Handling
from memory.fields import SealedJSONField

APPROVABLE = timedelta(hours=24)


class PendingActQuerySet(models.QuerySet["PendingAct"]):
    def waiting(self) -> Self:
        """Acts that can still be approved or refused."""
        since = timezone.now() - APPROVABLE
        return self.filter(status=PendingAct.Status.WAITING, requested_at__gt=since)

    def overdue(self) -> Self:
        """Acts that were neither approved nor refused in time."""
        since = timezone.now() - APPROVABLE
        return self.filter(status=PendingAct.Status.WAITING, requested_at__lte=since)


class PendingAct(models.Model):
    """An act that one admin has requested, and another approves or refuses."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        APPROVED = "approved", _("Approved and done")
        REFUSED = "refused", _("Refused")
        FAILED = "failed", _("Approved, but it could not be done")
        LAPSED = "lapsed", _("Lapsed after 24 hours")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    # The name under which the act is registered (memory.people.staff.approvals).
    act = models.CharField(_("act"), max_length=24)
    # The permission that both the author and the approver need.
    right = models.CharField(max_length=64)
    # No foreign keys: the record outlives its target.
    target_id = models.UUIDField()
    parameters = SealedJSONField()
    requested_by_id = models.UUIDField()
    requested_at = models.DateTimeField(_("asked"), default=timezone.now)
    status = models.CharField(_("status"), max_length=8, choices=Status, default=Status.WAITING)
    decided_by_id = models.UUIDField(null=True)
    decided_at = models.DateTimeField(_("decided"), null=True)
    # It ended, and its author has not seen the result.
    is_news = models.BooleanField(default=False, db_default=False)

    handling: ClassVar = Handling(
        trace="act",
        system="right",
        stays=(
            "The record of who asked and who approved; what was asked for is sealed under the "
            "key of who asked."
        ),
    )

    objects = PendingActQuerySet.as_manager()

    class Meta:
        verbose_name = _("approval")
        verbose_name_plural = _("approvals")

    def __str__(self) -> str:
        return str(self.id)

    @property
    def owner_id(self) -> UUID:
        """The owner of the key that seals the parameters: the act's author."""
        return self.requested_by_id

    @property
    def is_waiting(self) -> bool:
        is_in_time = self.requested_at > timezone.now() - APPROVABLE
        return self.status == self.Status.WAITING and is_in_time
