"""What let a reader in, and whether it still would: streams stay open longer than rights."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.auth import HASH_SESSION_KEY
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from memory.models import ApiToken, Turn, User
from memory.people.web_sessions import SessionStore


@dataclass(frozen=True)
class Credential:
    """What let the reader in; it may be withdrawn while the stream is open."""

    user_id: UUID
    session_key: str = ""
    token_digest: str = ""


def credential_of(request: Any) -> Credential:
    """Return the credential of Django's request or REST framework's."""
    token = getattr(request, "auth", None)
    if isinstance(token, ApiToken):
        return Credential(request.user.pk, token_digest=token.digest)
    http: HttpRequest = getattr(request, "_request", request)
    return Credential(request.user.pk, session_key=http.session.session_key or "")


def may_still_read(turn_id: UUID, credential: Credential) -> bool:
    """Tell whether the credential would still let its person read the turn."""
    mine = Turn.objects.visible_to(User(pk=credential.user_id))
    return mine.filter(pk=turn_id).exists() and still_lets_in(credential)


def still_lets_in(credential: Credential) -> bool:
    """Tell whether the credential would still let its person in."""
    user = User.objects.filter(pk=credential.user_id, is_active=True).first()
    if user is None:
        return False
    if credential.token_digest:
        tokens = ApiToken.objects.live().owned_by(user)
        return tokens.filter(digest=credential.token_digest).exists()
    signed_in = SessionStore(credential.session_key).load().get(HASH_SESSION_KEY, "")
    return constant_time_compare(signed_in, user.get_session_auth_hash())
