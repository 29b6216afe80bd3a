"""Audit events of accounts: sign-ins, and credentials that were added or removed."""

from typing import Any

from allauth.account import signals as account
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.auth.signals import user_logged_out, user_login_failed
from django.db.models.signals import post_delete, post_save
from django.dispatch import Signal
from django.http import HttpRequest

from memory import audit
from memory.models import AuditEvent, User
from memory.people.access import end_all_access
from memory.people.adapters import find_account

ACTIONS: dict[Signal, str] = {
    account.user_logged_in: "signed_in",
    account.user_signed_up: "account.made",
    user_logged_out: "signed_out",
    account.password_set: "password.set",
    account.password_changed: "password.changed",
    account.password_reset: "password.reset",
    account.email_added: "email.added",
    account.email_changed: "email.changed",
    account.email_confirmed: "email.confirmed",
    account.email_removed: "email.removed",
}
if apps.is_installed("allauth.socialaccount"):
    from allauth.socialaccount import signals as provider

    ACTIONS[provider.social_account_added] = "provider.linked"
    ACTIONS[provider.social_account_removed] = "provider.unlinked"


def listen() -> None:
    """Write an audit event for each of these signals from now on."""
    for signal, action in ACTIONS.items():
        signal.connect(_make_recorder(action), weak=False, dispatch_uid=f"audit:{action}")
    user_login_failed.connect(_record_failure, dispatch_uid="audit:sign_in")
    for changed in (account.password_changed, account.password_reset):
        changed.connect(_end_access, dispatch_uid="end access")
    account.password_reset.connect(_confirm_only_address, dispatch_uid="confirm address")
    # allauth signals factors only after the commit; the rows' own signals come within it.
    post_save.connect(_record_factor_added, sender=Authenticator)
    post_delete.connect(_record_factor_removed, sender=Authenticator)


def _make_recorder(action: str) -> Any:
    def record(**event: Any) -> None:
        user = _get_event_person(event)
        audit.record(action, actor=user.pk, subject=user)

    return record


def _record_failure(credentials: dict[str, Any], **event: Any) -> None:
    """Record a failed sign-in at its account, if there is one."""
    user = find_account(str(credentials.get("username") or credentials.get("email") or ""))
    audit.record("signed_in", actor=None, subject=user, outcome=AuditEvent.Outcome.FAILED)


def _end_access(request: HttpRequest, user: User, **event: Any) -> None:
    """End all access by the old password, and by credentials made with it."""
    end_all_access(user, actor=user, but_for=request.session.session_key)


def _confirm_only_address(user: User, **event: Any) -> None:
    """Confirm an account's only address, since the link can't have been sent anywhere else.

    A link made before a change of the address is invalid.
    """
    addresses = EmailAddress.objects.filter(user=user)[:2]
    unconfirmed = [address for address in addresses if not address.verified]
    if len(addresses) == 1 and unconfirmed and unconfirmed[0].set_verified():
        audit.record("email.confirmed", actor=user.pk, subject=user)


def _record_factor_added(instance: Authenticator, created: bool, **event: Any) -> None:
    if created:
        _record_factor("factor.added", instance)


def _record_factor_removed(instance: Authenticator, **event: Any) -> None:
    _record_factor("factor.removed", instance)


def _record_factor(action: str, factor: Authenticator) -> None:
    # Without reading the person, who may be under deletion too.
    audit.record(action, actor=factor.user_id, subject=User(pk=factor.user_id))


def _get_event_person(event: dict[str, Any]) -> User:
    if user := event.get("user"):
        return user
    if address := event.get("email_address"):
        return address.user
    return event["sociallogin"].user if "sociallogin" in event else event["socialaccount"].user
