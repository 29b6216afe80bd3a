"""Pages for a conversation's memory: read and correct it, and weight its documents."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect

from chat.forms.conversations import EntityForm, StandingForm
from chat.forms.memory import ReachForm
from chat.shapes.statuses import find_status
from chat.views.requests import (
    PersonRequest,
    action_view,
    form_view,
    get_own_session,
    page_view,
    render_dialog,
    submit,
)
from citations.session_focus import active
from memory.conversations.editing import change
from memory.errors import Held, NotFound, Refusal
from memory.models import Entity, Session
from memory.models.conversations import Reach
from memory.recall import entities, entity_corrections


@page_view
def show_memory(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Show the conversation's memory: a dialog with htmx, else a page."""
    return _show_page(request, get_own_session(request, session_id))


@action_view
def add_entity(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Add an entity, or restore one that was just removed."""
    session = get_own_session(request, session_id)
    form = EntityForm(request.POST)
    if not form.is_valid():
        return _show_page(request, session, adding=form, status=400)
    values = form.cleaned_data
    turn_id = values.pop("turn")
    turn = get_object_or_404(session.turns.remembered(), pk=turn_id) if turn_id else None
    try:
        entity = entity_corrections.add(session, turn=turn, **values)
    except Refusal as refusal:
        form.add_error("name", refusal.message)
        return _show_page(request, session, adding=form, status=find_status(refusal))
    return _show_again(request, session, focused=entity.pk)


@form_view
def correct_entity(request: PersonRequest, session_id: UUID, entity_id: UUID) -> HttpResponse:
    """Correct the name, the kind or the snippet of an entity."""
    session = get_own_session(request, session_id)
    entity = _get_own_entity(session, entity_id)
    before = {name: getattr(entity, name) for name in ("name", "kind", "snippet")}
    form = EntityForm(request.POST or None, initial=before)

    def correct(turn: object, **values: Any) -> None:
        entity_corrections.change(entity, **values)

    if (status := submit(form, "name", correct)) is None:
        return _show_again(request, session, focused=entity.pk)
    return _show_page(request, session, editing=entity.pk, correction=form, status=status)


@action_view
def delete_entity(request: PersonRequest, session_id: UUID, entity_id: UUID) -> HttpResponse:
    """Delete an entity; the page offers to restore it."""
    session = get_own_session(request, session_id)
    entity = _get_own_entity(session, entity_id)
    values = ("name", "kind", "snippet", "turn_id")
    gone = {name: getattr(entity, name) for name in values}
    try:
        entity_corrections.delete(entity)
    except Held as refusal:
        return _show_page(request, session, refused=refusal.message, status=find_status(refusal))
    return _show_page(request, session, gone=gone)


@action_view
def change_standing(request: PersonRequest, session_id: UUID, document_id: UUID) -> HttpResponse:
    """Set the weight of a document in the conversation."""
    session = get_own_session(request, session_id)
    form = StandingForm(request.POST)
    if not form.is_valid():
        raise NotFound
    active.set_standing(session, document_id, form.cleaned_data["standing"])
    return _show_again(request, session)


@action_view
def change_reach(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Set the conversation's reach into others."""
    session = get_own_session(request, session_id)
    form = ReachForm(request.POST)
    if not form.is_valid():
        raise NotFound
    change(session, **form.cleaned_data)
    return _show_again(request, session)


def _get_own_entity(session: Session, entity_id: UUID) -> Entity:
    rows = Entity.objects.visible(session.owner).filter(session=session)
    return get_object_or_404(rows.select_related("session"), pk=entity_id)


def _show_again(
    request: PersonRequest, session: Session, *, focused: UUID | None = None
) -> HttpResponse:
    """Show the memory again; a dialog keeps the keyboard focus."""
    if request.htmx:
        return _show_page(request, session, focused=focused)
    return redirect("chat:memory", session.pk)


def _show_page(
    request: PersonRequest, session: Session, *, status: int = 200, **more: Any
) -> HttpResponse:
    context = {
        "session": session,
        "entities": entities.list_remembered_entities(session),
        "documents": active.list_active_documents(session),
        "sections": active.list_active_sections(session),
        "standings": StandingForm.base_fields["standing"].choices,  # type: ignore[attr-defined]
        "reaches": Reach.choices,
        "adding": EntityForm(),
        **more,
    }
    return render_dialog(request, "chat/remembered", context, status=status)
