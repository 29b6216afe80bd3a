"""Turns: nobody waits behind a book.

Embedding goes in slices (citations.ingestion.slices), between which the queue chooses. Reading a
file is one piece: a child process reads, and who waits for it does meanwhile what goes first, and
reads small documents. It always goes on after those, so it ends whatever comes in.
"""

import time
from dataclasses import dataclass

from citations.models import Document
from memory import jobs
from memory.jobs import Lease
from memory.models import Job

INGEST = jobs.kind_of_work("ingest", jobs.WorkClass.BULK)
SMALL = 200_000  # bytes of a file: some seconds of work
AT_ONCE = 8
PAUSE = 1.0  # seconds between two looks for others


@dataclass
class Pace:
    """The reading of one document: it holds the lease, and gives way if the document is long."""

    document: Document
    lease: Lease
    progress: int = 0
    total: int = 0
    next_look: float = 0.0

    def hold(self, progress: int | None = None, total: int | None = None) -> None:
        """Renew the lease with the progress, and give way from time to time."""
        self.progress = self.progress if progress is None else progress
        self.total = self.total if total is None else total
        self.lease.pulse(progress=self.progress, total=self.total)
        if self.document.size > SMALL and time.monotonic() >= self.next_look:
            jobs.give_way(self.lease)
            for job_id in small_ones():
                jobs.run(job_id)
                jobs.give_way(self.lease)
            self.next_look = time.monotonic() + PAUSE


def small_ones() -> list[int]:
    """Return the jobs of small documents that wait, oldest first: one query."""
    small = Document.objects.filter(status=Document.Status.WAITING, size__lte=SMALL)
    waiting = Job.objects.due().filter(kind=INGEST, status=Job.Status.WAITING)
    chosen = waiting.filter(subject__in=small.values("pk")).order_by("due_at")
    return list(chosen.values_list("pk", flat=True)[:AT_ONCE])
