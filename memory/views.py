"""The one page of its own that memory has: the end of a sign-in link."""

from allauth.account.internal.flows.login import record_authentication
from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from memory import devices, signin


@never_cache
@require_GET  # not HEAD: a preview of the link must not use it up
def sign_in_once(request: HttpRequest, encoded_id: str, token: str) -> HttpResponse:
    """Sign in the person whose unused link this is."""
    user = signin.redeem(encoded_id, token)
    if user is None:
        return render(request, "account/link_used.html", status=410)
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
    # Without it whoever has no password could never set one.
    record_authentication(request, user, method="link")
    devices.remember(request)
    return redirect(settings.LOGIN_REDIRECT_URL)
