"""Citations: the passage behind a number."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from chat.views.requests import PersonRequest, page, signed_in
from citations.models import Citation


@signed_in
@require_safe
def show_citation(request: PersonRequest, citation_id: UUID) -> HttpResponse:
    """Show the passage with its sentence marked: beside the answer with htmx, else as a page."""
    mine = Citation.objects.visible(request.user)
    related = mine.select_related("turn__session", "source__document", "passage", "claim")
    context = {"citation": get_object_or_404(related, pk=citation_id)}
    if request.htmx:
        return render(request, "chat/_passage.html", context)
    return page(request, "chat/citation.html", context)
