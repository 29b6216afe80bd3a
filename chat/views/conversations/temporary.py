"""Temporary conversations: erased when their page is closed, or at sign-out."""

from typing import Any
from uuid import UUID

from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from chat.views.requests import PersonRequest, action_view
from memory.forgetting.retention.lifetimes import close, reopen
from memory.models import Session, User

BEGUN = "temporary_conversations"
MOST_BEGUN = 50


@action_view
def close_session(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Mark the conversation as closed, as its page reports."""
    close(_get_own_temporary(request, session_id))
    return HttpResponse(status=204)


@action_view
def reopen_session(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Keep the conversation after all, since its page is open again."""
    reopen(_get_own_temporary(request, session_id))
    return HttpResponse(status=204)


def _get_own_temporary(request: PersonRequest, session_id: UUID) -> Session:
    mine = Session.objects.visible(request.user).filter(temporary=True)
    return get_object_or_404(mine.select_related("owner"), pk=session_id)


def note_begun(request: PersonRequest, session: Session) -> None:
    """Note in this browser's session that the conversation began in it."""
    begun = request.session.get(BEGUN, [])
    request.session[BEGUN] = [*begun, str(session.pk)][-MOST_BEGUN:]


@receiver(user_logged_out)
def close_begun(request: HttpRequest, user: User | None, **event: Any) -> None:
    """Close the conversations that began in a browser that signs out."""
    begun = request.session.get(BEGUN, [])
    if user is not None and begun:
        for session in Session.objects.visible(user).filter(pk__in=begun):
            close(session)
