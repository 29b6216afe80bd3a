"""Signing in through an OpenID Connect provider, where one is set."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.http import HttpRequest

from memory.models import User


class ProviderAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Makes accounts if it may, and links those whose address both sides have confirmed."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return bool(settings.OIDC_SIGNUP == "open")

    def authenticate_by_email(self, sociallogin: Any) -> tuple[User, str] | None:
        confirmed = [address.email for address in sociallogin.email_addresses if address.verified]
        ours = EmailAddress.objects.filter(email__in=confirmed, verified=True)
        address = ours.select_related("user").first()
        return (address.user, address.email) if address else None
