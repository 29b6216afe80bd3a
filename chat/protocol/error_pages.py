"""Errors that no view has answered: a page for people, the API's shape for programs."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import defaults

from chat.protocol.errors import is_for_programs, plain_error


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_for_programs(request):
        return plain_error(400)
    return defaults.bad_request(request, exception)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_for_programs(request):
        return plain_error(403)
    return defaults.permission_denied(request, exception)


def missing(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_for_programs(request):
        return plain_error(404)
    return defaults.page_not_found(request, exception)


def broken(request: HttpRequest) -> HttpResponse:
    if is_for_programs(request):
        return plain_error(500)
    return defaults.server_error(request)


def expired_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose CSRF token is missing or old."""
    return render(request, "403_csrf.html", status=403)
