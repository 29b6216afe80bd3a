"""Pages for the document scope of a conversation."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy

from chat.shapes.statuses import find_status
from chat.views.requests import (
    PersonRequest,
    form_view,
    get_own_session,
    page_view,
    read_chosen_documents,
    render_dialog,
    render_page,
)
from citations import library
from citations.models import Document
from citations.session_focus.document_scope import scope_session
from memory.errors import NotFound, Refusal
from memory.models import Session, User

OFFERED = 20


@dataclass(frozen=True)
class Choice:
    """A document that can be selected, and whether it is."""

    document: Document
    is_chosen: bool


class DocumentGone(Refusal):
    """The scope has a missing document, or another person's; they look alike."""

    code = "document_gone"
    says = gettext_lazy("One of the chosen documents is no longer there. Choose again.")


def limit_session(session: Session, chosen: Collection[UUID]) -> None:
    """Limit the session to the selected documents of a form. Raises DocumentGone."""
    try:
        scope_session(session, chosen)
    except NotFound as missing:
        raise DocumentGone from missing


def list_choices(user: User, chosen: Collection[UUID], *, words: str = "") -> list[Choice]:
    """Return the selected documents that exist, then the newest ready ones with the words."""
    ticked = [Choice(row, True) for row in library.list_readable_documents(user, chosen)]
    wanted = library.DocumentFilter(words=words, status=Document.Status.READY)
    found = library.list_documents(user, wanted, limit=OFFERED).documents
    return ticked + [Choice(row, False) for row in found if row.pk not in chosen]


@page_view
def offer(request: PersonRequest) -> HttpResponse:
    """Show the documents to select: selected ones stay, `q` searches the others."""
    words = request.GET.get("q", "").strip()
    offered = list_choices(request.user, read_chosen_documents(request), words=words)
    return render(request, "library/_choices.html", {"choices": offered, "words": words})


@form_view
def limit(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Choose the document scope of a conversation: a dialog with htmx, else a page."""
    session = get_own_session(request, session_id)
    if request.method == "POST":
        chosen = set(read_chosen_documents(request))
        try:
            limit_session(session, chosen)
        except DocumentGone as refusal:
            context = _limit(request.user, session, chosen) | {"refusal": refusal}
            return render_page(request, "library/limit.html", context, status=find_status(refusal))
        return redirect("chat:conversation", session.pk)
    limits = session.limited_to
    chosen = set(limits.exclude(document=None).values_list("document_id", flat=True))
    context = _limit(request.user, session, chosen)
    context["deleted"] = limits.filter(document=None).count()
    return render_dialog(request, "library/limit", context)


def _limit(user: User, session: Session, chosen: Collection[UUID]) -> dict[str, Any]:
    return {"session": session, "choices": list_choices(user, chosen)}
