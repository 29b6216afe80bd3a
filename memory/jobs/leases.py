"""Leases: the right to do one job until a moment, renewed while it is done."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone

from memory.jobs import signs
from memory.models.jobs import Job, JobQuerySet, WorkClass

# Called between steps of long work: it renews the lease, and raises if the work must end.
Pulse = Callable[[], None]


# Sent in the transaction of a job's end.
finished = Signal()


class LostLease(Exception):
    """Another worker has taken the job: stop, and write nothing."""


@dataclass(frozen=True)
class Lease:
    """The right to do one job, until it expires or is taken over."""

    job_id: int
    subject: UUID
    fence: int
    work_class: int = WorkClass.CONVERSATIONS
    owner_id: UUID | None = None
    kind: str = ""

    @property
    def lookup(self) -> dict[str, UUID]:
        """The lookup of its row: by its key, and by its owner, if the job has one."""
        return {"pk": self.subject} | ({"owner_id": self.owner_id} if self.owner_id else {})

    def pulse(self, *, progress: int = 0, total: int = 0) -> None:
        """Renew the lease and note the progress, or raise LostLease."""
        signs.show()
        self._update(due_at=compute_lease_end(), progress=progress, total=total)
        for waiting in _held.get():
            if waiting is not self:
                waiting.renew()

    def renew(self) -> None:
        """Renew the lease if it is still ours; a lost lease is noticed at the next step."""
        self._mine().update(due_at=compute_lease_end())

    @contextmanager
    def finishing(self) -> Iterator[None]:
        """Open the transaction of the job's effects and its end, once."""
        with transaction.atomic():
            self._update(status=Job.Status.DONE, finished_at=timezone.now(), error="")
            yield
            finished.send(Lease, lease=self)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lease during its job, also while that gives way to other jobs."""
        token = _held.set((*_held.get(), self))
        try:
            yield
        finally:
            _held.reset(token)

    def _mine(self) -> JobQuerySet:
        return Job.objects.filter(pk=self.job_id, fence=self.fence, status=Job.Status.RUNNING)

    def _update(self, **values: object) -> None:
        if not self._mine().update(**values):
            raise LostLease


# Of the current job, and of those that have given way to it.
_held: ContextVar[tuple[Lease, ...]] = ContextVar("held", default=())


def compute_lease_end() -> datetime:
    """Return the end of a lease that is taken or renewed now."""
    return timezone.now() + timedelta(seconds=settings.JOB_LEASE)
