"""Gauges that are read from the rows when they are asked for, so they hold for all machines."""

import logging
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from operator import attrgetter
from typing import NamedTuple

from django.db import DatabaseError, connections
from django.db.models import Count, Min
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily

from config.version import __version__
from memory import samples
from memory.audit import feed
from memory.forgetting.retention import sweeping
from memory.jobs.backlog import Backlog, backlog
from memory.metrics.declared import PREFIX
from memory.models import ErasureRequest, Turn

log = logging.getLogger(__name__)
Value = samples.Value


class RowGauge(NamedTuple):
    """A gauge that is read from the rows, by one label or none."""

    help: str
    label: str
    read: Callable[[], Iterable[Value]]


def _databases() -> Iterator[Value]:
    for alias in connections:
        yield alias, _answers(alias)


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
        yield str(status), found.get(status, 0)


def _by_class(number: Callable[[Backlog], float]) -> Iterator[Value]:
    for work_class, waiting in backlog().items():
        yield work_class, number(waiting)


def _oldest_erasure() -> float:
    begun = ErasureRequest.objects.running().aggregate(since=Min("started_at"))["since"]
    age = (timezone.now() - begun).total_seconds() if begun else 0
    return max(0, age)  # of a clock that went back, too


def _pick(figures: Callable[[], dict[str, list[Value]]], name: str) -> Iterable[Value]:
    return figures().get(name, ())


def _one(read: Callable[[], float]) -> Callable[[], Iterable[Value]]:
    return lambda: [("", read())]


GAUGES = {
    "info": RowGauge("The version that runs; always 1.", "version", lambda: [(__version__, 1)]),
    "database_up": RowGauge("Whether the database answers.", "database", _databases),
    "open_answers": RowGauge(
        "Answers that wait or are being written, by state.", "status", _open_answers
    ),
    "jobs_waiting": RowGauge(
        "Jobs that are due and not taken, by class.",
        "class",
        lambda: _by_class(attrgetter("jobs")),
    ),
    "oldest_job_seconds": RowGauge(
        "How long the oldest due job waits, by class.",
        "class",
        lambda: _by_class(attrgetter("oldest_age")),
    ),
    "erasures_under_way": RowGauge(
        "Erasures that are being carried out.",
        "",
        _one(lambda: ErasureRequest.objects.running().count()),
    ),
    "oldest_erasure_seconds": RowGauge(
        "How long the oldest of them goes on.", "", _one(_oldest_erasure)
    ),
    "purge_lag_seconds": RowGauge(
        "How late the purge of what has expired is.", "", _one(lambda: sweeping.lag().seconds)
    ),
    "audit_feed_waiting": RowGauge(
        "Audit events that a receiver has not taken.", "", _one(lambda: feed.measure_lag()[0])
    ),
    "audit_feed_lag_seconds": RowGauge(
        "How old the first of them is.", "", _one(lambda: feed.measure_lag()[1])
    ),
    "purge_failing": RowGauge(
        "Conversations that can't be purged.", "", _one(lambda: sweeping.lag().failing)
    ),
}


# Those that the clock counts (memory.samples).
SAMPLED = {
    "sessions": ("Sessions that have not expired.", ""),
    "session_seconds": ("Mean time from a session's beginning to its last activity.", ""),
    "people_active": ("People with a session that was active in the last 24 hours.", ""),
    "storage_bytes": ("Bytes of each table with its indexes; of SQLite each database's.", "table"),
    "stored_rows": ("Rows of each table, as PostgreSQL estimates them.", "table"),
}


class RowCollector:
    """Collects the gauges; one whose database is away has no values, which another gauge says."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        for name, gauge in GAUGES.items():
            yield _collect(name, gauge)
        figures = cache(samples.read_samples)  # once for all
        for name, (explained, label) in SAMPLED.items():
            yield _collect(name, RowGauge(explained, label, partial(_pick, figures, name)))


def _collect(name: str, gauge: RowGauge) -> GaugeMetricFamily:
    family = GaugeMetricFamily(
        PREFIX + name, gauge.help, labels=[gauge.label] if gauge.label else []
    )
    try:
        for label, number in gauge.read():
            family.add_metric([label] if gauge.label else [], float(number))
    except DatabaseError as error:
        log.warning("not_measured", extra={"error": type(error).__name__})
    return family
