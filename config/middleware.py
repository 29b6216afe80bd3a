"""What every request gets: an id in the logs, a policy for its page, and no shared caching."""

from collections.abc import AsyncIterator, Callable
from typing import Any

from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from structlog.contextvars import bind_contextvars, clear_contextvars
from uuid_utils.compat import uuid7
from whitenoise.middleware import WhiteNoiseMiddleware

Handler = Callable[[HttpRequest], HttpResponse]
REQUEST_ID = "throughline.request_id"


def request_id(get_response: Handler) -> Handler:
    """Give each request an id of our own making: in every log line and in `X-Request-ID`."""

    def middleware(request: HttpRequest) -> HttpResponse:
        # An answer that is made again, as a late one, keeps the id.
        identifier = getattr(request, "scope", {}).setdefault(REQUEST_ID, str(uuid7()))
        # Not unbound at the end: Django logs what was refused after the last middleware.
        clear_contextvars()
        bind_contextvars(request_id=identifier)
        response = get_response(request)
        response["X-Request-ID"] = identifier
        return response

    return middleware


def private_responses(get_response: Handler) -> Handler:
    """Keep every answer of the application, personal or not, out of browser and proxy caches."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return middleware


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise, with files given as ASGI servers want them: they are small, and read whole."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponseBase:
        response: FileResponse = WhiteNoiseMiddleware.serve(static_file, request)
        if isinstance(request, ASGIRequest):
            content = b"".join(response)
            response.streaming_content = _at_once(content)
        return response


async def _at_once(content: bytes) -> AsyncIterator[bytes]:
    yield content


class PagePolicies(CSPMiddleware):
    """The strict policy everywhere, but for the few third-party pages that can't live with it."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        looser: dict[str, dict[str, Any]] = settings.LOOSER_POLICIES
        for prefix, directives in looser.items():
            if request.path_info.startswith(prefix) and not report_only:
                parts.replace = directives
        return parts
