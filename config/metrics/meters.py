"""Where responses, the time of requests and connections are measured."""

import time
from collections.abc import Callable
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from memory.metrics import count, mirror, observe, traced

PARTS = ("api", "admin", "account", "static")
# Of what was answered before its address was known.
CONNECTION = "connection"
# Too many ask, which is no error of ours.
REFUSED = "refused"
REASONS = {
    401: "not_signed_in",
    403: "not_allowed",
    404: "not_found",
    408: "too_slow",
    409: "conflict",
    413: "too_large",
    429: "limit_reached",
}


def part_of(path: str) -> str:
    """Return of which part of the product an address is; the address itself stays out."""
    return next((part for part in PARTS if path.startswith(f"/{part}/")), "pages")


def class_of(status: int, *, is_refusal: bool = False) -> str:
    """Return the class of a status, as it is counted."""
    return REFUSED if is_refusal else f"{status // 100}xx"


def count_response(part: str, status: int, *, is_refusal: bool = False) -> None:
    """Count a response by its part and class of status."""
    count("responses_total", part=part, status=class_of(status, is_refusal=is_refusal))


def count_refused_question(status: int, *, is_refusal: bool) -> None:
    """Count a question that was answered with an error's status, by why."""
    reason = "overloaded" if is_refusal else "failed" if status >= 500 else "invalid"
    count("questions_refused_total", reason=REASONS.get(status, reason))


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
def pool_asked(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Note what this process's pool has counted so far, whenever it gives out a connection."""
    pool = getattr(connection, "pool", None)
    if pool is None:
        return
    told, database = pool.get_stats(), connection.alias
    waited = told.get("requests_wait_ms", 0) / 1000
    mirror("connections_wanted_total", told.get("requests_num", 0), database=database)
    mirror("connections_waited_total", told.get("requests_queued", 0), database=database)
    mirror("connection_wait_seconds_total", waited, database=database)
