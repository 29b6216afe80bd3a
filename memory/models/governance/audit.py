"""The audit log: actor, action, row and time, by ids only, so that it outlives an erasure."""

from datetime import datetime, timedelta
from typing import ClassVar, Self
from uuid import UUID

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from memory.classification import Handling
from memory.fields import SealedTextField

# Largest difference between the times of rows and of their ids, which never go back.
CLOCK_WENT_BACK = timedelta(days=1)


class AuditEventQuerySet(models.QuerySet["AuditEvent"]):
    """Events by time, found by their ids, which rise with it."""

    def newer(self, moment: datetime, margin: timedelta = CLOCK_WENT_BACK) -> Self:
        return self.filter(id__gte=find_first_id(moment - margin), at__gte=moment)

    def older(self, moment: datetime) -> Self:
        return self.filter(id__lt=find_first_id(moment + CLOCK_WENT_BACK), at__lt=moment)


def find_first_id(moment: datetime) -> UUID:
    """Return the least UUIDv7 of the moment."""
    return UUID(int=max(0, int(moment.timestamp() * 1000)) << 80)


class AuditEvent(models.Model):
    """One recorded act."""

    class Outcome(models.TextChoices):
        """The outcome of the act."""

        DONE = "done", _("done")
        DENIED = "denied", _("denied")
        FAILED = "failed", _("failed")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    at = models.DateTimeField(default=timezone.now)
    # No foreign keys: the record outlives the person and the row.
    actor_id = models.UUIDField(null=True)
    action = models.CharField(max_length=40)
    subject = models.CharField(max_length=40, blank=True)
    subject_id = models.UUIDField(null=True)
    # The operator at a terminal: an account of the server, not of the product.
    operator = models.CharField(max_length=80, null=True)  # noqa: DJ001 - added to a long table
    # Null in the columns below: the event was recorded before they were added.
    on_behalf_of_id = models.UUIDField(null=True)
    # Digest of the API token or of the browser's session that was used.
    credential = models.CharField(max_length=64, null=True)  # noqa: DJ001
    outcome = models.CharField(max_length=8, choices=Outcome, null=True)  # noqa: DJ001
    request = models.CharField(max_length=40, null=True)  # noqa: DJ001
    # Keyed digests of the client's address, and of the reason.
    address = models.CharField(max_length=32, null=True)  # noqa: DJ001
    reason = models.CharField(max_length=32, null=True)  # noqa: DJ001
    purpose = models.CharField(max_length=24, null=True)  # noqa: DJ001
    # Old and new values of rights or settings, as JSON by name; never personal data.
    change = models.TextField(null=True)  # noqa: DJ001
    # HMAC-SHA-256 of the row (memory.audit.chain): no database has its key.
    mac = models.BinaryField(null=True)

    objects = AuditEventQuerySet.as_manager()

    append_only: ClassVar = True
    handling: ClassVar = Handling(
        trace="action subject outcome purpose change",
        link="credential",
        system="operator request address reason mac",
        stays="It says by ids alone who did what, and an id without its account is nobody's.",
    )

    class Meta:
        verbose_name = _("audit event")
        verbose_name_plural = _("audit events")
        indexes: ClassVar = [
            models.Index(fields=["subject_id", "id"], name="audit_event_subject"),
            models.Index(fields=["actor_id", "id"], name="audit_event_actor"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.subject_id}"


class AuditDetail(models.Model):
    """The reason of an event in words, kept for a while and apart from the chain.

    It is sealed under the key of the event's person or actor; without either, it is in the clear.
    """

    event_id = models.UUIDField(primary_key=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    reason = SealedTextField(null=True)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    # A reason may be secret from its person, such as that of a hold.
    handling: ClassVar = Handling(person="owner", withheld="reason")

    def __str__(self) -> str:
        return str(self.event_id)


class AuditAddress(models.Model):
    """An address of a person's events, by its digest in them."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    digest = models.CharField(max_length=32)
    address = SealedTextField()
    last_used_on = models.DateField(db_index=True)

    handling: ClassVar = Handling(
        person="owner", identity="address", trace="last_used_on", system="digest"
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "digest"], name="audit_address_unique")
        ]

    def __str__(self) -> str:
        return self.digest


class SavedFilter(models.Model):
    """Filters of the audit log, saved under a name."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = SealedTextField()
    query = SealedTextField()

    handling: ClassVar = Handling(person="owner")

    def __str__(self) -> str:
        return str(self.id)


class EffectiveSettings(models.Model):
    """The settings of the last start, in one row, for comparison with the next one."""

    values = models.JSONField(default=dict)

    handling: ClassVar = Handling(system="values")

    def __str__(self) -> str:
        return str(self.pk)


class OperatorAct(models.Model):
    """A credential that an operator made at a terminal of the server: its person is notified."""

    class What(models.TextChoices):
        """The kind of credential."""

        LINK = "link", _("A link that signs you in once")
        TOKEN = "token", _("An API token")
        PASSWORD = "password", _("A new password")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(default=timezone.now)
    what = models.CharField(max_length=8, choices=What)
    operator = models.CharField(max_length=80)
    reason = SealedTextField()

    handling: ClassVar = Handling(person="owner", trace="what operator")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["owner", "-id"], name="operator_act_owner")]

    def __str__(self) -> str:
        return f"{self.what} {self.owner_id}"
