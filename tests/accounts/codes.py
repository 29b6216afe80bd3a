"""Authenticator apps and recovery codes, as a person has them."""

import time

from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.test import Client

from memory.models import User


def code_of(secret: str, *, period: int | None = None) -> str:
    """Return what the app shows now; a server of its own changes it every 30 seconds."""
    step = int(time.time()) // (period or app_settings.TOTP_PERIOD)
    return format_hotp_value(hotp_value(secret, step))


def add_app(browser: Client) -> str:
    """Add an authenticator app in the browser; return its secret."""
    secret: str = browser.get("/account/2fa/totp/activate/").context["form"].secret
    answer = browser.post("/account/2fa/totp/activate/", {"code": code_of(secret)})
    assert answer.status_code == 302, answer.content
    return secret


def recovery_codes(user: User) -> list[str]:
    codes: list[str] = (
        Authenticator.objects.get(user=user, type="recovery_codes").wrap().get_unused_codes()
    )
    return codes
