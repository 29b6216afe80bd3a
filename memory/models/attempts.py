"""Attempts at answering a turn, and the processes that own them."""

from datetime import timedelta
from typing import ClassVar, Self
from uuid import UUID

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone
from uuid_utils.compat import uuid7

from memory.classification import ALL, Handling
from memory.fields import SealedJSONField, SealedTextField
from memory.models.people import User
from memory.models.turns import Turn


class ProcessQuerySet(models.QuerySet["Process"]):
    def living(self) -> Self:
        """Processes with a heartbeat within ANSWER_LEASE, by the clock of the database.

        A heartbeat in the future comes from before the clock was set back.
        """
        return self.filter(_build_beat_filter())

    def dead(self) -> Self:
        return self.exclude(_build_beat_filter())


def _build_beat_filter() -> Q:
    lease = timedelta(seconds=settings.ANSWER_LEASE)
    return Q(beat_at__gt=Now() - lease, beat_at__lte=Now() + lease)


class Process(models.Model):
    """A process that answers (memory.conversations.liveness)."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    started_at = models.DateTimeField(default=timezone.now)
    beat_at = models.DateTimeField()

    handling: ClassVar = Handling()

    objects = ProcessQuerySet.as_manager()

    def __str__(self) -> str:
        return str(self.id)


class AttemptQuerySet(models.QuerySet["Attempt"]):
    def open(self) -> Self:
        return self.filter(finished_at=None)

    def held(self, holder: UUID) -> Self:
        """The attempt while the holder owns it: the guard of every write."""
        return self.open().filter(holder=holder)

    def lapsed(self) -> Self:
        """Attempts whose process is dead, or that have no process and are over their time."""
        living = Process.objects.living().filter(pk=OuterRef("process"))
        late = Q(process=None, lease_until__lt=timezone.now())
        return self.open().filter(late | (Q(process__isnull=False) & ~Exists(living)))


class Attempt(models.Model):
    """One try at answering a turn, owned by one process while that lives."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    turn = models.ForeignKey(
        Turn, on_delete=models.CASCADE, related_name="attempts", db_index=False
    )
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveSmallIntegerField()
    holder = models.UUIDField(default=uuid7)
    # Of memory.models.Process, whose row is deleted when it is dead; a command that answers has
    # none.
    process = models.UUIDField(null=True, editable=False)
    # Its end without a living process.
    lease_until = models.DateTimeField()
    stop_requested = models.BooleanField(default=False)
    # Whether it replaces an attempt whose process died.
    resumes = models.BooleanField(default=False, db_default=False)
    # Whether its client sent a history instead of the stored one; the history is not stored.
    given_history = models.BooleanField(default=False, db_default=False)
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=16, choices=Turn.Status, blank=True)
    failure = models.CharField(max_length=40, blank=True)
    # While the answer is being written: its opening and its partial text.
    opening = SealedJSONField(null=True)
    partial = SealedTextField()

    handling: ClassVar = Handling(person="owner", trace="failure", withheld=ALL)

    objects = AttemptQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "number"], name="attempt_number_unique"),
            models.UniqueConstraint(
                fields=["turn"], condition=Q(finished_at=None), name="attempt_one_open_a_turn"
            ),
        ]
        indexes: ClassVar = [
            # The sweep of answers whose process died.
            models.Index(
                fields=["lease_until"], condition=Q(finished_at=None), name="attempt_lease_of_open"
            ),
            # The open attempts of a process, read twice a second.
            models.Index(
                fields=["process"], condition=Q(finished_at=None), name="attempt_process_of_open"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.turn_id}:{self.number}"
