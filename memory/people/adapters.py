"""Creation and sign-in of accounts: the adapters of allauth.

Guesses are counted by account, not by the text typed: user name, address and any casing of them
share one counter. Each guess verifies a password once. Unlike allauth's single counter, a person's
own browsers are counted separately from all others.
"""

import logging
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse, ReauthenticationRequired
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.apps import apps
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.mail import get_connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from memory.errors import describe_error
from memory.models import User
from memory.people.sign_in.allauth_internals import (
    filter_users_by_email,
    get_authentication_records,
    get_reauthentication_flows,
    get_user_by_username,
    ratelimit,
)
from memory.people.sign_in.known_browsers import find_nonce
from memory.people.sign_in.links import FRESH_SECONDS, is_mail_printed
from memory.postgresql.scope import assume_person
from memory.sealing import seal, unseal

log = logging.getLogger(__name__)

PASSWORD = "reauthenticate"
APP = "allauth.account"
# Guesses at one account's password in five minutes; fifty at all from one address.
GUESSES = {
    "in_known_browser": "5/5m/key",
    "from_address": "5/5m/key,50/5m/ip",
    "from_anywhere": "20/5m/key",
}
STAGE = "allauth.account.stages.EmailVerificationStage"
# Messages that announce mail.
SENT = "account/messages/email_confirmation_sent.txt"
# Longer than it takes to make an account and to mail its link, with Argon2.
SIGN_UP_SECONDS = 1.0


def find_account(login: str) -> User | None:
    """Return the account of a user name or an address; an ambiguous address names none."""
    if not login or "\0" in login:
        return None
    users = filter_users_by_email(login, prefer_verified=True, for_login=True)
    by_name: User | None = get_user_by_username(login)
    return by_name or (users[0] if len(users) == 1 else None)


class AccountBackend(AuthenticationBackend):  # type: ignore[misc]
    """Verifies a password once, and takes as long for unknown accounts."""

    def get_user(self, user_id: Any) -> User | None:
        with assume_person(user_id):
            user: User | None = super().get_user(user_id)
            return user

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        password = credentials.get("password")
        if not password:
            return None
        user = find_account(_get_login(credentials))
        if user is None:
            make_password(password)
            return None
        right = user.check_password(password) and self.user_can_authenticate(user)
        return user if right else None


def _list_counter_names(request: HttpRequest, login: str) -> dict[str, str]:
    """Return the counters of a guess at the account's password.

    A known browser of its person has a counter of its own. Elsewhere, one counts the account with
    the address, another the account from anywhere.
    """
    account = find_account(login)
    name = f"password:{account.pk if account else login.lower()}"
    browser = find_nonce(request, account) if account else ""
    if browser:
        return {"in_known_browser": f"{name}:{browser}"}
    return {"from_address": f"{name}@{ratelimit.get_ip(request)}", "from_anywhere": name}


def _get_login(credentials: dict[str, Any]) -> str:
    return str(credentials.get("username") or credentials.get("email") or "")


class ConfirmedEmail(EmailVerificationStage):  # type: ignore[misc]
    """Requires a confirmed address after sign-up; an administrator's accounts are trusted."""

    def handle(self) -> Any:
        user = self.login.user
        # After sign-up an address is stored, and its confirmation is the first sign-in.
        if user and (user.last_login or not EmailAddress.objects.filter(user=user).exists()):
            return None, True
        return super().handle()


@contextmanager
def mail_needed() -> Iterator[None]:
    """Answer 503 with a message if mail can't be sent."""
    try:
        yield
    except OSError as error:  # so are all errors of SMTP
        log.error("mail_failed", extra=describe_error(error))
        page = render(context.request, "account/mail_down.html", status=503)
        raise ImmediateHttpResponse(page) from error


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth's adapter with the rules of the product."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return bool(settings.SIGNUP == "open")

    def new_user(self, request: HttpRequest) -> User:
        """Return an account for a person's own sign-up: no consent is presumed."""
        user: User = super().new_user(request)
        user.presumes_consent = False
        return user

    def clean_email(self, email: str) -> str:
        """Refuse each address while mail can't be sent, before an account is made."""
        with mail_needed(), get_connection():
            return str(super().clean_email(email))

    def send_mail(self, template_prefix: str, email: str, values: dict[str, Any]) -> None:
        """Send the mail, or report that it can't be sent now."""
        with mail_needed():
            super().send_mail(template_prefix, email, values)

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        *more: Any,
        **how: Any,
    ) -> None:
        """Add the message, unless it announces mail that can't be sent."""
        if message_template != SENT or not is_mail_printed():
            super().add_message(request, level, message_template, *more, **how)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Go to the settings: allauth would show the form again."""
        return reverse("chat:settings")

    def get_login_stages(self) -> list[str]:
        ours = f"{__name__}.{ConfirmedEmail.__name__}"
        return [ours if stage == STAGE else stage for stage in super().get_login_stages()]

    def respond_email_verification_sent(self, request: HttpRequest, user: Any) -> HttpResponse:
        due = getattr(request, "answer_due", 0.0)
        time.sleep(max(0.0, due - time.monotonic()))
        return super().respond_email_verification_sent(request, user)

    # --- Guesses at passwords ---------------------------------------------------------------------

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the guess, or refuse it; guesses from elsewhere don't block a known browser."""
        counted = ratelimit.RateLimitUsage(usage=[])
        for action, key in _list_counter_names(request, _get_login(credentials)).items():
            usage = ratelimit.consume(request, app=APP, action=action, config=GUESSES, key=key)
            if not usage:
                raise self.validation_error("too_many_login_attempts")
            counted.usage += usage.usage
        self._login_failed_rl_usage = counted  # allauth reverts these counts after a right password

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        for action, key in _list_counter_names(request, _get_login(credentials)).items():
            ratelimit.clear(request, app=APP, action=action, config=GUESSES, key=key)

    # --- Reauthentication, before acts that would give another access
    # ---------------------------------

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Offer the second factor where there is one: a stolen password must not remove it."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        factors = [method for method in methods if method["id"] != PASSWORD]
        return factors or methods or _list_provider_methods(user)

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        required = bool(super().is_reauthentication_required(app=app, **kwargs))
        request = context.request
        # Accounts with only a provider or a link need a fresh sign-in.
        only_provider = not get_reauthentication_flows(request.user)
        records = get_authentication_records(request, request.user)
        latest = max((record["at"] for record in records), default=0.0)
        is_fresh = time.time() - latest < FRESH_SECONDS
        if required and only_provider and not is_fresh:
            if self.get_reauthentication_methods(request.user):
                raise ReauthenticationRequired
            page = render(request, "account/link_needed.html", status=403)
            raise ImmediateHttpResponse(page)
        return required


def _list_provider_methods(user: Any) -> list[dict[str, Any]]:
    if not user.is_authenticated or not apps.is_installed("allauth.socialaccount"):
        return []
    url = reverse("openid_connect_login", args=["oidc"])
    words = _("Sign in again with %s") % settings.OIDC_NAME
    return [{"id": "provider", "description": words, "url": url}]


PLACE = "mfa"


class FactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Keeps the secrets of authenticator apps and recovery codes encrypted in the database."""

    def encrypt(self, text: str) -> str:
        owner: UUID = context.request.user.pk
        sealed = seal(text.encode(), owner=owner, place=PLACE)
        return f"{owner.hex}:{urlsafe_b64encode(sealed).decode()}"

    def decrypt(self, encrypted_text: str) -> str:
        owner, _colon, sealed = encrypted_text.partition(":")
        return unseal(urlsafe_b64decode(sealed), owner=UUID(owner), place=PLACE).decode()

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        return _("Passkey")


class ProviderAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Makes accounts if allowed, and links those whose address both sides have confirmed."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return bool(settings.OIDC_SIGNUP == "open")

    def authenticate_by_email(self, sociallogin: Any) -> tuple[User, str] | None:
        confirmed = [address.email for address in sociallogin.email_addresses if address.verified]
        ours = EmailAddress.objects.filter(email__in=confirmed, verified=True)
        address = ours.select_related("user").first()
        return (address.user, address.email) if address else None
