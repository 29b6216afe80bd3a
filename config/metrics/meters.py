"""Metrics of responses, refused questions, request times and connections."""

import time
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver

from memory.metrics.counting import count, observe
from memory.metrics.tracing import send_span

PARTS = ("api", "admin", "account", "static")


def name_part(path: str) -> str:
    """Return the part of the product that a path belongs to, for use as a label."""
    return next((part for part in PARTS if path.startswith(f"/{part}/")), "pages")


def classify_status(status: int, is_refusal: bool = False) -> str:
    """Return the class of a status, as 2xx; a refusal under load is its own class."""
    return "refused" if is_refusal else f"{status // 100}xx"


def measure_response(path: str, status: int, begun: float) -> None:
    """Measure how long Django took for a request since `begun`, by its part."""
    part = name_part(path)
    observe("response_seconds", time.perf_counter() - begun, part=part)
    send_span("request", begun, part=part, status=classify_status(status))


@receiver(connection_created)
def count_pool(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Count the pool's activity since its last new connection."""
    pool = getattr(connection, "pool", None)
    if pool is None:
        return
    told, database = pool.pop_stats(), connection.alias
    waited = told.get("requests_wait_ms", 0) / 1000
    count("connections_wanted_total", told.get("requests_num", 0), database=database)
    count("connections_waited_total", told.get("requests_queued", 0), database=database)
    count("connection_wait_seconds_total", waited, database=database)
