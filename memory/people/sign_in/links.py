"""One-time sign-in links: for an installation's first account, and for people who are locked out.

A link carries the person's id and a token that Django's own generator signs over values that change
with each sign-in. Redeeming compares and sets these, so of two simultaneous uses one signs in.
"""

import time
from datetime import UTC, datetime, timedelta
from uuid import UUID

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import login
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import base36_to_int, urlsafe_base64_decode, urlsafe_base64_encode
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from memory import audit
from memory.errors import Refusal
from memory.models import User
from memory.people.sign_in import devices
from memory.people.sign_in.allauth_internals import (
    get_authentication_records,
    record_authentication,
    request_password_reset,
)
from memory.people.sign_in.second_factors import must_enrol
from memory.people.sign_in.signed_links import LinkTokens

LIFETIME = timedelta(hours=1)
# The key of a browser's session for a sign-in by link, and the seconds it counts as fresh.
METHOD, FRESH_SECONDS = "link", 300


class SignInTokens(LinkTokens):
    """Tokens that sign in, within an hour."""

    # A fixed name, not this module's: pending links were signed with it.
    key_salt = "memory.people.sign_in_links"

    def check_token(self, user: User | None, token: str | None) -> bool:
        if not super().check_token(user, token):
            return False
        made = base36_to_int(str(token).partition("-")[0])
        return timedelta(seconds=self._num_seconds(self._now()) - made) <= LIFETIME

    def _now(self) -> datetime:
        return datetime.now(UTC).replace(tzinfo=None)  # local time repeats an hour each autumn


tokens = SignInTokens()


def link_path(user: User) -> str:
    """Return the path of the page that signs the person in, once, within an hour."""
    encoded = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("sign_in_once", args=[encoded, tokens.make_token(user)])


def redeem(encoded_id: str, token: str) -> User | None:
    """Return the person whom the link signs in, if it is valid, in time and unused."""
    user = _find_link_person(encoded_id, token)
    if user is None:
        return None
    with transaction.atomic():
        # Another use of the link has changed last_login: then this one finds no row.
        unused = User.objects.filter(pk=user.pk, last_login=user.last_login)
        if not unused.update(last_login=timezone.now()):
            return None
        audit.record("signed_in_by_link", actor=user.pk, subject=user)
    user.refresh_from_db()
    return user


def _find_link_person(encoded_id: str, token: str) -> User | None:
    """Return the person whom the link would sign in now."""
    user = _find_user(encoded_id)
    return user if user and can_use(user) and tokens.check_token(user, token) else None


def can_use(user: User) -> bool:
    """Return whether links can sign the person in; under COMPLIANCE=strict only to enrol."""
    return not settings.COMPLIANCE or must_enrol(user)


def _find_user(encoded_id: str) -> User | None:
    try:
        pk = UUID(urlsafe_base64_decode(encoded_id).decode())
    except ValueError:
        return None
    return User.objects.filter(pk=pk, is_active=True).first()


class NoAddress(Refusal):
    """No address is known to be the person's."""

    code = "no_address"
    says = gettext_lazy(
        "This account has no confirmed address. An operator of the server can create one to "
        "sign in: manage.py sign_in_link."
    )


def send(request: HttpRequest, person: User, *, actor: User) -> None:
    """Mail the person a link to set a new password; raises NoAddress."""
    address = find_address(person)
    if not address:
        raise NoAddress
    with transaction.atomic():
        audit.record("password.link_sent", actor=actor.pk, subject=person)
    request_password_reset(request, address, [person], None)


def is_mail_printed() -> bool:
    """Return whether messages are printed by the server, as they are without EMAIL_URL."""
    return settings.EMAIL_BACKEND == "django.core.mail.backends.console.EmailBackend"


def get_confirmed_address(person: User) -> str:
    """Return the person's confirmed address, if there is one."""
    confirmed = EmailAddress.objects.filter(user=person, verified=True).order_by("-primary", "pk")
    return str(confirmed.values_list("email", flat=True).first() or "")


def find_address(person: User) -> str:
    """Return the confirmed address of the person, or the one that the account was made with.

    The latter only until the first sign-in: it is unproven, but the account holds nothing yet
    either.
    """
    if address := get_confirmed_address(person):
        return address
    claimed = EmailAddress.objects.filter(user=person).exists()
    return "" if claimed or person.last_login else person.email


@never_cache
@require_http_methods(["GET", "POST"])
def sign_in_once(request: HttpRequest, encoded_id: str, token: str) -> HttpResponse:
    """Ask whether to sign in the person of this unused link, and do so.

    Merely opening the link, as scanners of mail and previews do, neither redeems it nor signs in.
    """
    is_pressed = request.method == "POST"
    user = redeem(encoded_id, token) if is_pressed else _find_link_person(encoded_id, token)
    if user is None:
        return render(request, "account/link_used.html", status=410)
    if not is_pressed:
        return render(request, "account/link_open.html", {"person": user})
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
    # Without it a person without a password could never set one.
    record_authentication(request, user, method=METHOD)
    devices.remember(request)
    return redirect(settings.LOGIN_REDIRECT_URL)


def has_signed_in_by_link(request: HttpRequest) -> bool:
    """Return whether the person has signed in by such a link within the last few minutes."""
    records = get_authentication_records(request, request.user)
    latest = max((each["at"] for each in records if each["method"] == METHOD), default=0.0)
    return time.time() - latest < FRESH_SECONDS
