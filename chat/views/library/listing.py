"""The library: the documents a person may read, with search, progress and uploads."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render

from chat.protocol.errors import refusal_response
from chat.protocol.parsing import parse_id
from chat.shapes.statuses import find_status
from chat.uploads.uploading import Outcome, add_files, refuse_too_large
from chat.views.requests import (
    PersonRequest,
    action_view,
    get_own_session,
    page_view,
    read_chosen_documents,
    render_page,
)
from citations import library
from citations.formats import kinds
from citations.models import Document
from citations.session_focus.document_scope import join_limit
from citations.sources.versions import map_versions
from memory.errors import NotFound, Refusal
from memory.models import Job, Session

SHOWN = 30
MOST_ROWS = 100
KINDS = {
    code: [kind.media_type for kind in kinds.KINDS if kind.code == code]
    for code in dict.fromkeys(kind.code for kind in kinds.KINDS)
}
# Allowed values of filters; others are dropped, since they would reach the database.
CHOICES = {"whose": library.WHOSE, "status": Document.Status.values, "kind": KINDS}


@dataclass(frozen=True)
class Row:
    """A document of the list, and the current work on it."""

    document: Document
    job: Job | None
    # Whether the person is asked if it replaces an older version.
    has_versions: bool = False


@dataclass(frozen=True)
class Listing:
    """A page of the list, its filters, and the cursor of the next page."""

    rows: list[Row]
    wanted: dict[str, str]
    next: str

    @property
    def is_narrowed(self) -> bool:
        return any(value for name, value in self.wanted.items() if name != "after")

    @property
    def is_waiting(self) -> bool:
        return any(row.document.status == Document.Status.WAITING for row in self.rows)


@page_view
def list_documents(request: PersonRequest) -> HttpResponse:
    """List the documents by page; `q` searches titles, authors and file names."""
    if request.htmx:
        return render(request, "library/_documents.html", {"listing": _read_listing(request)})
    return _show_library(request)


def _show_library(
    request: PersonRequest,
    *,
    outcomes: Sequence[Outcome] = (),
    refusal: Refusal | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "listing": _read_listing(request),
        "outcomes": outcomes,
        "refusal": refusal,
        "kinds": list(KINDS),
        "statuses": Document.Status.choices,
        "max_bytes": settings.MAX_DOCUMENT_BYTES,
    }
    return render_page(request, "library/library.html", context, status=status)


def _read_listing(request: PersonRequest) -> Listing:
    given = {"q": request.GET.get("q", "").strip()} | {
        name: value if (value := request.GET.get(name, "")) in known else ""
        for name, known in CHOICES.items()
    }
    after = request.GET.get("after", "")
    wanted = library.DocumentFilter(
        words=given["q"],
        whose=given["whose"],
        status=given["status"],
        media_types=KINDS.get(given["kind"], ()),
    )
    found = library.list_documents(request.user, wanted, after=after, limit=SHOWN)
    return Listing(_build_rows(found.documents), {**given, "after": after}, found.next)


def _build_rows(documents: Sequence[Document]) -> list[Row]:
    jobs = library.find_reading_jobs(documents)
    return [Row(document, jobs.get(document.pk)) for document in documents]


@page_view
def show_rows(request: PersonRequest) -> HttpResponse:
    """Show the current rows of documents that are being read."""
    documents = library.list_readable_documents(
        request.user, read_chosen_documents(request)[:MOST_ROWS]
    )
    return render(request, "library/_rows.html", {"rows": _build_new_rows(request, documents)})


def _build_new_rows(request: PersonRequest, documents: Sequence[Document]) -> list[Row]:
    """Build rows that ask, once they are read, whether they replace an older version."""
    ready = [each for each in documents if each.status == Document.Status.READY]
    versions = map_versions([each for each in ready if library.may_change(each, request.user)])
    rows = _build_rows(documents)
    return [replace(row, has_versions=bool(versions.get(row.document.pk))) for row in rows]


# --- Files ----------------------------------------------------------------------------------------


@action_view
def upload(request: PersonRequest) -> HttpResponse:
    """Add files: one from a script, answered by its row, or all of a form."""
    try:
        refuse_too_large(request)
        session_id = request.POST.get("session", "")
        session = get_own_session(request, parse_id(session_id)) if session_id else None
        shared = request.POST.get("shared") == "yes"
        if shared and not request.user.keeps_library:
            raise library.NotYours
        outcomes = add_files(request.FILES.getlist("file"), actor=request.user, shared=shared)
        if session:
            join_limit(session, {each.added.document.pk for each in outcomes if each.added})
    except Refusal as refusal:
        if request.htmx:
            return refusal_response(refusal)
        return _show_library(request, refusal=refusal, status=find_status(refusal))
    if request.htmx:
        return _respond_to_script(request, outcomes[0], session)
    # No redirect, which would have to store the files' names meanwhile.
    added = any(outcome.added for outcome in outcomes)
    return _show_library(request, outcomes=outcomes, status=200 if added else 400)


def _respond_to_script(
    request: PersonRequest, outcome: Outcome, session: Session | None
) -> HttpResponse:
    """Respond with the file's row or its failure, and the conversation's current scope."""
    if outcome.added is None:
        return refusal_response(outcome.refusal or NotFound())
    now = get_own_session(request, session.pk) if session else None
    is_new, documents = outcome.added.is_new, [outcome.added.document]
    row = _build_new_rows(request, documents)[0] if is_new else None
    context = {"row": row, "outcome": outcome, "session": now}
    return render(request, "library/_added.html", context, status=201 if row else 200)
