"""Pacing: the order of documents, so that no short one waits behind a long one.

Of one person's documents the shortest goes first, and a long one yields to it at each slice.
Shortest first finishes documents earlier than taking turns would. Embedding goes in slices
(citations.ingestion.slices), between which the queue chooses. Reading a file is one piece in a
child process. Meanwhile the waiting process does small documents, and then always returns to its
file, so each file ends.
"""

import time
from dataclasses import dataclass

from citations.models import Document
from memory import jobs
from memory.jobs import Lease
from memory.models import Job

INGEST = jobs.register_kind("ingest", jobs.WorkClass.BULK, jobs.AuditClass.DERIVED)
SMALL = 200_000  # bytes of a file: some seconds of work
AT_ONCE = 8
PAUSE = 1.0  # seconds between two queries for other jobs
# Maximum number of a person's documents among which the shortest is sought, by waiting time.
COMPARED = 1000


@dataclass
class Pace:
    """The reading of one document: it renews the lease, and yields if the document is long."""

    document: Document
    lease: Lease
    progress: int = 0
    total: int = 0
    next_look: float = 0.0

    def hold(self, progress: int | None = None, total: int | None = None) -> None:
        """Renew the lease with the progress, and yield to other jobs from time to time."""
        self.progress = self.progress if progress is None else progress
        self.total = self.total if total is None else total
        self.lease.pulse(progress=self.progress, total=self.total)
        if self.document.size > SMALL and time.monotonic() >= self.next_look:
            jobs.give_way(self.lease)
            for job_id in list_small_jobs():
                jobs.run(job_id)
                jobs.give_way(self.lease)
            self.next_look = time.monotonic() + PAUSE


def list_small_jobs() -> list[int]:
    """Return the waiting jobs of small documents, oldest first, with one query."""
    small = Document.objects.filter(status=Document.Status.WAITING, size__lte=SMALL)
    waiting = Job.objects.due().filter(kind=INGEST, status=Job.Status.WAITING)
    chosen = waiting.filter(subject__in=small.values("pk")).order_by("due_at")
    return list(chosen.values_list("pk", flat=True)[:AT_ONCE])


def find_shorter_job(document: Document) -> int | None:
    """Return the job of the owner's shortest waiting document, if it is shorter than this one.

    Of two equally long ones, the older goes first.
    """
    waiting = Job.objects.due().filter(kind=INGEST, status=Job.Status.WAITING)
    theirs = waiting.filter(owner_id=document.owner_id).order_by("due_at")
    jobs_of = dict(theirs.values_list("subject", "pk")[:COMPARED])
    rows = Document.objects.filter(pk__in=jobs_of, status=Document.Status.WAITING)
    first = rows.order_by("size", "pk").values_list("size", "pk").first()
    return jobs_of[first[1]] if first and first < (document.size, document.pk) else None


def give_place(document: Document, lease: Lease, to: int) -> None:
    """Yield this turn to a shorter document of the same person; this one keeps its state."""
    was = Job.objects.filter(pk=lease.job_id).values("progress", "total", "failures").get()
    with lease.finishing():
        row = jobs.enqueue(INGEST, document.pk, owner=document.owner_id)
        # Its counts of failures and killed workers are kept.
        Job.objects.filter(pk=row.pk).update(**was, fence=lease.fence - 1)
    jobs.run(to)
