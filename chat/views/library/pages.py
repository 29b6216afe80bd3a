"""Pages of documents beside answers: pictures with the cited words marked."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render

from chat.protocol.errors import refusal_response
from chat.shapes.pages import PageView, respond_picture
from chat.views.library.citations import get_own_citation
from chat.views.requests import PersonRequest, page_view, read_position
from citations import library
from citations.models import DrawnPage
from citations.pages.drawing import Undrawable, draw_page
from memory.errors import NotFound


@page_view
def show_page(request: PersonRequest, citation_id: UUID) -> HttpResponse:
    """Show the page of a citation, or another of its document, in the panel."""
    citation = get_own_citation(request, citation_id)
    context: dict[str, object] = {"citation": citation}
    try:
        context["view"] = PageView(citation, read_position(request, "page"))
    except Undrawable as refusal:
        context["refusal"] = refusal
    except NotFound:  # removed meanwhile, or no such page
        context["refusal"] = None
    return render(request, "chat/_page.html", context)


@page_view
def picture(request: PersonRequest, document_id: UUID, number: int) -> HttpResponse:
    """Return the picture of a page."""
    document = library.get_readable_document(request.user, document_id)
    size = request.GET.get("size", "")
    known = size if size in DrawnPage.Size.values else DrawnPage.Size.NORMAL
    try:
        return respond_picture(draw_page(document, number, known))
    except Undrawable as refusal:
        return refusal_response(refusal)
