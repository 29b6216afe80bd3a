"""Pages for the lifetimes of conversations, and how a person shortens or extends them."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from chat.forms.lifetimes import KeepingForm, LifetimeForm
from chat.views.requests import (
    PersonRequest,
    action_view,
    form_view,
    get_own_session,
    render_dialog,
)
from memory.conversations.editing import change
from memory.forgetting.retention.lifetimes import (
    count_ending_sessions,
    describe_end,
    extend,
    limit_all_lifetimes,
    limit_lifetime,
)


@form_view
def session_lifetime(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Choose the conversation's lifetime: a dialog with htmx, else a page."""
    session = get_own_session(request, session_id)
    form = LifetimeForm(request.POST or None, session=session)
    if form.is_valid():
        if "lifetime" in form.data:
            limit_lifetime(session, form.cleaned_data["lifetime"])
        if "max_turns" in form.data:
            change(session, max_turns=form.cleaned_data["max_turns"])
        return redirect("chat:conversation", session.pk)
    context = {"session": session, "form": form, "end": describe_end(session)}
    return render_dialog(request, "chat/lifetime", context, status=400 if form.is_bound else 200)


@action_view
def extend_session(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Restart the conversation's lifetime."""
    session = get_own_session(request, session_id)
    extend(session)
    messages.success(request, _("The conversation is kept longer."))
    return redirect("chat:conversation", session.pk)


@form_view
def keeping(request: PersonRequest) -> HttpResponse:
    """Choose the lifetime of all conversations; confirm first if some would end at once."""
    form = KeepingForm(request.POST or None, person=request.user)
    if not form.is_valid():
        status = 400 if form.is_bound else 200
        return render(request, "account/keeping.html", {"form": form}, status=status)
    seconds = form.cleaned_data["lifetime"]
    ending = count_ending_sessions(request.user, seconds) if seconds else 0
    if ending and not form.cleaned_data["confirmed"]:
        context = {"form": form, "ending": ending, "seconds": seconds}
        return render(request, "account/keeping_confirm.html", context)
    limit_all_lifetimes(request.user, seconds)
    messages.success(request, _("Saved."))
    return redirect("chat:keeping")
