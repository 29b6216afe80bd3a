"""Jobs: work that must happen exactly once; and deletion in batches."""

from memory.jobs.backlog import compute_backlog
from memory.jobs.kinds import AuditClass, get_audit_class, job, register_kind
from memory.jobs.leases import Lease, LostLease, Pulse, finished
from memory.jobs.queue import (
    MAX_FAILURES,
    advance_postponed,
    enqueue,
    enqueue_each,
    give_way,
    purge_finished,
    run,
    run_due,
)
from memory.models.jobs import WorkClass

__all__ = [
    "MAX_FAILURES",
    "AuditClass",
    "Lease",
    "LostLease",
    "Pulse",
    "WorkClass",
    "advance_postponed",
    "compute_backlog",
    "enqueue",
    "enqueue_each",
    "finished",
    "get_audit_class",
    "give_way",
    "job",
    "purge_finished",
    "register_kind",
    "run",
    "run_due",
]
