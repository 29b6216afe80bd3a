"""Pinning and archiving conversations."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from chat.views.requests import PersonRequest, action_view, get_own_session
from memory.conversations.editing import change

HOW = {
    "pin": {"pinned": True},
    "unpin": {"pinned": False},
    "archive": {"archived": True},
    "unarchive": {"archived": False},
}


@action_view
def arrange(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Pin, unpin, archive or unarchive a conversation, by the value of `how`."""
    session = get_own_session(request, session_id)
    how = request.POST.get("how", "")
    if how not in HOW:
        raise Http404
    change(session, **HOW[how])
    if how == "archive":
        # The page offers to undo it for the message's conversation.
        said = _("The conversation is in the archive.")
        messages.success(request, said, extra_tags=str(session.pk))
        return redirect("chat:home")
    return redirect("chat:conversation", session.pk)
