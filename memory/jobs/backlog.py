"""The backlog: how much work of each class is due, and how long the oldest has been."""

from typing import NamedTuple

from django.db.models import Case, Count, Min, When
from django.utils import timezone

from memory.models.jobs import Job, WorkClass


class Backlog(NamedTuple):
    """The due jobs of a class that no worker runs: their number, and the age of the oldest.

    The age, in seconds, counts from a job's first due time; that of a retried job from its
    creation.
    """

    jobs: int
    oldest_age: float


def compute_backlog() -> dict[str, Backlog]:
    """Return the due jobs without a worker, by class; one query."""
    due = Job.objects.due().values("work_class").order_by()
    since = Case(When(fence=0, then="due_at"), default="created_at")
    rows = due.annotate(jobs=Count("pk"), oldest=Min(since)).values_list(
        "work_class", "jobs", "oldest"
    )
    now, found = timezone.now(), {}
    for work_class, jobs, oldest in rows:
        found[work_class] = Backlog(jobs, max((now - oldest).total_seconds(), 0.0))
    return {each.name.lower(): found.get(each.value, Backlog(0, 0.0)) for each in WorkClass}
