"""Web sessions whose rows give no access.

The cookie holds a secret; the row and every other reference to the session (allauth's devices, a
stream's credential) hold its keyed hash. A session's data is encrypted, since some of it gives
access: the key of a password reset, the secret of a new authenticator app. So a copy of the
database gives no access.
"""

import json
import os
from base64 import b64decode, b64encode
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

ENCRYPTED = "1$"
NONCE = 12


class Key(str):
    """The key of a session's row: the hash of its secret, which is known only during its request.

    Code that makes a store from another's key (as allauth does) passes the secret on with it.
    """

    secret: str

    def __new__(cls, secret: str) -> "Key":
        # As long as the column.
        digest = salted_hmac("throughline.web-session", secret, algorithm="sha256").hexdigest()[:40]
        key = super().__new__(cls, digest)
        key.secret = secret
        return key


class SessionStore(DatabaseStore):
    """Django's sessions in the database, each under the hash of its cookie's secret, encrypted."""

    def encode(self, session_dict: dict[str, Any]) -> str:
        nonce, said = os.urandom(NONCE), json.dumps(session_dict, separators=(",", ":")).encode()
        sealed = AESGCM(_derive_key(settings.SECRET_KEY)).encrypt(nonce, said, ENCRYPTED.encode())
        return ENCRYPTED + b64encode(nonce + sealed).decode()

    def decode(self, session_data: str | bytes) -> dict[str, Any]:
        """Return the decoded session; empty if it was changed or has another SECRET_KEY."""
        text = session_data if isinstance(session_data, str) else session_data.decode()
        if not text.startswith(ENCRYPTED):  # from before sessions were encrypted
            return super().decode(text)
        for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
            try:
                sealed = b64decode(text.removeprefix(ENCRYPTED))
                opened = AESGCM(_derive_key(secret)).decrypt(
                    sealed[:NONCE], sealed[NONCE:], ENCRYPTED.encode()
                )
            except (InvalidTag, ValueError):
                continue
            return json.loads(opened)
        return {}

    def _get_new_session_key(self) -> Key:
        return Key(super()._get_new_session_key())  # type: ignore[misc]

    async def _aget_new_session_key(self) -> Key:
        return Key(await super()._aget_new_session_key())  # type: ignore[misc]


class HashedSessionMiddleware(SessionMiddleware):
    """Finds the session by its cookie's secret, and sets the cookie to that."""

    def process_request(self, request: HttpRequest) -> None:
        request.session = get_session(request)

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response = super().process_response(request, response)
        cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and cookie.value:
            key: Any = request.session.session_key
            cookie.set(cookie.key, key.secret, key.secret)
        return response


def get_session(request: HttpRequest) -> SessionStore:
    """Return the session of the request's cookie, or an empty one."""
    secret = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    return SessionStore(Key(secret) if secret else None)


def _derive_key(secret: str) -> bytes:
    return salted_hmac(
        "throughline.web-session-data", "", secret=secret, algorithm="sha256"
    ).digest()
