"""Responses to errors outside of views: a page for people, the API's format for programs."""

import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views import defaults

from chat.protocol.errors import is_for_programs, refusal_response, respond_plainly
from memory.outages import is_passing
from memory.people.sign_in.second_factors import SecondFactorNeeded

RETRY_AFTER = "5"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_for_programs(request):
        return respond_plainly(400)
    return defaults.bad_request(request, exception)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    is_program = is_for_programs(request)
    if isinstance(exception, SecondFactorNeeded):
        return refusal_response(exception) if is_program else redirect("mfa_index")
    if is_program:
        return respond_plainly(403)
    return defaults.permission_denied(request, exception)


def missing(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_for_programs(request):
        return respond_plainly(404)
    return defaults.page_not_found(request, exception)


def broken(request: HttpRequest) -> HttpResponse:
    """Respond to the exception being handled, as Django and the ASGI layers ask."""
    return failed(request, sys.exc_info()[1])


def failed(request: HttpRequest, error: BaseException | None) -> HttpResponse:
    """Respond to an unforeseen error; if a database is unreachable, with 503 and Retry-After."""
    if not is_passing(error):
        return respond_plainly(500) if is_for_programs(request) else defaults.server_error(request)
    return away(request)


def away(request: HttpRequest) -> HttpResponse:
    """Respond with 503, a page and Retry-After, without a query."""
    if is_for_programs(request):
        response = respond_plainly(503)
    else:  # no request: its context needs the database
        response = HttpResponse(render_to_string("503.html"), status=503)
    response["Retry-After"] = RETRY_AFTER
    return response


def expired_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Respond to a form whose CSRF token is missing or old."""
    return render(request, "403_csrf.html", status=403)
