"""Who may act for a person: their other devices, and the tokens of programs."""

from uuid import UUID

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from chat.forms.account import TokenForm
from chat.views.requests import PersonRequest, action_view, form_view, page_view
from memory.models import Scope
from memory.people.access import AccessEnded, end_all_access, while_let_in
from memory.people.api_tokens import issue, list_tokens, own_token, revoke
from memory.people.sign_in import devices


@action_view
def sign_out_device(request: PersonRequest, device_id: int) -> HttpResponse:
    """End the session of another browser."""
    devices.sign_out(request.user, device_id)
    messages.success(request, _("The device has been signed out."))
    return redirect("usersessions_list")


@form_view
def end_access(request: PersonRequest) -> HttpResponse:
    """End every other device, every token and every link, once the person has been asked."""
    if request.method != "POST":
        return render(request, "account/end_access.html")
    end_all_access(request.user, actor=request.user, but_for=request.session.session_key)
    messages.success(request, _("You are signed in here only, and no token works any more."))
    return redirect("usersessions_list")


# --- Tokens ---------------------------------------------------------------------------------------


@page_view
def tokens(request: PersonRequest) -> HttpResponse:
    """List the person's tokens by page."""
    try:
        after = UUID(request.GET.get("after", ""))
    except ValueError:
        after = None
    return render(
        request, "account/tokens.html", {"listed": list_tokens(request.user, after=after)}
    )


@form_view
@reauthentication_required  # type: ignore[untyped-decorator]
@sensitive_post_parameters()
def new_token(request: PersonRequest) -> HttpResponse:
    """Make a token and show it, this once."""
    form = TokenForm(request.POST or None, user=request.user)
    if not form.is_valid():
        status = 400 if form.is_bound else 200
        return render(request, "account/new_token.html", {"form": form}, status=status)
    scope = Scope(form.cleaned_data["scope"])
    name = form.cleaned_data["name"]
    try:
        with while_let_in(request.user):
            row, token = issue(request.user, lifetime=form.lifetime, scope=scope, name=name)
    except AccessEnded:  # to sign in again; or, as someone came in elsewhere, to ask again
        return redirect("chat:new_token")
    return render(request, "account/token_made.html", {"row": row, "token": token}, status=201)


@form_view
def revoke_token(request: PersonRequest, token_id: UUID) -> HttpResponse:
    """End a token, once the person has been asked."""
    row = own_token(request.user, token_id)
    if request.method != "POST":
        return render(request, "account/revoke_token.html", {"row": row})
    revoke(row, actor=request.user)
    messages.success(request, _("The token has been revoked."))
    return redirect("chat:tokens")
