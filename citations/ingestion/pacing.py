"""Turns: a small document must not wait behind a book.

Who reads a long document looks between two batches for small ones that wait, and reads some of them
first. It always goes on after those, so it ends whatever comes in; and while it waits it renews its
own lease, too.
"""

from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass

from citations.models import Document
from memory import jobs
from memory.jobs import Lease, LostLease
from memory.models import Job

INGEST = jobs.kind_of_work("ingest", jobs.WorkClass.BULK)
SMALL = 200_000  # bytes of a file: some seconds of work
AT_ONCE = 8


@dataclass
class Pace:
    """The work on one document, and how far it is."""

    document: Document
    lease: Lease
    progress: int = 0
    total: int = 0

    def hold(self, progress: int | None = None, total: int | None = None) -> None:
        """Renew the lease, and that of the work that gave way to this."""
        self.progress = self.progress if progress is None else progress
        self.total = self.total if total is None else total
        self.lease.pulse(progress=self.progress, total=self.total)
        long = _long.get()
        if long is not None and long is not self:
            with suppress(LostLease):  # it will notice when it goes on
                long.lease.pulse(progress=long.progress, total=long.total)

    def give_way(self) -> None:
        """Do the work on some small documents first, if this is a long one."""
        if self.document.size <= SMALL or _long.get() is not None:
            return
        token = _long.set(self)
        try:
            for job_id in small_ones():
                jobs.run(job_id)
                self.hold()
        finally:
            _long.reset(token)


# The work on a long document that gives way to what is done now.
_long: ContextVar[Pace | None] = ContextVar("long", default=None)


def small_ones() -> list[int]:
    """Return the jobs of small documents that wait, oldest first: one query."""
    small = Document.objects.filter(status=Document.Status.WAITING, size__lte=SMALL)
    waiting = Job.objects.due().filter(kind=INGEST, status=Job.Status.WAITING)
    chosen = waiting.filter(subject__in=small.values("pk")).order_by("due_at")
    return list(chosen.values_list("pk", flat=True)[:AT_ONCE])
