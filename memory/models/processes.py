"""Processes that answer: each has a row, and lives as long as it writes there."""

from datetime import timedelta
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone
from uuid_utils.compat import uuid7

from memory.classification import Handling


class ProcessQuerySet(models.QuerySet["Process"]):
    def living(self) -> Self:
        """Those that have beaten within ANSWER_LEASE, by the clock of the database."""
        return self.filter(beat_at__gt=Now() - timedelta(seconds=settings.ANSWER_LEASE))

    def dead(self) -> Self:
        return self.filter(beat_at__lte=Now() - timedelta(seconds=settings.ANSWER_LEASE))


class Process(models.Model):
    """A process that answers (memory.conversations.liveness)."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    started_at = models.DateTimeField(default=timezone.now)
    beat_at = models.DateTimeField()

    handling: ClassVar = Handling()

    objects = ProcessQuerySet.as_manager()

    def __str__(self) -> str:
        return str(self.id)
