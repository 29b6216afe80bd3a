"""Counts of responses, refused questions, times of requests and connections."""

import time
from collections.abc import Callable
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from memory.metrics import count, observe, traced

PARTS = ("api", "admin", "account", "static")


def part_of(path: str) -> str:
    """Return the part of the product that an address belongs to; the address itself stays out."""
    return next((part for part in PARTS if path.startswith(f"/{part}/")), "pages")


def class_of(status: int, is_refusal: bool = False) -> str:
    """Return the class of a status as it is counted; a refusal is no error of ours."""
    return "refused" if is_refusal else f"{status // 100}xx"


def timed_requests(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Measure how long Django has with each request, by its part."""

    def middleware(request: HttpRequest) -> HttpResponse:
        begun = time.perf_counter()
        response = get_response(request)
        part = part_of(request.path_info)
        observe("response_seconds", time.perf_counter() - begun, part=part)
        traced("request", begun, part=part, status=class_of(response.status_code))
        return response

    return middleware


@receiver(connection_created)
def count_pool(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Count what this process's pool did since it last gave out a connection."""
    pool = getattr(connection, "pool", None)
    if pool is None:
        return
    told, database = pool.pop_stats(), connection.alias
    waited = told.get("requests_wait_ms", 0) / 1000
    count("connections_wanted_total", told.get("requests_num", 0), database=database)
    count("connections_waited_total", told.get("requests_queued", 0), database=database)
    count("connection_wait_seconds_total", waited, database=database)
