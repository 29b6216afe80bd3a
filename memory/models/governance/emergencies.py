"""Openings of a person's conversations in an emergency."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from memory.classification import Handling
from memory.fields import SealedTextField
from memory.models.people import User


class EmergencyAccessQuerySet(models.QuerySet["EmergencyAccess"]):
    def told(self, person: User) -> Self:
        """Return the openings that the person was notified of, the newest first."""
        return self.filter(owner=person, told_at__isnull=False).order_by("-id")


class EmergencyAccess(models.Model):
    """A person's conversations, or one of them, open to an operator for a short time."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    # The person whose conversations were opened.
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    # The only one that is open; empty: all of them.
    session_id = models.UUIDField(_("conversation"), null=True)
    # No foreign keys: the record outlives the accounts of operators.
    operator_id = models.UUIDField(null=True)
    # The reader by a command of the server, without an account here.
    terminal = models.CharField(_("operator"), max_length=80, default="", db_default="")
    approved_by_id = models.UUIDField(null=True)
    reason = SealedTextField()
    opened_at = models.DateTimeField(_("opened"), default=timezone.now)
    expires_at = models.DateTimeField(_("until"))
    # Null under a hold that is secret from the person.
    told_at = models.DateTimeField(_("the person was told"), null=True)
    seen_at = models.DateTimeField(_("the person has seen it"), null=True)

    objects = EmergencyAccessQuerySet.as_manager()

    handling: ClassVar = Handling(
        person="owner",
        trace="terminal",
        exported=lambda: Q(told_at__isnull=False),
        withheld="seen_at",
    )

    class Meta:
        verbose_name = _("emergency access")
        verbose_name_plural = _("emergency accesses")
        indexes: ClassVar = [
            # The clean-up, which notifies people after a secret hold.
            models.Index(fields=["id"], name="emergency_untold", condition=Q(told_at=None))
        ]

    def __str__(self) -> str:
        return str(self.id)
