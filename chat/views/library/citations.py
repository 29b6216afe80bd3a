"""The passage behind a citation number."""

from typing import Any
from uuid import UUID

from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from chat.views.requests import PersonRequest, page_view, read_position, render_page
from citations.models import Citation
from citations.pages.drawing import has_pages
from memory.models import User


@page_view
def show_citation(request: PersonRequest, citation_id: UUID) -> HttpResponse:
    """Show the passage with the quote marked: beside the answer with htmx, else as a page."""
    citation = get_own_citation(request, citation_id)
    document, passage = citation.source.document, citation.passage
    context: dict[str, Any] = {
        "citation": citation,
        "has_page": bool(document and passage and passage.page and has_pages(document)),
        "page": read_position(request, "page"),
        **find_neighbours(citation, request.user),
    }
    if request.htmx:
        return render(request, "chat/_passage.html", context)
    return render_page(request, "chat/citation.html", context)


def get_own_citation(request: PersonRequest, citation_id: UUID) -> Citation:
    """Return a citation that the person may read, or raise 404."""
    mine = Citation.objects.visible(request.user)
    related = mine.select_related("turn__session", "source__document", "passage", "claim")
    return get_object_or_404(related, pk=citation_id)


def find_neighbours(citation: Citation, reader: User) -> dict[str, UUID | None]:
    """Return the ids of the previous and the next citation of the conversation."""
    rows = Citation.objects.visible(reader).filter(turn__session=citation.turn.session_id)
    ordered = rows.order_by("turn__position", "start", "pk").values_list("pk", flat=True)
    turn, start, pk = citation.turn.position, citation.start, citation.pk
    here = Q(turn__position=turn)
    before = Q(turn__position__lt=turn) | here & (Q(start__lt=start) | Q(start=start, pk__lt=pk))
    after = Q(turn__position__gt=turn) | here & (Q(start__gt=start) | Q(start=start, pk__gt=pk))
    return {"previous": ordered.filter(before).last(), "next": ordered.filter(after).first()}
