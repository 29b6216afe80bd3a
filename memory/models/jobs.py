"""Work that must happen, as rows."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory.classification import Handling
from memory.sqlite.partial import has_status


class JobQuerySet(models.QuerySet["Job"]):
    def due(self) -> Self:
        """Jobs to be taken now: waiting ones that are due, and running ones without a lease."""
        return self.unfinished().filter(due_at__lte=timezone.now())

    def unfinished(self) -> Self:
        """Unfinished jobs: few, and found by a partial index."""
        return self.filter(has_status([Job.Status.WAITING, Job.Status.RUNNING]))


class WorkClass(models.IntegerChoices):
    """The classes of work, the most urgent first."""

    RIGHTS = 0, _("Rights")  # erasure, purge, withdrawal, deletion
    CONVERSATIONS = 1, _("Conversations")  # work for the next answer
    BULK = 2, _("Bulk")  # documents, packages, renewed vectors, texts by models


class Job(models.Model):
    """One piece of work: its kind, and the id of its subject; never any content.

    waiting -> running -> done | failed. A running job whose lease (due_at) ran out is due again,
    under a higher fence, so a worker that resumes late can't finish it.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")

    kind = models.CharField(max_length=40)
    subject = models.UUIDField()
    work_class = models.PositiveSmallIntegerField(
        choices=WorkClass, default=WorkClass.CONVERSATIONS, db_default=WorkClass.CONVERSATIONS
    )
    # The owner of the work, for fair turns within a class; none: the installation. No foreign key:
    # the erasure of a person is a job as well.
    owner_id = models.UUIDField(null=True)
    status = models.CharField(max_length=16, choices=Status, default=Status.WAITING)
    # Waiting: the earliest start. Running: the end of the lease.
    due_at = models.DateTimeField(default=timezone.now)
    fence = models.PositiveIntegerField(default=0)
    # Number of exceptions, not of killed workers.
    failures = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=80, blank=True)
    progress = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    handling: ClassVar = Handling(trace="kind error", goes="with what it is about, or its owner")

    objects = JobQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            # A second request for waiting work is the same work.
            models.UniqueConstraint(
                fields=["kind", "subject"],
                condition=Q(status="waiting"),
                name="job_one_waiting_a_subject",
            ),
        ]
        indexes: ClassVar = [
            # The sweep of due jobs.
            models.Index(
                fields=["due_at"], condition=Q(status__in=["waiting", "running"]), name="job_due"
            ),
            # A worker's next job, and the age of a class's backlog (memory.jobs.picking).
            models.Index(
                fields=["work_class", "owner_id", "due_at"],
                condition=Q(status__in=["waiting", "running"]),
                name="job_next",
            ),
            # A person's jobs are deleted with them.
            models.Index(
                fields=["owner_id"], condition=Q(owner_id__isnull=False), name="job_owner"
            ),
            # The jobs about a row that is deleted.
            models.Index(fields=["subject"], name="job_subject"),
            # Failed jobs, which operators look for among all others.
            models.Index(fields=["-id"], condition=Q(status="failed"), name="job_failed"),
            # The clean-up of finished rows.
            models.Index(fields=["finished_at"], name="job_finished"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}:{self.subject}"
