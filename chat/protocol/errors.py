"""The exception handler of the API: every error has the same format.

{"error": {"code": "invalid_request", "message": "…", "fields": {"query": ["…"]}}}
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NotRequired, TypedDict

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from chat.shapes.statuses import find_status, write_headers
from memory.errors import NotFound, Refusal

PREFIX = "/api/"
# Most invalid fields that are reported, and most characters of their names.
MOST_FIELDS, MOST_LETTERS = 20, 100


class ErrorDetail(TypedDict):
    code: Annotated[str, "Stable; made for programs."]
    message: Annotated[str, "Made for people, in their language."]
    fields: NotRequired[
        Annotated[dict[str, list[str]], "What is wrong with each field of the request."]
    ]


class Error(TypedDict):
    error: ErrorDetail


def error_shape(code: str, message: str, fields: Mapping[str, list[str]] | None = None) -> Error:
    detail: ErrorDetail = {"code": code, "message": message}
    if fields:
        detail["fields"] = dict(fields)
    return {"error": detail}


def error_response(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Convert a view's exception to a response; None for unforeseen ones, logged as a 500."""
    match error:
        case Refusal():
            context["view"].headers.update(write_headers(error))
            return _respond_refusal(error)
        case Http404() | exceptions.NotFound():
            return _respond_refusal(NotFound())
        case RequestDataTooBig():
            return Response(too_large_shape(), status=413)
        case PermissionDenied():
            return _respond_failure(exceptions.PermissionDenied())
        case exceptions.ValidationError():
            fields = dict(_list_fields(error.detail))
            shape = error_shape("invalid_request", _("The request isn't valid."), fields)
            return Response(shape, status=400)
        case exceptions.APIException():
            return _respond_failure(error)
    return None


def _respond_refusal(refusal: Refusal) -> Response:
    shape = error_shape(refusal.code, refusal.message, refusal.fields)
    return Response(shape, status=find_status(refusal))


def _respond_failure(error: exceptions.APIException) -> Response:
    headers = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait))
    shape = error_shape(error.default_code, str(error.detail))
    return Response(shape, status=error.status_code, headers=headers)


def _list_fields(detail: Any) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the messages of each invalid field; a list's items are `name.index`."""
    for name, messages in list(detail.items())[:MOST_FIELDS]:
        if isinstance(messages, dict):
            for place, text in _list_fields(messages):
                yield f"{name}.{place}", text
        else:
            yield str(name)[:MOST_LETTERS], [str(message) for message in messages]


def too_large_shape() -> Error:
    message = _("The request is larger than %d bytes.") % settings.MAX_BODY_BYTES
    return error_shape("body_too_large", message)


# --- Outside REST framework's views ---------------------------------------------------------------


def is_for_programs(request: HttpRequest) -> bool:
    """Return whether the request's errors have the API's format instead of a page."""
    return request.path_info.startswith(PREFIX)


def json_response(shape: Any, status: int) -> HttpResponse:
    """Return the data as JSON, byte for byte as REST framework renders it."""
    return HttpResponse(JSONRenderer().render(shape), "application/json", status)


def refusal_response(refusal: Refusal, page: str | None = None) -> HttpResponse:
    """Respond to a refusal with the given page, or in the API's format, also for scripts."""
    status = find_status(refusal)
    if page is None:
        response = json_response(error_shape(refusal.code, refusal.message), status)
    else:
        response = HttpResponse(page, status=status)
    for name, value in write_headers(refusal).items():
        response[name] = value
    return response


def respond_missing() -> HttpResponse:
    return refusal_response(NotFound())


def respond_plainly(status: int) -> HttpResponse:
    """Respond to an error that no view has handled."""
    if status == 404:
        return respond_missing()
    code, message = {
        400: ("bad_request", _("The request can't be read.")),
        403: ("permission_denied", _("This isn't allowed.")),
        503: ("unavailable", _("A part of the service can't be reached now. Try again soon.")),
    }.get(status, ("internal_error", _("Something went wrong on our side.")))
    return json_response(error_shape(code, message), status)
