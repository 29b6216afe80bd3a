"""Arranging conversations: pin, archive, and see every source of one at a glance."""

from uuid import UUID

from django.contrib import messages
from django.db.models import Count, Min
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from chat.views.requests import PersonRequest, own_session, page, signed_in
from citations.models import Source
from memory.conversations.editing import change

HOW = {
    "pin": {"pinned": True},
    "unpin": {"pinned": False},
    "archive": {"archived": True},
    "unarchive": {"archived": False},
}


@signed_in
@require_POST
def arrange(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Pin, unpin, archive or bring back a conversation, as `how` says."""
    session = own_session(request, session_id)
    how = request.POST.get("how", "")
    if how not in HOW:
        raise Http404
    change(session, **HOW[how])
    if how == "archive":
        # The page offers to undo it for the conversation that the message names.
        said = _("The conversation is in the archive.")
        messages.success(request, said, extra_tags=str(session.pk))
        return redirect("chat:home")
    return redirect("chat:conversation", session.pk)


@signed_in
@require_safe
def sources(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """List every document that the conversation cites, by its number."""
    session = own_session(request, session_id)
    rows = Source.objects.filter(session=session, citations__isnull=False)
    counted = rows.annotate(uses=Count("citations"), first=Min("citations__turn__position"))
    listed = counted.select_related("document").order_by("number")
    context = {"session": session, "sources": listed}
    if request.htmx:
        return render(request, "chat/_sources.html", context)
    return page(request, "chat/sources.html", context)
