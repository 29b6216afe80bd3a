"""The bibliography of a conversation: filtered, formatted and downloaded."""

from dataclasses import dataclass
from uuid import UUID

from django.http import Http404
from django.http.response import HttpResponseBase
from django.shortcuts import render

from chat.shapes.bibliographies import FORMS, download_session_bibliography
from chat.views.requests import (
    PersonRequest,
    get_own_session,
    page_view,
    read_position,
    render_page,
)
from citations.bibliography.cited import (
    CitedDocument,
    choose_format,
    choose_language,
    list_cited,
)
from citations.bibliography.formatting import Entry
from citations.bibliography.styles import STYLES
from memory import audit
from memory.models import Session

SHOWN = 20


@dataclass(frozen=True)
class Bibliography:
    """A page of cited documents with their entries, and the cursor of the next page."""

    rows: list[tuple[CitedDocument, Entry]]
    style: str
    words: str
    is_empty: bool
    next: str = ""


@page_view
def sources(request: PersonRequest, session_id: UUID) -> HttpResponseBase:
    """List every document that the conversation cites, by its number, or download the list."""
    session = get_own_session(request, session_id)
    style = request.GET.get("style", "")
    style = choose_format(request.user, session, style if style in STYLES else "")
    if form := request.GET.get("format"):
        return _download(request, session, form, style)
    shown = _read_bibliography(request, session, style)
    context = {"session": session, "bibliography": shown, "styles": STYLES, "forms": FORMS}
    if request.htmx and "style" in request.GET:
        return render(request, "chat/_bibliography.html", context)
    if request.htmx:
        return render(request, "chat/_sources.html", context)
    return render_page(request, "chat/sources.html", context)


def _download(request: PersonRequest, session: Session, form: str, style: str) -> HttpResponseBase:
    if form not in FORMS:
        raise Http404
    audit.record("session.exported", actor=session.owner_id, subject=session)
    return download_session_bibliography(request, session, form, style, choose_language())


def _read_bibliography(request: PersonRequest, session: Session, style: str) -> Bibliography:
    """Return the entries after a number that have all words of the search."""
    words = request.GET.get("q", "")
    cited = list_cited(session)
    after = read_position(request, "after") or 0
    found = [row for row in cited if row.number > after and _has(row, words.casefold().split())]
    rows = [(row, row.format(style, choose_language())) for row in found[:SHOWN]]
    more = str(rows[-1][0].number) if len(found) > SHOWN else ""
    return Bibliography(rows, style, words, is_empty=not cited, next=more)


def _has(cited: CitedDocument, words: list[str]) -> bool:
    document = cited.document
    if document is None:
        return not words
    known = [document.title, *document.authors, str(document.year or "")]
    said = " ".join([*known, cited.item.get("container-title", "")]).casefold()
    return all(word in said for word in words)
