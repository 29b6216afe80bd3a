"""Health checks: `/healthz` for liveness, `/readyz` for readiness."""

import logging
import os
import shutil
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from tempfile import TemporaryFile
from typing import TypeVar

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from config.celery import app
from memory import jobs
from memory.forgetting.retention import sweeping
from memory.postgresql.scope import Purpose, whole_installation

log = logging.getLogger(__name__)
T = TypeVar("T")

PATIENCE = 3  # seconds for all checks together
FREE_BYTES = 200 * 1024 * 1024
# Only background work waits for it; reading and asking don't.
NOT_NEEDED = {"broker"}
# While this file is in DATA_DIR, new requests are refused here: shutdown is near.
DRAINING = "draining"
# Checks that hang block these threads and no more, however often they are requested.
_threads = ThreadPoolExecutor(max_workers=10, thread_name_prefix="ready")


class PartDown(Exception):
    """A part doesn't work; the message is for the log, never for the answer."""


@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """Answer that the process lives, without any check."""
    return JsonResponse({"status": "ok"})


@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """Answer 200 if people can be served, else 503, with the parts' names and "ok" or "failing".

    The status is "limited" where only a part fails that people don't need. Numbers to watch are
    added; a late purge doesn't make the process unready.
    """
    if (settings.DATA_DIR / DRAINING).exists():
        return JsonResponse({"status": "draining", "checks": {}, "metrics": {}}, status=503)
    deadline = time.monotonic() + PATIENCE
    running = {name: _threads.submit(_passes, name, check) for name, check in CHECKS.items()}
    measuring = _threads.submit(_collect_metrics)
    passed = {name: _wait_for_result(future, deadline) for name, future in running.items()}
    serves = all(ok for name, ok in passed.items() if name not in NOT_NEEDED)
    answer = {
        "status": _format_status(serves) if all(passed.values()) or not serves else "limited",
        "checks": {name: _format_status(ok) for name, ok in passed.items()},
        "metrics": _wait_for_result(measuring, deadline) or {},
    }
    return JsonResponse(answer, status=200 if serves else 503)


def _format_status(ok: bool | None) -> str:
    return "ok" if ok else "failing"


def _wait_for_result(future: Future[T], deadline: float) -> T | None:
    try:
        return future.result(timeout=max(0, deadline - time.monotonic()))
    except TimeoutError:
        future.cancel()
        return None


def _passes(name: str, check: Callable[[], object]) -> bool:
    try:
        check()
    except Exception as error:  # noqa: BLE001 - whatever a driver raises, the part doesn't work
        log.warning("not_ready", extra={"check": name, "error": type(error).__name__})
        return False
    finally:
        connections.close_all()  # this thread's own connections
    return True


def _collect_metrics() -> dict[str, float]:
    """Return the lag of the purge and of each work class, and the number of failed purges."""
    try:
        with whole_installation(Purpose.UPKEEP):
            behind, waiting = sweeping.compute_lag(), jobs.compute_backlog()
    except DatabaseError as error:
        log.warning("not_measured", extra={"error": type(error).__name__})
        return {}
    finally:
        connections.close_all()
    ages = {f"oldest_{name}_seconds": round(each.oldest_age, 1) for name, each in waiting.items()}
    purge = {"purge_lag_seconds": round(behind.seconds, 1), "purge_failing": behind.failing}
    return purge | ages


def _select(alias: str) -> None:
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT 1")


@lru_cache
def _check_migrations(alias: str) -> None:
    """Raise PartDown while migrations are pending; checked until all are applied."""
    executor = MigrationExecutor(connections[alias])
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise PartDown(alias)


def _check_broker() -> None:
    if settings.CELERY_BROKER_URL.startswith("filesystem://"):
        with TemporaryFile(dir=settings.BROKER_DIR / "queue"):
            return
    with app.connection_for_write() as connection:
        connection.ensure_connection(max_retries=1, interval_start=0, timeout=PATIENCE)
        if connection.transport.driver_type == "redis":
            # A broker that is full, or a replica, answers but accepts nothing.
            connection.default_channel.client.set("ready", "", ex=PATIENCE)


def _check_disk() -> None:
    if shutil.disk_usage(settings.DATA_DIR).free < FREE_BYTES:
        raise PartDown
    if not os.access(settings.DATA_DIR, os.W_OK):
        raise PartDown


CHECKS: dict[str, Callable[[], object]] = {
    "database": lambda: _select("default"),
    "keys": lambda: _select("keys"),
    "migrations": lambda: [_check_migrations(alias) for alias in settings.DATABASES],
    "broker": _check_broker,
    "counters": lambda: cache.get("ready"),
    "disk": _check_disk,
}
