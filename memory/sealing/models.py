"""The rows of the keys database, separate from the content: data keys, and the ledger of erasures.

The ledger lists what a restored backup of the content must not bring back (memory.sealing.ledger).
"""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memory.classification import Handling


class ErasedPerson(models.Model):
    """A person who was erased: no key is made for them again, and no backup restores them."""

    person_id = models.UUIDField(primary_key=True)
    request_id = models.UUIDField(null=True)
    at = models.DateTimeField(default=timezone.now)

    append_only: ClassVar = True
    handling: ClassVar = Handling(
        stays="The ledger that is replayed after a restore: an id that is nobody's any more.",
    )


class ErasedRow(models.Model):
    """A session, turn or document that its person deleted: no backup restores it."""

    row_id = models.UUIDField(primary_key=True)
    # The name under which its deletion is registered (memory.postponed).
    kind = models.CharField(max_length=16)
    at = models.DateTimeField(default=timezone.now)

    append_only: ClassVar = True
    handling: ClassVar = Handling(
        trace="kind",
        stays="The ledger that is replayed after a restore: ids of what is gone.",
    )


class WithdrawnConsent(models.Model):
    """A consent that its person withdrew: no backup restores it."""

    # The decision that withdrew it.
    consent_id = models.UUIDField(primary_key=True)
    person_id = models.UUIDField()
    purpose = models.CharField(max_length=16)
    at = models.DateTimeField()

    append_only: ClassVar = True
    handling: ClassVar = Handling(
        trace="purpose",
        stays="The ledger that is replayed after a restore: what was taken back, by ids.",
    )


class Mark(models.Model):
    """One row with a random value that changes with each entry of the ledger."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    value = models.UUIDField(null=True)

    class Meta:
        abstract = True


class LedgerMark(Mark):
    """The mark of the ledger itself, in the keys database."""

    handling: ClassVar = Handling()


class LedgerEcho(Mark):
    """The mark of the ledger that the content last knew."""

    handling: ClassVar = Handling()


class DataKey(models.Model):
    """A person's data key, wrapped by a master key; without this row their words are unreadable."""

    # No foreign key: the person's row is in another database.
    owner_id = models.UUIDField()
    version = models.PositiveSmallIntegerField(default=1)
    wrapped = models.BinaryField()
    # The master key that wraps it: the first 16 hex digits of that key's SHA-256.
    master = models.CharField(max_length=16, db_index=True)
    created_at = models.DateTimeField(auto_now_add=True)

    handling: ClassVar = Handling(
        secret="wrapped",
        trace="master",
        goes="first of all, before any row: then nothing sealed can be read",
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner_id", "version"], name="data_key_unique"),
        ]
