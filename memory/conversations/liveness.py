"""Liveness of the processes that answer: a row each, written by a thread (config.heartbeat).

An attempt belongs to the process that stored its question, and lapses only with it. A process
without a heartbeat, such as a command, has the longest time of a model for each attempt.
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models.functions import Now
from django.utils import timezone
from uuid_utils.compat import uuid7

from memory.models import Attempt, Process

# Time for preparation before the model is asked, and for recording after it.
BESIDE_THE_MODEL = timedelta(minutes=2)
# Earlier versions check only the lease, and with it leave a process's attempt alone.
OF_A_PROCESS = timedelta(days=1)


# Attempts of this process that no thread answers: storing their end failed while the database was
# down, or the result of their commit is unknown.
abandoned: set[UUID] = set()


class _Own:
    """The row of this process; None without a heartbeat."""

    id: UUID | None = None


def get_own_process() -> UUID | None:
    """Return the id of this process's row, if it has a heartbeat."""
    return _Own.id


def begin(identity: UUID | None = None) -> UUID:
    """Register this process as living from now on."""
    _Own.id = identity or uuid7()
    beat()
    return _Own.id


def beat() -> None:
    """Write this process's heartbeat."""
    row = Process(pk=_Own.id, beat_at=Now())
    Process.objects.bulk_create(
        [row], update_conflicts=True, unique_fields=["id"], update_fields=["beat_at"]
    )


def end() -> None:
    """Deregister this process; its open attempts lapse now."""
    declare_dead(_Own.id)
    _Own.id = None


def declare_dead(process: UUID | None) -> None:
    """Let all attempts of the process lapse now; its parent saw it end."""
    if process:
        Process.objects.filter(pk=process).delete()


def delete_dead() -> int:
    """Delete the rows of dead processes, once they have no open attempts."""
    answering = Attempt.objects.open().exclude(process=None).values("process")
    return Process.objects.dead().exclude(pk__in=answering).delete()[0]


def claim() -> dict[str, UUID | datetime | None]:
    """Return the columns of a new attempt of this process."""
    term = timedelta(seconds=settings.LLM_TOTAL_TIMEOUT) + BESIDE_THE_MODEL
    if get_own_process():
        term = OF_A_PROCESS
    return {"process": get_own_process(), "lease_until": timezone.now() + term}
