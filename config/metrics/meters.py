"""Where requests and connections are counted."""

import time
from collections.abc import Callable
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from memory.metrics import count, mirror, observe, traced

PARTS = ("api", "admin", "account", "static")


def counted_requests(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Count each response by its part and class of status; its address stays out."""

    def middleware(request: HttpRequest) -> HttpResponse:
        begun = time.perf_counter()
        response = get_response(request)
        part = next((part for part in PARTS if request.path_info.startswith(f"/{part}/")), "pages")
        status = f"{response.status_code // 100}xx"
        count("responses_total", part=part, status=status)
        observe("response_seconds", time.perf_counter() - begun, part=part)
        traced("request", begun, part=part, status=status)
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
