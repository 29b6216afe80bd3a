"""Who is asking: a token in the header, or the session of someone who has signed in."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed


class BearerToken(TokenAuthentication):  # type: ignore[misc]
    """`Authorization: Bearer TOKEN`."""

    def authenticate_credentials(self, token: bytes) -> tuple[Any, Any]:
        # What can't be a token would only upset the database.
        if not token.isalnum():
            raise AuthenticationFailed(_("Invalid token."))
        return super().authenticate_credentials(token)


class BearerTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describes the token in the API's schema."""

    target_class = BearerToken
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        made = "Made by `python manage.py create_token USER`."
        return {"type": "http", "scheme": "bearer", "description": made}
