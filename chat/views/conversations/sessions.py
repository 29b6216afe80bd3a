"""Pages of conversations: create, list, read, rename, delete."""

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from chat.forms.conversations import FirstQuestionForm, QuestionForm, TitleForm
from chat.shapes.resources.deletions import preview_session_deletion
from chat.shapes.transcript import Transcript, read_transcript
from chat.suggestions import list_suggestions
from chat.views.library.scope import list_choices
from chat.views.requests import (
    PersonRequest,
    form_view,
    get_own_session,
    page_view,
    read_chosen_documents,
    read_position,
    render_dialog,
    render_page,
    submit,
)
from memory.conversations.editing import rename
from memory.conversations.listing import conversations
from memory.errors import Held
from memory.forgetting.deletion import erase_session
from memory.holds import find_told_hold
from memory.models import Session


@page_view
def home(request: PersonRequest) -> HttpResponse:
    """Show the page of a new conversation; the address may choose documents."""
    return new_conversation(request, FirstQuestionForm())


def new_conversation(request: PersonRequest, form: QuestionForm, status: int = 200) -> HttpResponse:
    """Return the page of a new conversation, with a filled question box."""
    chosen = read_chosen_documents(request)
    context = {
        "form": form,
        "suggestions": list_suggestions(request.user, chosen),
        "choices": list_choices(request.user, chosen) if chosen else [],
    }
    return render_page(request, "chat/new.html", context, status=status)


@page_view
def list_conversations(request: PersonRequest) -> HttpResponse:
    """List conversations by page: all, the archive, or those with `q` in the title."""
    words = request.GET.get("q", "").strip()
    archived = bool(request.GET.get("archived"))
    after = request.GET.get("after", "")
    listed = conversations(request.user, words=words, after=after, archived=archived)
    context = {"words": words, "archived": archived}
    if request.htmx:
        return render(request, "chat/_conversations.html", context | {"conversations": listed})
    return render_page(request, "chat/conversations.html", context | {"listed": listed})


@page_view
def read_conversation(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Show a conversation's newest turns, or those before a position."""
    session = get_own_session(request, session_id)
    if request.htmx:
        context = {"session": session, "transcript": _read_turns(request, session)}
        return render(request, "chat/_transcript.html", context)
    return conversation_page(request, session, QuestionForm())


def conversation_page(
    request: PersonRequest, session: Session, form: QuestionForm, status: int = 200
) -> HttpResponse:
    """Return the page of a conversation, with a filled question box."""
    context = {"session": session, "transcript": _read_turns(request, session), "form": form}
    return render_page(request, "chat/conversation.html", context, status=status)


def _read_turns(request: PersonRequest, session: Session) -> Transcript:
    return read_transcript(session, before=read_position(request, "before"))


@form_view
def rename_conversation(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Rename a conversation: a form in place with htmx, else a page."""
    session = get_own_session(request, session_id)
    form = TitleForm(request.POST or None, initial={"title": session.title})
    if (status := submit(form, "title", partial(rename, session))) is None:
        return redirect("chat:conversation", session.pk)
    context = {"session": session, "form": form}
    return render_dialog(request, "chat/rename", context, status=status)


@form_view
def confirm_deletion(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Delete a conversation, after the person has seen the consequences."""
    session = get_own_session(request, session_id)
    if request.method == "POST":
        try:
            erase_session(session, actor=request.user)
        except Held as refusal:
            messages.error(request, refusal.message)
            return redirect("chat:conversation", session.pk)
        return redirect("chat:home")
    context = {
        "session": session,
        "with_it": preview_session_deletion(session),
        "hold": find_told_hold(session),
    }
    return render_dialog(request, "chat/delete", context)
