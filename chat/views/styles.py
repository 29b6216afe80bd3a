"""Styles: how the answers of a conversation show their citations."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from chat.forms import StyleForm
from chat.views.requests import PersonRequest, own_session, page, signed_in
from memory.editing import change


@signed_in
@require_http_methods(["GET", "POST"])
def style(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Choose how the conversation's answers cite from now on: a dialog with htmx, else a page."""
    session = own_session(request, session_id)
    form = StyleForm(request.POST or None, initial={"style": session.style})
    if form.is_valid():
        change(session, style=form.cleaned_data["style"])
        return redirect("chat:conversation", session.pk)
    context = {"session": session, "form": form}
    if request.htmx:
        return render(request, "chat/_style.html", context)
    return page(request, "chat/style.html", context, status=400 if form.is_bound else 200)
