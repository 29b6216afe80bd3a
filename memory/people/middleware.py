"""The middleware of requests of people: language, time zone and device."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from memory.audit import circumstances
from memory.audit.accesses import record_access
from memory.people.display import get_zone
from memory.people.sign_in import web_lifetimes
from memory.people.sign_in.allauth_internals import ratelimit
from memory.people.sign_in.devices import note_use
from memory.people.sign_in.known_browsers import make_known
from memory.people.sign_in.second_factors import demand_factor
from memory.postgresql import scope

# Pages of other packages that show a signed-in person's own data.
OWN_PAGES = ("mfa_", "usersessions_", "account_change_", "account_set_", "account_reauthenticate")


def personal_requests(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer in the person's language and time zone, and note that their device is in use."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated:
            scope.begin(request.user.pk)
            web_lifetimes.end_or_note(request)
            scope.begin(request.user.pk)  # nobody, if the session has ended
        if request.user.is_authenticated:  # still
            if request.user.language in dict(settings.LANGUAGES):
                translation.activate(request.user.language)
                request.LANGUAGE_CODE = request.user.language
            note_use(request)
        with timezone.override(get_zone(request)):
            circumstances.note(
                actor=request.user.pk,
                address=_find_address(request),
                credential=_name_session(request),
            )
            response = record_access(request, get_response(request))
        if request.user.is_authenticated:  # by now: the request may have signed in
            make_known(request, response, request.user)
        return response

    middleware.process_view = _begin_view  # type: ignore[attr-defined]
    return middleware


def _begin_view(request: HttpRequest, *view: Any) -> None:
    """Widen the scope for the admin, and for sign-in, which looks for accounts by their names."""
    match = request.resolver_match
    if match and match.namespace == "admin" and request.user.is_staff:
        scope.begin_installation(scope.Purpose.ADMIN)
    elif match and not match.namespace and not _is_own_page(request, str(match.view_name)):
        scope.begin_installation(scope.Purpose.SIGN_IN)
    demand_factor(request, *view)


def _is_own_page(request: HttpRequest, view: str) -> bool:
    return request.user.is_authenticated and view.startswith(OWN_PAGES)


def _name_session(request: HttpRequest) -> str:
    """Note the device of the request; the key is already a digest of the cookie."""
    return f"session:{request.session.session_key}" if request.user.is_authenticated else ""


def _find_address(request: HttpRequest) -> str:
    """Return the client's address, or an empty text if it is unknown."""
    try:
        return str(ratelimit.get_ip(request))
    except (PermissionDenied, ImproperlyConfigured):
        return ""
