"""Versions of a document: replacing one, their differences, and undoing a replacement."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect

from chat.shapes.statuses import find_status
from chat.views.requests import PersonRequest, action_view, form_view, page_view, render_page
from citations import library
from citations.sources.differences import compare_versions
from citations.sources.versions import decline_replacement, replace_document, restore_document
from memory.errors import NotFound, Refusal


@form_view
def confirm_replacement(request: PersonRequest, document_id: UUID, older_id: UUID) -> HttpResponse:
    """Let a document replace an older one, after the person has seen the consequences."""
    document = library.get_readable_document(request.user, document_id)
    older = library.get_readable_document(request.user, older_id)
    context: dict[str, Any] = {"document": document, "older": older}
    if request.method == "POST":
        try:
            replace_document(document, older, actor=request.user)
            return redirect("chat:document", document.pk)
        except Refusal as refusal:
            context["refusal"] = refusal
            return render_page(
                request, "library/replace.html", context, status=find_status(refusal)
            )
    return render_page(request, "library/replace.html", context)


@action_view
def keep_both(request: PersonRequest, document_id: UUID) -> HttpResponse:
    """Note that a document replaces no older one."""
    document = library.get_readable_document(request.user, document_id)
    decline_replacement(document, actor=request.user)
    return redirect("chat:document", document.pk)


@action_view
def restore(request: PersonRequest, document_id: UUID) -> HttpResponse:
    """Return a replaced document to use."""
    document = library.get_readable_document(request.user, document_id)
    restore_document(document, actor=request.user)
    return redirect("chat:document", document.pk)


@page_view
def show_changes(request: PersonRequest, document_id: UUID) -> HttpResponse:
    """Show the differences of a document from the version that it replaces."""
    document = library.get_readable_document(request.user, document_id)
    if document.supersedes_id is None:
        raise NotFound
    older = library.get_readable_document(request.user, document.supersedes_id)
    found = compare_versions(older, document)
    context = {"document": document, "older": older, "found": found}
    return render_page(request, "library/changes.html", context)
