"""Pages for imports: a reference manager's file is matched with documents, shown and applied."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _, ngettext

from chat.shapes.statuses import find_status
from chat.uploads.uploading import WrongFiles, refuse_too_large
from chat.views.requests import PersonRequest, action_view, form_view, render_page
from citations import library
from citations.sources.imports import MOST_MATCHES, Match, apply_matches, preview_import
from citations.sources.items import build_item_columns, clean_item
from memory.errors import Refusal

MOST_SHOWN = 100


@form_view
def preview_sources(request: PersonRequest) -> HttpResponse:
    """Show the documents that a file's entries describe; change nothing yet."""
    context: dict[str, Any] = {}
    status = 200
    if request.method == "POST":
        try:
            refuse_too_large(request)
            file = request.FILES.get("file")
            if file is None:
                raise WrongFiles(_("Choose a file first."))
            found = preview_import(file.read(), actor=request.user)
            rows = [
                (each, build_item_columns(each.item), json.dumps(each.item))
                for each in found.matches
            ]
            unmatched = found.unmatched[:MOST_SHOWN]
            rest = len(found.unmatched) - len(unmatched)
            context = {"found": found, "rows": rows, "unmatched": unmatched, "rest": rest}
        except Refusal as refusal:
            context, status = {"refusal": refusal}, find_status(refusal)
    return render_page(request, "library/import.html", context, status=status)


@action_view
def take_over_sources(request: PersonRequest) -> HttpResponse:
    """Apply the selected entries, which are validated again."""
    matches = list(_read_matches(request))
    try:
        apply_matches(matches, actor=request.user)
    except Refusal as refusal:
        messages.error(request, refusal.message)
    else:
        said = ngettext("%d document changed.", "%d documents changed.", len(matches))
        messages.success(request, said % len(matches))
    return redirect("chat:library")


def _read_matches(request: PersonRequest) -> Iterator[Match]:
    items: dict[UUID, Any] = {}
    for chosen in request.POST.getlist("document")[:MOST_MATCHES]:
        try:
            items[UUID(chosen)] = json.loads(request.POST.get(f"item-{chosen}", ""))
        except (ValueError, RecursionError):
            continue
    documents = library.get_readable_documents(request.user, items)
    for document_id, raw in items.items():
        item, _problems = clean_item(raw if isinstance(raw, dict) else {})
        yield Match(documents[document_id], "", item)
