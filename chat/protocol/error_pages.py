"""Errors that no view has answered: a page for people, the API's shape for programs."""

import sys
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views import defaults

from chat.protocol.errors import is_for_programs, plain_error
from memory.outages import is_passing

RETRY_AFTER = "5"
Handler = Callable[[HttpRequest, Exception], HttpResponse]


def _make_handler(status: int, show_page: Handler) -> Handler:
    def handle(request: HttpRequest, exception: Exception) -> HttpResponse:
        return plain_error(status) if is_for_programs(request) else show_page(request, exception)

    return handle


bad_request = _make_handler(400, defaults.bad_request)
forbidden = _make_handler(403, defaults.permission_denied)
missing = _make_handler(404, defaults.page_not_found)


def broken(request: HttpRequest) -> HttpResponse:
    """Answer the exception that is being handled, as Django and ASGI layers ask for it."""
    return failed(request, sys.exc_info()[1])


def failed(request: HttpRequest, error: BaseException | None) -> HttpResponse:
    """Answer what nobody foresaw; where a database is away, say so and when to come again."""
    if not is_passing(error):
        return plain_error(500) if is_for_programs(request) else defaults.server_error(request)
    return away(request)


def away(request: HttpRequest) -> HttpResponse:
    """Answer 503 with a page and Retry-After, without asking a database."""
    if is_for_programs(request):
        response = plain_error(503)
    else:  # without the request: what templates ask of it may be in the database
        response = HttpResponse(render_to_string("503.html"), status=503)
    response["Retry-After"] = RETRY_AFTER
    return response


def expired_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose CSRF token is missing or old."""
    return render(request, "403_csrf.html", status=403)
