"""What the rows say of the moment: read when it is asked for, so it is true for all machines."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db import DatabaseError, connections
from django.db.models import Count, Min
from django.utils import timezone

from config.version import __version__
from memory.forgetting.retention import sweeping
from memory.jobs import backlog
from memory.models import ErasureRequest, Turn

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Value:
    """One number of a gauge, with its labels."""

    number: float
    labels: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Gauge:
    """A metric that is read from the rows."""

    help: str
    read: Callable[[], Iterator[Value]]


def _version() -> Iterator[Value]:
    yield Value(1, (("version", __version__),))


def _databases() -> Iterator[Value]:
    for alias in connections:
        yield Value(_answers(alias), (("database", alias),))


def _answers(alias: str) -> bool:
    try:
        with connections[alias].cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _open_answers() -> Iterator[Value]:
    by_status = Turn.objects.open().order_by().values_list("status").annotate(Count("pk"))
    found = dict(by_status)
    for status in Turn.Status.open():
        yield Value(found.get(status, 0), (("status", status),))


def _jobs_waiting() -> Iterator[Value]:
    for work_class, waiting in backlog().items():
        yield Value(waiting.jobs, (("class", work_class),))


def _oldest_jobs() -> Iterator[Value]:
    for work_class, waiting in backlog().items():
        yield Value(waiting.oldest_age, (("class", work_class),))


def _erasures() -> Iterator[Value]:
    yield Value(ErasureRequest.objects.under_way().count())


def _oldest_erasure() -> Iterator[Value]:
    begun = ErasureRequest.objects.under_way().aggregate(since=Min("started_at"))["since"]
    yield Value(_seconds_since(begun) if begun else 0)


def _seconds_since(moment: datetime) -> float:
    return max(0.0, (timezone.now() - moment).total_seconds())


def _purge_lag() -> Iterator[Value]:
    yield Value(sweeping.lag().seconds)


def _purge_failing() -> Iterator[Value]:
    yield Value(sweeping.lag().failing)


GAUGES = {
    "info": Gauge("The version that runs; always 1.", _version),
    "database_up": Gauge("Whether the database answers.", _databases),
    "open_answers": Gauge("Answers that wait or are being written, by state.", _open_answers),
    "jobs_waiting": Gauge("Jobs that are due and not taken, by class.", _jobs_waiting),
    "oldest_job_seconds": Gauge("How long the oldest due job waits, by class.", _oldest_jobs),
    "erasures_under_way": Gauge("Erasures that are being carried out.", _erasures),
    "oldest_erasure_seconds": Gauge("How long the oldest of them goes on.", _oldest_erasure),
    "purge_lag_seconds": Gauge("How late the purge of what has expired is.", _purge_lag),
    "purge_failing": Gauge("Conversations that can't be purged.", _purge_failing),
}


def read(gauge: Gauge) -> list[Value]:
    """Return the gauge's values; none where its database is away, which another gauge says."""
    try:
        return list(gauge.read())
    except DatabaseError as error:
        log.warning("not_measured", extra={"error": type(error).__name__})
        return []
