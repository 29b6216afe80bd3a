"""Pages for access to an account: signed-in devices, and the tokens of programs."""

import time
from uuid import UUID

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from chat.forms.account import TokenForm
from chat.views.requests import PersonRequest, action_view, form_view, page_view, read_id
from memory.models import Scope
from memory.people.access import AccessEnded, end_all_access, while_let_in
from memory.people.api_tokens import get_own_token, issue, list_tokens, revoke
from memory.people.sign_in import devices
from memory.people.sign_in.web_lifetimes import get_end, get_seconds_left

# Seconds of a year, since JSON has no infinity.
NEVER = 31_536_000


@action_view
def sign_out_device(request: PersonRequest, device_id: int) -> HttpResponse:
    """End the session of another browser."""
    devices.sign_out(request.user, device_id)
    messages.success(request, _("The device has been signed out."))
    return redirect("usersessions_list")


@form_view
def end_access(request: PersonRequest) -> HttpResponse:
    """End all other devices, tokens and links, after the person has confirmed."""
    if request.method != "POST":
        return render(request, "account/end_access.html")
    end_all_access(request.user, actor=request.user, but_for=request.session.session_key)
    messages.success(request, _("You are signed in here only, and no token works any more."))
    return redirect("usersessions_list")


@form_view
def activity(request: PersonRequest) -> HttpResponse:
    """Return the time that this browser stays signed in; a POST extends it."""
    seconds = get_seconds_left(request.session)
    is_final = get_end(request.session) - time.time() <= seconds
    words = {
        "title": _("You are about to be signed out"),
        "text": _("This session has lasted as long as one may.")
        if is_final
        else _("Nothing has been done here for a while."),
        "kept": _("What you typed is kept."),
        "left": _("{seconds} seconds are left."),
        "stay": _("Understood") if is_final else _("Stay signed in"),
    }
    times = {"seconds": min(seconds, NEVER), "idle": settings.IDLE_MINUTES * 60}
    return JsonResponse(times | {"is_final": is_final, "words": words})


# --- Tokens ---------------------------------------------------------------------------------------


@page_view
def tokens(request: PersonRequest) -> HttpResponse:
    """List the person's tokens by page."""
    listed = list_tokens(request.user, after=read_id(request, "after"))
    return render(request, "account/tokens.html", {"listed": listed})


@form_view
@reauthentication_required  # type: ignore[untyped-decorator]
@sensitive_post_parameters()
def new_token(request: PersonRequest) -> HttpResponse:
    """Make a token and show it this once."""
    form = TokenForm(request.POST or None, user=request.user)
    if not form.is_valid():
        status = 400 if form.is_bound else 200
        return render(request, "account/new_token.html", {"form": form}, status=status)
    scope = Scope(form.cleaned_data["scope"])
    name = form.cleaned_data["name"]
    try:
        with while_let_in(request.user):
            row, token = issue(request.user, lifetime=form.lifetime, scope=scope, name=name)
    except AccessEnded:  # sign in again; or, after a sign-in elsewhere, ask again
        return redirect("chat:new_token")
    return render(request, "account/token_made.html", {"row": row, "token": token}, status=201)


@form_view
def revoke_token(request: PersonRequest, token_id: UUID) -> HttpResponse:
    """Revoke a token, after the person has confirmed."""
    row = get_own_token(request.user, token_id)
    if request.method != "POST":
        return render(request, "account/revoke_token.html", {"row": row})
    revoke(row, actor=request.user)
    messages.success(request, _("The token has been revoked."))
    return redirect("chat:tokens")
