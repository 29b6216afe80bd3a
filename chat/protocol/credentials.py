"""Authentication of the API: a token in a header, or the session of a signed-in browser.

All endpoints use it. A token is accepted in `Authorization: Bearer TOKEN` only; any other value of
that header is rejected, so that it can't hide behind a cookie.
"""

from typing import Any, cast

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from memory.audit import circumstances
from memory.models import ApiToken, Scope, User
from memory.people import api_tokens
from memory.postgresql import scope

SCHEME = "Bearer"
# Longest token, in characters; longer ones are rejected without hashing them.
MAX_LENGTH = 200


class InsufficientScope(PermissionDenied):
    """The token is valid, but lacks the scope."""

    default_code = "insufficient_scope"

    def __init__(self, needed: Scope) -> None:
        super().__init__(_("This takes a token with the scope “%s”.") % needed.value)


class BearerToken(BaseAuthentication):
    """Authentication by `Authorization: Bearer TOKEN`."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        words = get_authorization_header(request).split()
        if not words:
            return None
        scheme, *rest = words
        # A malformed token is rejected before it reaches the database.
        if scheme.lower() != SCHEME.lower().encode() or len(rest) != 1 or not rest[0].isalnum():
            raise AuthenticationFailed(_("Invalid token."))
        row = api_tokens.find_token(rest[0][:MAX_LENGTH].decode())
        if row is None:
            raise AuthenticationFailed(_("Invalid token."))
        if request.method not in SAFE_METHODS and not Scope(row.scope).includes(Scope.WRITE):
            raise InsufficientScope(Scope.WRITE)
        circumstances.note(actor=row.user_id, credential=f"token:{row.pk}")
        scope.begin(row.user_id)
        return row.user, row

    def authenticate_header(self, request: Request) -> str:
        return SCHEME


def has_scope(request: Request, scope: Scope) -> bool:
    """Return whether both the credential and its person have the scope."""
    user = cast(User, request.user)
    if scope == Scope.ADMIN and not user.keeps_library:
        return False
    return not isinstance(request.auth, ApiToken) or Scope(request.auth.scope).includes(scope)


def require(request: Request, scope: Scope) -> None:
    """Reject the request unless its credential has the scope."""
    if not has_scope(request, scope):
        raise InsufficientScope(scope)


class BearerTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describes the token in the API's schema."""

    target_class = BearerToken
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        made = (
            "Made at `/account/tokens`, or by `python manage.py create_token USER`. Its scope is "
            "`read` (GET only), `write` (all of one's own) or `admin` (the shared library too)."
        )
        return {"type": "http", "scheme": "bearer", "description": made}
