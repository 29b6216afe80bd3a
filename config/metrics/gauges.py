"""Gauges that are read from the database on request, so that they cover all machines."""

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

from django.db import DatabaseError, connections
from django.db.models import Count, Min
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily

from config.version import __version__
from memory import samples
from memory.audit import feed
from memory.forgetting.retention import sweeping
from memory.jobs.backlog import compute_backlog
from memory.metrics.declared import PREFIX
from memory.models import ErasureRequest, Turn

log = logging.getLogger(__name__)
# A number, or the numbers by the value of a label.
Value = float | Mapping[str, float]


def _check_databases() -> Value:
    return {alias: _answers(alias) for alias in connections}


def _answers(alias: str) -> bool:
    try:
        with connections[alias].cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _open_answers() -> Value:
    by_status = Turn.objects.open().order_by().values_list("status").annotate(Count("pk"))
    found = dict(by_status)
    return {str(status): found.get(status, 0) for status in Turn.Status.open()}


def _measure_oldest_erasure() -> float:
    begun = ErasureRequest.objects.running().aggregate(since=Min("started_at"))["since"]
    age = (timezone.now() - begun).total_seconds() if begun else 0
    return max(0, age)  # or a clock that was set back


# Each gauge's description, its label or none, and its reader.
GAUGES: dict[str, tuple[str, str, Callable[[], Value]]] = {
    "info": ("The version that runs; always 1.", "version", lambda: {__version__: 1}),
    "database_up": ("Whether the database answers.", "database", _check_databases),
    "open_answers": (
        "Answers that wait or are being written, by state.",
        "status",
        _open_answers,
    ),
    "jobs_waiting": (
        "Jobs that are due and not taken, by class.",
        "class",
        lambda: {name: due.jobs for name, due in compute_backlog().items()},
    ),
    "oldest_job_seconds": (
        "How long the oldest due job waits, by class.",
        "class",
        lambda: {name: due.oldest_age for name, due in compute_backlog().items()},
    ),
    "erasures_under_way": (
        "Erasures that are being carried out.",
        "",
        lambda: ErasureRequest.objects.running().count(),
    ),
    "oldest_erasure_seconds": ("How long the oldest of them goes on.", "", _measure_oldest_erasure),
    "purge_lag_seconds": (
        "How late the purge of what has expired is.",
        "",
        lambda: sweeping.compute_lag().seconds,
    ),
    "audit_feed_waiting": (
        "Audit events that a receiver has not taken.",
        "",
        lambda: feed.measure_lag()[0],
    ),
    "audit_feed_lag_seconds": (
        "How old the first of them is.",
        "",
        lambda: feed.measure_lag()[1],
    ),
    "purge_failing": (
        "Conversations that can't be purged.",
        "",
        lambda: sweeping.compute_lag().failing,
    ),
}
# Counted by the clock's job (memory.samples).
SAMPLED = {
    "sessions": ("Sessions that have not expired.", ""),
    "session_seconds": ("Mean time from a session's beginning to its last activity.", ""),
    "people_active": ("People with a session that was active in the last 24 hours.", ""),
    "storage_bytes": ("Bytes of each table with its indexes; of SQLite each database's.", "table"),
    "stored_rows": ("Rows of each table, as PostgreSQL estimates them.", "table"),
}


class RowCollector:
    """Collects the gauges; without its database a gauge has no values, as `database_up` shows."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        for name, (explained, label, read) in GAUGES.items():
            yield _collect(name, explained, label, read)
        figures = cache(samples.read_samples)  # once for all
        for name, (explained, label) in SAMPLED.items():
            yield _collect(name, explained, label, partial(_pick, figures, name))


def _pick(figures: Callable[[], dict[str, list[samples.Value]]], name: str) -> Value:
    return dict(figures().get(name, ()))


def _collect(name: str, explained: str, label: str, read: Callable[[], Value]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(PREFIX + name, explained, labels=[label] if label else [])
    try:
        found = read()
        for value, number in found.items() if isinstance(found, Mapping) else [("", found)]:
            family.add_metric([value] if label else [], float(number))
    except DatabaseError as error:
        log.warning("not_measured", extra={"error": type(error).__name__})
    return family
