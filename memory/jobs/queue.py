"""The job queue: each job is done once, whatever process is killed.

A job is a row, enqueued in the transaction of its cause. A worker takes it by compare-and-set under
a lease and a fence number. It finishes the job in the transaction of its effects, under the same
fence. So a killed worker's job is taken again when its lease ends, and a worker that resumes after
that can't commit. Celery with every recommended setting loses tasks under kill -9.
"""

import logging
import time
from collections.abc import Iterable, Sequence
from datetime import timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import DurationField, ExpressionWrapper, F
from django.utils import timezone

from memory.errors import describe_error
from memory.jobs import kinds, signs
from memory.jobs.batches import delete_in_batches
from memory.jobs.leases import Lease, LostLease, compute_lease_end
from memory.jobs.picking import pick_next_job
from memory.metrics.tracing import send_span
from memory.models import Job
from memory.models.jobs import WorkClass
from memory.postgresql.scope import Purpose, assume_person, whole_installation

log = logging.getLogger(__name__)

# Largest difference between the clocks of several machines.
A_MOMENT = timedelta(minutes=1)
MAX_FAILURES = 5
# Taken this often without an end: the job kills its worker. It must not go on doing so.
MAX_FENCE = 12
# After this many attempts without an end, the job evidently kills its worker: it is given up.
LONGEST_ROUND, MOST_BETWEEN = 60.0, 8


def enqueue(
    kind: str,
    subject: UUID,
    *,
    owner: UUID | None = None,
    delay: timedelta = timedelta(0),
    work_class: WorkClass | None = None,
) -> Job:
    """Enqueue work on the subject in the caller's transaction; a waiting job isn't duplicated.

    It counts as the owner's turn. Its class defaults to that of its kind.
    """
    row = _make_job(kind, subject, owner, work_class)
    row.due_at += delay
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        row = Job.objects.get(kind=kind, subject=subject, status=Job.Status.WAITING)
    return row


def enqueue_each(names: Iterable[str], subject: UUID, *, owner: UUID | None = None) -> None:
    """Enqueue several kinds of work on the subject, as `enqueue` does, in one statement."""
    rows = [_make_job(name, subject, owner) for name in names]
    Job.objects.bulk_create(rows, ignore_conflicts=True)  # waiting jobs aren't duplicated


def _make_job(
    kind: str, subject: UUID, owner: UUID | None, work_class: WorkClass | None = None
) -> Job:
    chosen = kinds.get_class(kind) if work_class is None else work_class
    now = timezone.now()
    return Job(kind=kind, subject=subject, owner_id=owner, work_class=chosen, due_at=now)


def run_due(*, limit: int = 100, classes: Sequence[WorkClass] | None = None) -> int:
    """Do due jobs, at most `limit`; return how many were taken.

    They are of this worker's classes, unless others are given. None is begun after LONGEST_ROUND.
    """
    classes = kinds.get_worker_classes() if classes is None else classes
    taken, end = 0, time.monotonic() + LONGEST_ROUND
    while taken < limit and time.monotonic() < end:
        row = pick_next_job(classes)
        if row is None:
            break
        taken += _do(row)  # unless another worker was first
    return taken


def run(job_id: int) -> bool:
    """Do the job if it is due; return whether this worker did it."""
    row = Job.objects.due().filter(pk=job_id).first()
    return row is not None and _do(row)


def give_way(lease: Lease) -> None:
    """Do more urgent jobs before more of the lease's work, if this worker takes such classes.

    The lease is renewed meanwhile. Call it outside transactions.
    """
    more_urgent = [each for each in kinds.get_worker_classes() if each < lease.work_class]
    run_due(limit=MOST_BETWEEN, classes=more_urgent)


def _do(row: Job) -> bool:
    """Do the job in the scope of its owner, or of all people if it has none."""
    owner = row.owner_id
    with assume_person(owner) if owner else whole_installation(Purpose.JOB):
        return _do_in_scope(row)


def _do_in_scope(row: Job) -> bool:
    lease = _take(row)
    if lease is None:
        return False
    signs.show()
    about = {"job": row.pk, "kind": row.kind}
    begun, ended = time.perf_counter(), "done"
    try:
        with lease.held():
            kinds.do(row.kind, lease)
    except LostLease:
        ended = "taken_over"
        log.info("job_taken_over", extra=about)
    except Exception as error:  # noqa: BLE001 - a job that raises must not stop the others
        ended = "raised"
        log.error("job_raised", extra=about | describe_error(error))
        _put_back(lease, row.kind, type(error).__name__)
    send_span("job", begun, kind=row.kind, ended=ended)
    return True


def _take(row: Job) -> Lease | None:
    unchanged = Job.objects.due().filter(pk=row.pk, fence=row.fence, status=row.status)
    if row.fence >= MAX_FENCE:
        with transaction.atomic():
            if unchanged.update(
                status=Job.Status.FAILED, error="worker_lost", finished_at=timezone.now()
            ):
                kinds.give_up(row.kind, row.subject)
        return None
    if not unchanged.update(
        status=Job.Status.RUNNING, fence=F("fence") + 1, due_at=compute_lease_end()
    ):
        return None
    return Lease(row.pk, row.subject, row.fence + 1, row.work_class, row.owner_id, row.kind)


def _put_back(lease: Lease, kind: str, error: str) -> None:
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
                kinds.give_up(kind, lease.subject)
    except IntegrityError:  # the same work is waiting in another row
        mine.update(failures=failures + 1, error="superseded", **ended)


def advance_postponed() -> int:
    """Make due the jobs that a clock set back has postponed; return their number.

    No lease ends later than one taken now, and no job is created in the future.
    """
    now = timezone.now()
    later = Job.objects.unfinished().filter(due_at__gt=now + A_MOMENT)
    leases = later.filter(status=Job.Status.RUNNING, due_at__gt=compute_lease_end() + A_MOMENT)
    early = later.filter(status=Job.Status.WAITING, created_at__gt=now + A_MOMENT)
    delay = ExpressionWrapper(F("due_at") - F("created_at"), DurationField())
    return leases.update(due_at=compute_lease_end()) + early.update(
        created_at=now, due_at=delay + now
    )


def purge_finished(*, older_than: timedelta, batch: int = 1000) -> int:
    """Delete finished rows, oldest first; return how many."""
    old = Job.objects.filter(finished_at__lt=timezone.now() - older_than)
    return delete_in_batches(old.order_by("finished_at"), batch=batch)
