"""Authenticator apps and recovery codes, as a person has them."""

import time

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.test import Client

from memory.models import User


def code_of(secret: str, *, later: int = 0) -> str:
    """Return what the app shows now, or so many steps later."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + later))


def add_app(browser: Client) -> str:
    """Add an authenticator app in the browser; return its secret."""
    secret: str = browser.get("/account/2fa/totp/activate/").context["form"].secret
    while time.time() % 30 > 28:  # the code must not end while it is sent
        time.sleep(0.2)
    answer = browser.post("/account/2fa/totp/activate/", {"code": code_of(secret)})
    assert answer.status_code == 302, answer.content
    return secret


def recovery_codes(user: User) -> list[str]:
    codes: list[str] = (
        Authenticator.objects.get(user=user, type="recovery_codes").wrap().get_unused_codes()
    )
    return codes
