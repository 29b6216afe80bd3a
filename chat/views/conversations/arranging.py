"""Arranging conversations: pin, archive, take away, and see every source of one at a glance."""

from uuid import UUID

from django.contrib import messages
from django.db.models import Count, Min
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from chat.shapes import exports
from chat.views.requests import PersonRequest, action_view, dialog, own_session, page_view
from citations.models import Source
from memory import audit
from memory.conversations.editing import change

HOW = {
    "pin": {"pinned": True},
    "unpin": {"pinned": False},
    "archive": {"archived": True},
    "unarchive": {"archived": False},
}


@action_view
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


@page_view
def sources(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """List every document that the conversation cites, by its number."""
    session = own_session(request, session_id)
    rows = Source.objects.filter(session=session, citations__isnull=False)
    counted = rows.annotate(uses=Count("citations"), first=Min("citations__turn__position"))
    listed = counted.select_related("document").order_by("number")
    context = {"session": session, "sources": listed}
    return dialog(request, "sources", context)


@page_view
def export(request: PersonRequest, session_id: UUID, form: str) -> StreamingHttpResponse:
    """Download a conversation with its sources, as `json` or `markdown`."""
    session = own_session(request, session_id)
    if form not in exports.FORMS:
        raise Http404
    audit.record("session.exported", actor=session.owner_id, subject=session)
    return exports.download(request, session, form)
