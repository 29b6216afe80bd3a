"""Work that must happen, exactly once, whatever is killed.

The row is the job; a Celery message is only a wake-up that says "look". A job is enqueued in the
transaction of its cause, taken by compare-and-set under a lease and a fence number, and finished in
the same transaction as its effects, under the same fence. So a lost message is found again by the
sweep, a killed worker's job is taken again when its lease ends, and a worker that comes back from
the dead can't commit. Celery with every recommended setting loses tasks under kill -9.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerDown

from memory.errors import described
from memory.jobs.batches import delete_in_batches
from memory.models import Job

log = logging.getLogger(__name__)

MAX_FAILURES = 5
# Taken this often without an end: the job kills its worker. It must not go on doing so.
MAX_FENCE = 12
Handler = Callable[["Lease"], None]
# Called between steps of long work: it renews the lease, and raises where the work must end.
Pulse = Callable[[], None]
# Told the subject of a job that is given up, in the transaction of its end.
GaveUp = Callable[[UUID], None]
_handlers: dict[str, Handler] = {}
_given_up: dict[str, GaveUp] = {}


class LostLease(Exception):
    """Another worker has the job now: stop, and write nothing."""


@dataclass(frozen=True)
class Lease:
    """The right to do one job, until it runs out or is taken over."""

    job_id: int
    subject: UUID
    fence: int

    def pulse(self, *, progress: int = 0, total: int = 0) -> None:
        """Renew the lease and note the progress, or raise LostLease."""
        self._update(due_at=_lease_end(), progress=progress, total=total)

    @contextmanager
    def finishing(self) -> Iterator[None]:
        """Open the transaction in which the job's effects and its end happen together, once."""
        with transaction.atomic():
            self._update(status=Job.Status.DONE, finished_at=timezone.now(), error="")
            yield

    def _update(self, **values: object) -> None:
        mine = Job.objects.filter(pk=self.job_id, fence=self.fence, status=Job.Status.RUNNING)
        if not mine.update(**values):
            raise LostLease


def job(kind: str, *, gave_up: GaveUp | None = None) -> Callable[[Handler], Handler]:
    """Register the function that does jobs of the kind; it ends them with `lease.finishing()`."""

    def register(handler: Handler) -> Handler:
        _handlers[kind] = handler
        if gave_up is not None:
            _given_up[kind] = gave_up
        return handler

    return register


def enqueue(kind: str, subject: UUID, *, delay: timedelta = timedelta(0)) -> Job:
    """Ask for work on the subject in the caller's transaction; what waits isn't doubled."""
    try:
        with transaction.atomic():
            row = Job.objects.create(kind=kind, subject=subject, due_at=timezone.now() + delay)
    except IntegrityError:
        row = Job.objects.get(kind=kind, subject=subject, status=Job.Status.WAITING)
    transaction.on_commit(wake)
    return row


def enqueue_each(kinds: Iterable[str], subject: UUID) -> None:
    """Ask for several kinds of work on the subject at once, as `enqueue` does: one statement."""
    now = timezone.now()
    rows = [Job(kind=kind, subject=subject, due_at=now) for kind in kinds]
    Job.objects.bulk_create(rows, ignore_conflicts=True)  # what waits isn't doubled
    transaction.on_commit(wake)


def wake() -> None:
    """Tell the workers to look; if the broker is away, the sweep will."""
    try:
        current_app.send_task("memory.tasks.work", retry=False)
    except (BrokerDown, OSError):
        log.warning("broker_unavailable")


def run_due(*, limit: int = 100, seconds: float = 60.0) -> int:
    """Do jobs that are due, at most `limit`; return how many were taken.

    None is begun after so many seconds: one worker has other tasks as well, and the sweep comes.
    """
    taken, end = 0, time.monotonic() + seconds
    while taken < limit and time.monotonic() < end:
        # Several candidates, because other workers look at the same time.
        candidates = list(Job.objects.due().order_by("due_at").values_list("pk", flat=True)[:10])
        done = sum(run(pk) for pk in candidates[: limit - taken])
        if not done:
            break
        taken += done
    return taken


def run(job_id: int) -> bool:
    """Do the job if it is due; return whether it was ours to do."""
    lease = _take(job_id)
    if lease is None:
        return False
    kind = Job.objects.values_list("kind", flat=True).get(pk=job_id)
    try:
        _handlers[kind](lease)
    except LostLease:
        log.info("job_taken_over", extra={"job": job_id, "kind": kind})
    except Exception as error:  # noqa: BLE001 - a job that raises must not stop the others
        log.error("job_raised", extra={"job": job_id, "kind": kind, **described(error)})
        _put_back(lease, type(error).__name__)
    return True


def _take(job_id: int) -> Lease | None:
    row = Job.objects.due().filter(pk=job_id).first()
    if row is None:
        return None
    unchanged = Job.objects.filter(pk=row.pk, fence=row.fence, status=row.status)
    if row.fence >= MAX_FENCE:
        with transaction.atomic():
            if unchanged.update(
                status=Job.Status.FAILED, error="worker_lost", finished_at=timezone.now()
            ):
                _give_up(row.kind, row.subject)
        return None
    if not unchanged.update(status=Job.Status.RUNNING, fence=F("fence") + 1, due_at=_lease_end()):
        return None
    return Lease(job_id=row.pk, subject=row.subject, fence=row.fence + 1)


def _put_back(lease: Lease, error: str) -> None:
    mine = Job.objects.filter(pk=lease.job_id, fence=lease.fence, status=Job.Status.RUNNING)
    failures = mine.values_list("failures", flat=True).first()
    if failures is None:
        return
    ended = {"status": Job.Status.FAILED, "finished_at": timezone.now()}
    again = {
        "status": Job.Status.WAITING,
        "due_at": timezone.now() + timedelta(seconds=2**failures),
    }
    is_last = failures + 1 >= MAX_FAILURES
    outcome = ended if is_last else again
    try:
        with transaction.atomic():
            ours = mine.update(failures=failures + 1, error=error[:80], **outcome)
            if ours and is_last:
                kind = Job.objects.values_list("kind", flat=True).get(pk=lease.job_id)
                _give_up(kind, lease.subject)
    except IntegrityError:  # the same work is already waiting in another row
        mine.update(failures=failures + 1, error="superseded", **ended)


def _give_up(kind: str, subject: UUID) -> None:
    if kind in _given_up:
        _given_up[kind](subject)


def _lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.JOB_LEASE)


def purge_finished(*, older_than: timedelta, batch: int = 1000) -> int:
    """Delete finished rows, oldest first; return how many went."""
    old = Job.objects.filter(finished_at__lt=timezone.now() - older_than)
    return delete_in_batches(old.order_by("finished_at"), batch=batch)
