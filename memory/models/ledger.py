"""The ledger of what was erased, in the keys database, away from the content.

A restored backup of the content finds here what it must not bring back (memory.forgetting.ledger).
"""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memory.forgetting.handling import Handling


class ErasedPerson(models.Model):
    """A person who was erased: no key is made for them again, and no backup brings them back."""

    person_id = models.UUIDField(primary_key=True)
    request_id = models.UUIDField(null=True)
    at = models.DateTimeField(default=timezone.now)

    handling: ClassVar = Handling(
        trace="at",
        link="person_id request_id",
        stays="The ledger that is replayed after a restore: an id that is nobody's any more.",
    )


class ErasedRow(models.Model):
    """A session, turn or document that its person deleted: no backup brings it back."""

    row_id = models.UUIDField(primary_key=True)
    # The model's name, by which what deletes it again is known (memory.forgetting.waiting).
    kind = models.CharField(max_length=16)
    at = models.DateTimeField(default=timezone.now)

    handling: ClassVar = Handling(
        trace="kind at",
        link="row_id",
        stays="The ledger that is replayed after a restore: ids of what is gone.",
    )
