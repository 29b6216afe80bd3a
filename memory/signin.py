"""One-time sign-in links: for the first account of an installation, and for who is locked out.

A link carries the person's id and a token that Django's own generator signs over what changes with
each sign-in. Redeeming compares and sets that, so of two uses at the same moment one signs in.
"""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import base36_to_int, urlsafe_base64_decode, urlsafe_base64_encode

from memory import audit
from memory.models import User

LIFETIME = timedelta(hours=1)


class SignInTokens(PasswordResetTokenGenerator):
    """Signed tokens that end with an hour, a sign-in or a change of password or address."""

    key_salt = "memory.signin"

    def check_token(self, user: User | None, token: str | None) -> bool:
        return super().check_token(user, token) and self._age(str(token)) <= LIFETIME

    def _age(self, token: str) -> timedelta:
        made = base36_to_int(token.partition("-")[0])
        return timedelta(seconds=self._num_seconds(self._now()) - made)

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        # Django leaves out the microseconds: a link made and used in one second would work twice.
        microsecond = user.last_login.microsecond if user.last_login else ""
        return f"{super()._make_hash_value(user, timestamp)}{microsecond}"

    def _now(self) -> datetime:
        return datetime.now(UTC).replace(tzinfo=None)  # local time repeats an hour each autumn


tokens = SignInTokens()


def link_path(user: User) -> str:
    """Return the path that signs the person in, once, within an hour."""
    encoded = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("sign_in_once", args=[encoded, tokens.make_token(user)])


def redeem(encoded_id: str, token: str) -> User | None:
    """Return the person whom the link signs in, if it is whole, in time and not used yet."""
    user = _named(encoded_id)
    if user is None or not tokens.check_token(user, token):
        return None
    with transaction.atomic():
        # Another use of the link has changed last_login: then this one finds no row.
        unused = User.objects.filter(pk=user.pk, last_login=user.last_login)
        if not unused.update(last_login=timezone.now()):
            return None
        audit.record("signed_in_by_link", actor=user.pk, subject=user)
    user.refresh_from_db()
    return user


def _named(encoded_id: str) -> User | None:
    try:
        pk = UUID(urlsafe_base64_decode(encoded_id).decode())
    except ValueError:
        return None
    return User.objects.filter(pk=pk, is_active=True).first()
