"""Tokens of sign-in and password links: they are invalid once all access has been ended."""

from typing import Any

from django.contrib.auth.tokens import PasswordResetTokenGenerator

from memory.models import User


class LinkTokens(PasswordResetTokenGenerator):
    """They end with a sign-in, the end of all access, and a change of password or address."""

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        # Django leaves out the microseconds, which the end of all access (memory.people.access)
        # changes. With them, a link made and used within one second works once.
        moved = user.last_login or user.date_joined
        return f"{super()._make_hash_value(user, timestamp)}{moved.microsecond}"


def reset_tokens() -> PasswordResetTokenGenerator:
    """Return the generator of password links: the product's on top of allauth's."""
    # Its forms import this while they are being loaded.
    from allauth.account import forms  # noqa: PLC0415

    both: Any = type("ResetTokens", (LinkTokens, forms.EmailAwarePasswordResetTokenGenerator), {})
    tokens: PasswordResetTokenGenerator = both()
    return tokens
