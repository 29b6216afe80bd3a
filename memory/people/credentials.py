"""The credential of a request, and whether it is still valid: rights may end during a response."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.auth import HASH_SESSION_KEY
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from memory.models import ApiToken, User
from memory.people.sign_in.second_factors import keep_enrolled
from memory.people.sign_in.web_lifetimes import get_seconds_left
from memory.people.sign_in.web_sessions import SessionStore


@dataclass(frozen=True)
class Credential:
    """The credential of a reader; it may be withdrawn during a response."""

    user_id: UUID
    session_key: str = ""
    token_digest: str = ""


def get_credential(request: Any) -> Credential:
    """Return the credential of Django's request or REST framework's."""
    token = getattr(request, "auth", None)
    if isinstance(token, ApiToken):
        return Credential(request.user.pk, token_digest=token.digest)
    http: HttpRequest = getattr(request, "_request", request)
    return Credential(request.user.pk, session_key=http.session.session_key or "")


def find_valid_credentials(credentials: Collection[Credential]) -> set[Credential]:
    """Return the credentials that are still valid.

    Empty lists of tokens or sessions cost no query.
    """
    active = keep_enrolled(User.objects.filter(is_active=True))
    people = active.in_bulk({each.user_id for each in credentials})
    digests = {each.token_digest for each in credentials if each.token_digest}
    live = ApiToken.objects.live().filter(digest__in=digests)
    tokens = set(live.values_list("digest", "user_id"))
    keys = {each.session_key for each in credentials if not each.token_digest}
    store = SessionStore()
    going_on = store.model.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    signed_in = {row.pk: store.decode(row.session_data) for row in going_on}

    def lets_in(credential: Credential) -> bool:
        person = people.get(credential.user_id)
        if person is None:
            return False
        if credential.token_digest:
            return (credential.token_digest, person.pk) in tokens
        session = signed_in.get(credential.session_key, {})
        if get_seconds_left(session) <= 0:
            return False
        known = session.get(HASH_SESSION_KEY, "")
        return constant_time_compare(known, person.get_session_auth_hash())

    return {credential for credential in credentials if lets_in(credential)}
