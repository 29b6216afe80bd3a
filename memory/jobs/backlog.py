"""The backlog: how much work of each class is due, and how long the oldest has been."""

from typing import NamedTuple

from django.db.models import Count, Min
from django.utils import timezone

from memory.models.jobs import Job, WorkClass


class Backlog(NamedTuple):
    """The jobs of a class that nobody has taken: how many, and the age of the oldest in seconds."""

    jobs: int
    oldest_age: float


def backlog() -> dict[str, Backlog]:
    """Return what is due and not at work, by class: rights, conversations, bulk. One query."""
    due = Job.objects.due().values("work_class").order_by()
    rows = due.annotate(jobs=Count("pk"), oldest=Min("due_at")).values_list(
        "work_class", "jobs", "oldest"
    )
    now, found = timezone.now(), {}
    for work_class, jobs, oldest in rows:
        found[work_class] = Backlog(jobs, max((now - oldest).total_seconds(), 0.0))
    return {each.name.lower(): found.get(each.value, Backlog(0, 0.0)) for each in WorkClass}
