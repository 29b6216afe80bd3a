"""Limits: which documents a conversation is answered from."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from chat.views.requests import PersonRequest, chosen_documents, own_session, page, signed_in
from citations import library
from citations.limiting import limit_session
from citations.models import Document
from memory.errors import NotFound
from memory.models import Session, User

OFFERED = 20


@dataclass(frozen=True)
class Choice:
    """A document that may be ticked, and whether it is."""

    document: Document
    is_chosen: bool


def choices(user: User, chosen: Collection[UUID], *, words: str = "") -> list[Choice]:
    """Return the chosen documents, then the newest others that are ready and have the words."""
    rows = Document.objects.readable_by(user).defer("file").filter(pk__in=set(chosen))
    ticked = [Choice(row, True) for row in rows.order_by("-created_at", "-id")]
    if len(ticked) < len(set(chosen)):
        raise NotFound
    wanted = library.Wanted(words=words, status=Document.Status.READY)
    found = library.documents(user, wanted, limit=OFFERED).documents
    return ticked + [Choice(row, False) for row in found if row.pk not in chosen]


@signed_in
@require_safe
def offer(request: PersonRequest) -> HttpResponse:
    """Show what may be ticked: the chosen ones stay, `q` searches the others."""
    words = request.GET.get("q", "").strip()
    offered = choices(request.user, chosen_documents(request), words=words)
    return render(request, "library/_choices.html", {"choices": offered, "words": words})


@signed_in
@require_http_methods(["GET", "POST"])
def limit(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Choose what a conversation is answered from: a dialog with htmx, a page without."""
    session = own_session(request, session_id)
    if request.method == "POST":
        limit_session(session, chosen_documents(request))
        return redirect("chat:conversation", session.pk)
    context = _limit(request.user, session)
    if request.htmx:
        return render(request, "library/_limit.html", context)
    return page(request, "library/limit.html", context)


def _limit(user: User, session: Session) -> dict[str, Any]:
    limits = session.limited_to
    chosen = limits.exclude(document=None).values_list("document_id", flat=True)
    return {
        "session": session,
        "choices": choices(user, set(chosen)),
        "deleted": limits.filter(document=None).count(),
    }
