"""Choice of a worker's next job, in one statement with one index scan.

Jobs are ordered by the rank of their class. Within a class people take turns: after the job of one
owner comes the oldest job of the next owner by id. The installation's own work takes one turn among
them. So the first of a person's hundred jobs waits for one job of each other person. Each worker
rotates by itself, so no row is shared by all writers.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db import connection
from django.utils import timezone

from memory.models.jobs import Job, WorkClass

NOBODY = UUID(int=0)
# Literals, because SQLite uses a partial index only if the condition's values are in the query.
OLDEST = """SELECT * FROM (
SELECT {number} AS turn, id, kind, subject, status, fence, work_class, owner_id FROM {table}
WHERE status IN ('waiting', 'running') AND work_class = {work_class} AND {whose} AND due_at <= %s
ORDER BY owner_id, due_at LIMIT 1) AS turn_{number}"""
WHOSE = ("owner_id > %s", "owner_id IS NULL", "owner_id <= %s")
# The owner that this process has served last, in each class.
_served: dict[WorkClass, UUID] = {}


def pick_next_job(classes: Sequence[WorkClass]) -> Job | None:
    """Return the next job of these classes, or None."""
    if not classes:
        return None
    found = list(Job.objects.raw(*build_statement(classes)))
    if not found:
        return None
    _served[WorkClass(found[0].work_class)] = found[0].owner_id or NOBODY
    return found[0]


def build_statement(classes: Sequence[WorkClass]) -> tuple[str, list[object]]:
    """Return the statement that picks a job, and its parameters."""
    owner, due = Job._meta.get_field("owner_id"), Job._meta.get_field("due_at")
    now = due.get_db_prep_value(timezone.now(), connection)
    parts: list[str] = []
    values: list[object] = []
    for work_class in classes:
        served = owner.get_db_prep_value(_served.get(work_class, NOBODY), connection)
        for whose in WHOSE:
            part = {"number": len(parts), "work_class": work_class.value, "whose": whose}
            parts.append(OLDEST.format(table=Job._meta.db_table, **part))
            values += [served, now] if "%s" in whose else [now]
    return " UNION ALL ".join(parts) + " ORDER BY turn LIMIT 1", values
