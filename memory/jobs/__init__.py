"""Work that must happen exactly once, and rows that go in batches."""

from memory.jobs.queue import (
    MAX_FAILURES,
    Lease,
    LostLease,
    Pulse,
    enqueue,
    enqueue_each,
    job,
    purge_finished,
    run,
    run_due,
)

__all__ = [
    "MAX_FAILURES",
    "Lease",
    "LostLease",
    "Pulse",
    "enqueue",
    "enqueue_each",
    "job",
    "purge_finished",
    "run",
    "run_due",
]
