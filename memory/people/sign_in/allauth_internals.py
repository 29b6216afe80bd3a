"""Internals of allauth that the product needs, imported only here.

allauth promises none of them. So tests/accounts/test_allauth_internals.py checks each name against
its expected behaviour, and states what to review when a new version has moved or changed it.
"""

try:
    from allauth.account.internal.flows.login import (
        get_authentication_records,
        record_authentication,
    )
    from allauth.account.internal.flows.password_reset import request_password_reset
    from allauth.account.internal.flows.reauthentication import (
        get_reauthentication_flows,
        raise_if_reauthentication_required,
    )
    from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
    from allauth.core.internal import ratelimit
    from allauth.mfa.totp.internal.auth import TOTP
except ImportError as error:
    raise ImportError(
        f"This version of allauth has moved what memory.people uses of it: {error}. "
        "Find its new place, and run tests/accounts/test_allauth_internals.py."
    ) from error

__all__ = [
    "TOTP",
    "filter_users_by_email",
    "get_authentication_records",
    "get_reauthentication_flows",
    "get_user_by_username",
    "raise_if_reauthentication_required",
    "ratelimit",
    "record_authentication",
    "request_password_reset",
]
