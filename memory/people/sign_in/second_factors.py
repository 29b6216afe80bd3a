"""The second factor that COMPLIANCE=strict demands of everybody before any other page."""

from typing import TypeVar

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from memory.errors import Refusal
from memory.models import User

M = TypeVar("M", bound=Model)

# Pages reachable without one: set-up, reauthentication and sign-out.
ENROLMENT = frozenset(
    """
    mfa_index mfa_activate_totp mfa_add_webauthn mfa_list_webauthn mfa_reauthenticate
    mfa_reauthenticate_webauthn account_reauthenticate account_set_password account_logout
    chat:activity
    """.split()
)


class SecondFactorNeeded(Refusal, PermissionDenied):
    """The person has not set up a second factor yet."""

    code = "second_factor_needed"
    says = gettext_lazy("Set up a second factor first, in a browser.")


def keep_enrolled(rows: QuerySet[M], person: str = "pk") -> QuerySet[M]:
    """Leave out people who still need a second factor; `person` is the field of their id."""
    if not settings.COMPLIANCE:
        return rows
    factors = Authenticator.objects.exclude(type=Authenticator.Type.RECOVERY_CODES)
    return rows.filter(Exists(factors.filter(user=OuterRef(person))))


def must_enrol(person: User) -> bool:
    """Return whether the person still needs a second factor."""
    if not settings.COMPLIANCE:
        return False
    return not keep_enrolled(User.objects.filter(pk=person.pk)).exists()


def demand_factor(request: HttpRequest, *view: object) -> None:
    """Raise SecondFactorNeeded for every request, except to set one up."""
    is_needed = isinstance(request.user, User) and must_enrol(request.user)
    request.must_enrol = is_needed  # type: ignore[attr-defined]
    match = request.resolver_match
    if is_needed and (match is None or match.view_name not in ENROLMENT):
        raise SecondFactorNeeded
