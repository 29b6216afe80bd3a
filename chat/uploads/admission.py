"""Limits on the size of request bodies, known before Django reads them (config.serving.bodies).

A body is held in memory, so none may exceed MAX_BODY_BYTES; only a form with a file may be as large
as a document, and only from a signed-in person.
"""

from io import BytesIO
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy
from rest_framework.exceptions import AuthenticationFailed

from chat.protocol.credentials import SCHEME, BearerToken, InsufficientScope
from chat.protocol.errors import (
    is_for_programs,
    refusal_response,
    too_large_shape,
)
from chat.shapes.statuses import find_status
from chat.streams.kept_open import Scope
from chat.streams.unstored import TooManyAtOnce
from memory.errors import Refusal
from memory.models import Scope as TokenScope
from memory.people.sign_in.web_sessions import get_session

UPLOADS = (
    "/library/upload", "/library/import", "/api/v1/documents", "/api/v1/documents/import",
)  # fmt: skip


class BodyRefused(Exception):
    """A body is rejected, or the rest of it; the response gives the reason."""

    def __init__(self, reason: type[Refusal]) -> None:
        super().__init__(reason.code)
        self.reason = reason


class BodyTooLarge(Refusal):
    code = "body_too_large"

    says = lazy(lambda: str(too_large_shape()["error"]["message"]), str)()


class NotSignedIn(Refusal):
    code = "not_authenticated"
    says = gettext_lazy("Sign in before you send a document.")


class ScopeTooSmall(Refusal):
    code = InsufficientScope.default_code

    says = lazy(lambda: str(InsufficientScope(TokenScope.WRITE).detail), str)()


class TooSlow(Refusal):
    code = "too_slow"
    says = gettext_lazy("The upload was too slow or did not arrive. Send it again.")


class TooManyUploads(TooManyAtOnce):
    """The person, or too many people, are sending documents already."""

    says = gettext_lazy(
        "Other documents are still being uploaded. Send this one again in a moment."
    )


def is_upload(scope: Scope) -> bool:
    """Return whether the request is a form that may have a file."""
    headers = dict(scope["headers"])
    is_form = headers.get(b"content-type", b"").startswith(b"multipart/form-data")
    return is_form and scope["method"] == "POST" and scope["path"] in UPLOADS


def identify_sender(scope: Scope) -> UUID | None:
    """Return the signed-in person from the headers alone; raises BodyRefused for a read token."""
    request: Any = ASGIRequest(scope, BytesIO())
    try:
        if known := BearerToken().authenticate(request):
            return known[0].pk
    except InsufficientScope:
        raise BodyRefused(ScopeTooSmall) from None
    except AuthenticationFailed:
        return None
    request.session = get_session(request)
    user = get_user(request)
    return user.pk if user.is_authenticated else None


def respond_refusal(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """Respond to a rejected body: with a page to a browser's form, else in the API's format."""
    is_script = "HX-Request" in request.headers
    if request.path in UPLOADS and not is_for_programs(request) and not is_script:
        shown = {"message": refusal.message, "status": find_status(refusal)}
        response = refusal_response(refusal, render_to_string("library/refused.html", shown))
    else:
        response = refusal_response(refusal)
    if response.status_code == 401:
        response["WWW-Authenticate"] = SCHEME
    return response
