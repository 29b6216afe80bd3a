"""What the rows say of the moment: read when it is asked for, so it is true for all machines."""

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter

from django.db import DatabaseError, connections
from django.db.models import Count, Min
from django.utils import timezone

from config.version import __version__
from memory.forgetting.retention import sweeping
from memory.jobs.backlog import Backlog, backlog
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
    read: Callable[[], Iterable[Value]]


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


def _by_class(number: Callable[[Backlog], float]) -> Iterator[Value]:
    for work_class, waiting in backlog().items():
        yield Value(number(waiting), (("class", work_class),))


def _oldest_erasure() -> Iterator[Value]:
    begun = ErasureRequest.objects.under_way().aggregate(since=Min("started_at"))["since"]
    age = (timezone.now() - begun).total_seconds() if begun else 0
    yield Value(max(0, age))  # of a clock that went back, too


GAUGES = {
    "info": Gauge(
        "The version that runs; always 1.", lambda: [Value(1, (("version", __version__),))]
    ),
    "database_up": Gauge("Whether the database answers.", _databases),
    "open_answers": Gauge("Answers that wait or are being written, by state.", _open_answers),
    "jobs_waiting": Gauge(
        "Jobs that are due and not taken, by class.", lambda: _by_class(attrgetter("jobs"))
    ),
    "oldest_job_seconds": Gauge(
        "How long the oldest due job waits, by class.", lambda: _by_class(attrgetter("oldest_age"))
    ),
    "erasures_under_way": Gauge(
        "Erasures that are being carried out.",
        lambda: [Value(ErasureRequest.objects.under_way().count())],
    ),
    "oldest_erasure_seconds": Gauge("How long the oldest of them goes on.", _oldest_erasure),
    "purge_lag_seconds": Gauge(
        "How late the purge of what has expired is.", lambda: [Value(sweeping.lag().seconds)]
    ),
    "purge_failing": Gauge(
        "Conversations that can't be purged.", lambda: [Value(sweeping.lag().failing)]
    ),
}


def read(gauge: Gauge) -> list[Value]:
    """Return the gauge's values; none where its database is away, which another gauge says."""
    try:
        return list(gauge.read())
    except DatabaseError as error:
        log.warning("not_measured", extra={"error": type(error).__name__})
        return []
