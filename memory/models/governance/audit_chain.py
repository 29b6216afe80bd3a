"""The chain over the audit log: a link for each event, and a stub for each pruned run of them."""

from datetime import timedelta
from typing import ClassVar

from django.db import models
from django.utils import timezone

from memory.classification import Handling


class AuditLink(models.Model):
    """The link of one event in the chain; `memory.audit.chain` defines the digests."""

    number = models.BigIntegerField(primary_key=True)
    # No foreign key: a check has to find missing events.
    event_id = models.UUIDField(unique=True)
    digest = models.BinaryField(max_length=32)
    head = models.BinaryField(max_length=32)
    mac = models.BinaryField(max_length=32)

    append_only: ClassVar = True
    handling: ClassVar = Handling(system="digest head mac")

    def __str__(self) -> str:
        return str(self.number)


class AuditStub(models.Model):
    """A run of links whose events were pruned by a policy: signed, it keeps the chain complete."""

    first = models.BigIntegerField(primary_key=True)
    last = models.BigIntegerField()
    # The heads before its first event and after its last.
    before = models.BinaryField(max_length=32)
    after = models.BinaryField(max_length=32)
    pruned_at = models.DateTimeField(default=timezone.now)
    signature = models.TextField()

    append_only: ClassVar = True
    handling: ClassVar = Handling(system="before after signature")

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"


class AuditAnchor(models.Model):
    """A signed head of the chain, as it was sent out."""

    number = models.BigIntegerField(primary_key=True)
    at = models.DateTimeField(default=timezone.now)
    document = models.TextField()
    sent_at = models.DateTimeField(null=True)

    handling: ClassVar = Handling(system="document")

    def __str__(self) -> str:
        return str(self.number)


class AuditCheck(models.Model):
    """One check of the chain, and its faults."""

    at = models.DateTimeField(default=timezone.now)
    is_whole = models.BooleanField(default=False)
    events = models.BigIntegerField()
    number = models.BigIntegerField()
    faults = models.JSONField(default=list)

    handling: ClassVar = Handling(system="faults")

    def __str__(self) -> str:
        return str(self.at)


class AuditFeed(models.Model):
    """The progress of an external receiver of the log (memory.audit.feed)."""

    # A digest of its address.
    name = models.CharField(primary_key=True, max_length=64)
    # The last event that it accepted.
    number = models.BigIntegerField(default=-1)
    failing_since = models.DateTimeField(null=True)
    is_late = models.BooleanField(default=False)
    # The earliest next attempt: the last one failed, or a sender is at work.
    retry_at = models.DateTimeField(default=timezone.now)

    handling: ClassVar = Handling(system="name")

    def __str__(self) -> str:
        return self.name

    @property
    def is_due(self) -> bool:
        """Whether it may be tried now; a time far ahead was set by a wrong clock."""
        ahead = self.retry_at - timezone.now()
        return not timedelta(0) < ahead <= timedelta(hours=1)
