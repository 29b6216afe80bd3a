"""Erasures: requests, their progress, and their certificates."""

from datetime import datetime
from typing import ClassVar, Self
from uuid import UUID

from django.db import models
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from memory.classification import Handling
from memory.fields import SealedJSONField
from memory.models.people import User

ENDED_AT = Coalesce("verified_at", "cancelled_at")


class ErasureRequestQuerySet(models.QuerySet["ErasureRequest"]):
    def owned(self, person: User) -> Self:
        return self.filter(person_id=person.pk)

    def open(self) -> Self:
        """Requests that are neither done nor cancelled."""
        return self.filter(status__in=ErasureRequest.Status.open())

    def ended_lately(self, moment: datetime) -> Self:
        """Requests done or cancelled since; found by a partial index."""
        return self.alias(ended_at=ENDED_AT).filter(ended_at__gte=moment)

    def running(self) -> Self:
        """Requests that are being executed, and can't be cancelled."""
        return self.filter(status__in=ErasureRequest.Status.running())


class ErasureRequest(models.Model):
    """A request to erase everything of a person, or their account with it.

    unconfirmed -> waiting -> shredding -> deleting -> scrubbing -> scanning -> closing -> verified.
    Until it shreds it can be cancelled, and a legal hold postpones it. Each step can be repeated.
    """

    class Scope(models.TextChoices):
        EVERYTHING = "everything", _("All conversations and documents")
        ACCOUNT = "account", _("The account, with all it holds")

    class Status(models.TextChoices):
        UNCONFIRMED = "unconfirmed", _("Not confirmed yet")
        WAITING = "waiting", _("Waiting")
        HELD = "held", _("Waiting for the end of a legal hold")
        SHREDDING = "shredding", _("Destroying the key")
        DELETING = "deleting", _("Deleting")
        SCRUBBING = "scrubbing", _("Overwriting what was deleted")
        SCANNING = "scanning", _("Searching for what might be left")
        CLOSING = "closing", _("Destroying what was searched for")
        VERIFIED = "verified", _("Erased and verified")
        CANCELLED = "cancelled", _("Cancelled")

        @classmethod
        def open(cls) -> list["ErasureRequest.Status"]:
            return [cls.UNCONFIRMED, cls.WAITING, cls.HELD, *cls.running()]

        @classmethod
        def running(cls) -> list["ErasureRequest.Status"]:
            return [cls.SHREDDING, cls.DELETING, cls.SCRUBBING, cls.SCANNING, cls.CLOSING]

        @classmethod
        def stoppable(cls) -> list["ErasureRequest.Status"]:
            return [cls.UNCONFIRMED, cls.WAITING, cls.HELD]

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    scope = models.CharField(max_length=16, choices=Scope)
    status = models.CharField(max_length=16, choices=Status, default=Status.UNCONFIRMED)
    # No foreign keys: the record outlives the account.
    person_id = models.UUIDField()
    actor_id = models.UUIDField(null=True)
    # SHA-256 of the token that shows its state without sign-in: the account may be deleted.
    link_hash = models.CharField(max_length=64, blank=True)
    requested_at = models.DateTimeField(default=timezone.now)
    confirmed_at = models.DateTimeField(null=True)
    due_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    shredded_at = models.DateTimeField(null=True)
    deleted_at = models.DateTimeField(null=True)
    scrubbed_at = models.DateTimeField(null=True)
    verified_at = models.DateTimeField(null=True)
    cancelled_at = models.DateTimeField(null=True)
    # Deleted rows by model; the steps of scrubbing; the searched stores and their finds.
    counts = models.JSONField(default=dict)
    scrubbed = models.JSONField(default=list)
    searched = models.JSONField(default=list)
    # The external servers that received the person's words; unknown for older requests.
    recipients = models.JSONField(null=True)
    # The samples to search for (memory.forgetting.evidence.sampling), under this request's own key.
    samples = SealedJSONField(null=True)
    sample_count = models.PositiveIntegerField(default=0)
    # Number of searches with finds: each doubles the delay.
    finds = models.PositiveSmallIntegerField(default=0)
    # The code of its delay; empty if there is none.
    delay = models.CharField(max_length=40, blank=True)

    handling: ClassVar = Handling(
        secret="link_hash",
        trace="counts scrubbed searched recipients delay",
        stays="The record of an erasure: ids, times and counts; samples go when it is verified.",
    )

    objects = ErasureRequestQuerySet.as_manager()

    class Meta:
        verbose_name = _("request for erasure")
        verbose_name_plural = _("erasures")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["person_id"],
                condition=~Q(status__in=["verified", "cancelled"]),
                name="erasure_request_one_open",
            ),
        ]
        indexes: ClassVar = [
            # A person's requests, and the operators' queue, oldest first.
            models.Index(fields=["person_id", "-requested_at"], name="erasure_request_person"),
            models.Index(fields=["status", "requested_at"], name="erasure_request_queue"),
            # The page of its link.
            models.Index(fields=["link_hash"], name="erasure_request_link"),
            # The sweep of keys that ended requests may have left.
            models.Index(ENDED_AT, name="erasure_request_ended"),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def owner_id(self) -> UUID:
        """The owner of the key that seals the samples: the request; the person's is destroyed."""
        return self.id

    @property
    def is_open(self) -> bool:
        return self.status in self.Status.open()

    @property
    def is_stoppable(self) -> bool:
        """Whether it can still be cancelled."""
        return self.status in self.Status.stoppable()


class Certificate(models.Model):
    """The signed statement of an erasure, as it is handed out."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    request = models.OneToOneField(
        ErasureRequest, on_delete=models.PROTECT, related_name="certificate"
    )
    issued_at = models.DateTimeField(default=timezone.now)
    # The signing key: the first 16 hex digits of the public key's SHA-256.
    key = models.CharField(max_length=16)
    document = models.TextField()

    handling: ClassVar = Handling(
        trace="key document",
        stays="The proof of an erasure; nothing in it is personal.",
    )

    class Meta:
        verbose_name = _("certificate")
        verbose_name_plural = _("certificates")

    def __str__(self) -> str:
        return str(self.id)
