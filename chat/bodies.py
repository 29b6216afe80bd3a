"""Bodies: how much a request may bring, known before Django has seen it (config.asgi).

All of a body is held in memory, so nothing may bring more than MAX_BODY_BYTES; only a form with a
file may, as much as a document, and only from someone who is signed in.
"""

import json
from collections.abc import MutableMapping
from io import BytesIO
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.backends.db import SessionStore
from django.core.handlers.asgi import ASGIRequest
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException

from chat.api.credentials import BearerToken
from chat.api.errors import PREFIX, error_shape
from chat.uploading import UploadTooLarge

Scope = MutableMapping[str, Any]

UPLOADS = ("/library/upload", "/api/v1/documents")


def is_upload(scope: Scope) -> bool:
    """Tell whether the request is a form that may bring a file."""
    is_form = _header(scope, b"content-type").startswith(b"multipart/form-data")
    return is_form and scope["method"] == "POST" and scope["path"] in UPLOADS


def is_known(scope: Scope) -> bool:
    """Tell from its headers alone whether the request is one of somebody who is signed in."""
    request: Any = ASGIRequest(scope, BytesIO())
    try:
        if BearerToken().authenticate(request):
            return True
    except APIException:
        return False
    request.session = SessionStore(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    return bool(get_user(request).is_authenticated)


def refusal(scope: Scope, limit: int) -> tuple[int, str, bytes]:
    """Return the answer to a larger body: its status, its media type and itself."""
    code, message = _reason(scope, limit)
    status = 401 if code == "not_authenticated" else 413
    by_hand = not scope["path"].startswith(PREFIX) and not _header(scope, b"hx-request")
    if is_upload(scope) and by_hand:
        page = render_to_string("library/refused.html", {"message": message, "status": status})
        return status, "text/html; charset=utf-8", page.encode()
    return status, "application/json", json.dumps(error_shape(code, message)).encode()


def _reason(scope: Scope, limit: int) -> tuple[str, str]:
    if not is_upload(scope):
        return "body_too_large", _("The request is larger than %d bytes.") % limit
    if limit < settings.MAX_UPLOAD_BYTES:
        return "not_authenticated", _("Sign in before you send a document.")
    return UploadTooLarge.code, UploadTooLarge().message


def _header(scope: Scope, name: bytes) -> bytes:
    value: bytes = dict(scope["headers"]).get(name, b"")
    return value
