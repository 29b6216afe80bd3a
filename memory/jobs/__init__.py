"""Work that must happen exactly once, and rows that go in batches."""

from memory.jobs.queue import (
    MAX_FAILURES,
    Lease,
    LostLease,
    enqueue,
    enqueue_each,
    forget_finished,
    job,
    run,
    run_due,
)

__all__ = [
    "MAX_FAILURES",
    "Lease",
    "LostLease",
    "enqueue",
    "enqueue_each",
    "forget_finished",
    "job",
    "run",
    "run_due",
]
