"""Pages of one document: read, edit, reread, delete."""

from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render

from chat.forms.sources import SourceForm
from chat.shapes.originals import send_original
from chat.views.requests import (
    PersonRequest,
    action_view,
    form_view,
    page_view,
    read_id,
    read_position,
    render_dialog,
    render_page,
    report_refusals,
    submit,
)
from citations import library
from citations.bibliography.cited import list_citing_turns
from citations.deletion import delete_from_library, describe_loss
from citations.ingestion.originals import has_original
from citations.ingestion.renewal.rereading import read_again
from citations.models import Citation, Document, Passage
from citations.sources.versions import find_versions, get_successor
from memory.errors import Held
from memory.holds import find_told_hold

SHOWN = 50
# Citing answers on a page.
CITING = 10

# Passages shown before one that is opened by a link.
BEFORE_IT = 2


@dataclass(frozen=True)
class Extract:
    """Consecutive passages of a document, with cursors to more."""

    passages: list[Passage]
    earlier: int | None
    later: int | None


@page_view
def open_document(request: PersonRequest, document_id: UUID) -> HttpResponse:
    """Show a document from its beginning, from a passage, or from a citation's quote."""
    document = library.get_readable_document(request.user, document_id)
    wanted = read_position(request, "passage")
    before, after = read_position(request, "before"), read_position(request, "after")
    if before is not None:
        extract = _read_extract(document, max(before - SHOWN, 0), before)
    else:
        first = after + 1 if after is not None else max((wanted or 0) - BEFORE_IT, 0)
        extract = _read_extract(document, first, first + SHOWN)
    may_change = library.may_change(document, request.user)
    context = {
        "document": document,
        "is_kept": has_original(document),
        "job": library.find_reading_jobs([document]).get(document.pk),
        "may_change": may_change,
        "versions": find_versions(document) if may_change else [],
        "successor": get_successor(document, reader=request.user),
        "extract": extract,
        "shown": {passage.position for passage in extract.passages},
        "wanted": wanted,
        "cited": _find_citation(request),
        "citing": _list_citing(request, document),
    }
    if request.htmx and request.GET:
        return render(request, "library/_passages.html", context)
    return render_page(request, "library/document.html", context)


def _find_citation(request: PersonRequest) -> Citation | None:
    mine = Citation.objects.visible(request.user).select_related("passage", "turn")
    cited = read_id(request, "citation")
    return mine.filter(pk=cited).first() if cited else None


@page_view
def citing_answers(request: PersonRequest, document_id: UUID) -> HttpResponse:
    """List the person's own answers that cite a document, those before one of them."""
    document = library.get_readable_document(request.user, document_id)
    context = {"document": document, "citing": _list_citing(request, document)}
    return render_dialog(request, "library/citing", context)


def _list_citing(request: PersonRequest, document: Document) -> dict[str, Any]:
    before = read_id(request, "answers")
    turns = list_citing_turns(request.user, document, before=before, limit=CITING + 1)
    return {"turns": turns[:CITING], "next": turns[CITING - 1].pk if turns[CITING:] else None}


def _read_extract(document: Document, first: int, end: int) -> Extract:
    # Positions have no gaps.
    passages = library.list_passages(document, after=first - 1, limit=end - first)
    later = end - 1 if end < document.passage_count else None
    return Extract(passages, earlier=first if first > 0 and passages else None, later=later)


@form_view
def edit(request: PersonRequest, document_id: UUID) -> HttpResponse:
    """Change the metadata of a document."""
    document = _get_changeable(request, document_id)
    form = SourceForm(request.POST or None, document=document)
    change = partial(library.change_metadata, document, actor=request.user)
    if (status := submit(form, "title", change)) is None:
        return redirect("chat:document", document.pk)
    context = {"document": document, "form": form}
    return render_page(request, "library/edit.html", context, status=status)


@action_view
def undo_edit(request: PersonRequest, document_id: UUID) -> HttpResponse:
    """Undo the last change of a document's metadata."""
    document = _get_changeable(request, document_id)
    with report_refusals(request):
        library.undo_change(document, actor=request.user)
    return redirect("chat:document", document.pk)


@action_view
def reread(request: PersonRequest, document_id: UUID) -> HttpResponse:
    """Have a document read again that an older version of the product read."""
    document = _get_changeable(request, document_id)
    with report_refusals(request):
        read_again(document, actor=request.user)
    return redirect("chat:document", document.pk)


@page_view
def original(request: PersonRequest, document_id: UUID) -> StreamingHttpResponse:
    """Download the original file of a document."""
    document = library.get_readable_document(request.user, document_id)
    return send_original(request, document, actor=request.user)


@form_view
def confirm_document_deletion(request: PersonRequest, document_id: UUID) -> HttpResponse:
    """Delete a document, after the person has seen the consequences."""
    document = _get_changeable(request, document_id)
    if request.method == "POST":
        try:
            delete_from_library(document, actor=request.user)
        except Held as refusal:
            messages.error(request, refusal.message)
            return redirect("chat:document", document.pk)
        return redirect("chat:library")
    context = {
        "document": document,
        "loss": describe_loss(document, reader=request.user),
        "hold": find_told_hold(document),
    }
    return render_dialog(request, "library/delete", context)


def _get_changeable(request: PersonRequest, document_id: UUID) -> Document:
    """Return a document that the person may change; only operators may change shared ones."""
    document = library.get_readable_document(request.user, document_id)
    if not library.may_change(document, request.user):
        raise PermissionDenied
    return document
