"""The middleware of every request: its id, its page's policy, caching, and static files."""

import time
from collections.abc import AsyncIterator, Callable
from typing import Any, cast

from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django_htmx.middleware import HtmxDetails
from structlog.contextvars import bind_contextvars, clear_contextvars
from uuid_utils.compat import uuid7
from whitenoise.middleware import WhiteNoiseMiddleware

from config.metrics.meters import measure_response
from memory.audit import circumstances
from memory.postgresql import scope

Handler = Callable[[HttpRequest], HttpResponse]
REQUEST_ID = "throughline.request_id"


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise for ASGI servers: static files are small, and read whole."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponseBase:
        response: FileResponse = WhiteNoiseMiddleware.serve(static_file, request)
        if isinstance(request, ASGIRequest):
            content = b"".join(response)
            response.streaming_content = _yield_content(content)
        return response


async def _yield_content(content: bytes) -> AsyncIterator[bytes]:
    yield content


class PagePolicies(CSPMiddleware):
    """The strict policy everywhere, except on third-party pages that can't work with it."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        looser: dict[str, dict[str, Any]] = settings.LOOSER_POLICIES
        for prefix, directives in looser.items():
            if request.path_info.startswith(prefix) and not report_only:
                parts.replace = directives
        return parts


def envelope(get_response: Handler) -> Handler:
    """Give each request an id, and each response its policy and no shared caching; time both."""
    answer = PagePolicies(get_response)

    def middleware(request: HttpRequest) -> HttpResponse:
        begun = time.perf_counter()
        # A repeated answer, such as a late one's 503, keeps the id.
        identifier = getattr(request, "scope", {}).setdefault(REQUEST_ID, str(uuid7()))
        # Not unbound at the end: Django logs refused requests after the last middleware.
        clear_contextvars()
        bind_contextvars(request_id=identifier)
        circumstances.begin(identifier)
        scope.begin()
        request.htmx = HtmxDetails(request)  # type: ignore[attr-defined]
        response = cast("HttpResponse", answer(request))
        response["X-Request-ID"] = identifier
        response.headers.setdefault("Cache-Control", "no-store")
        measure_response(request.path_info, response.status_code, begun)
        return response

    return middleware
