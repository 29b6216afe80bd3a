"""Exports: a conversation, or some of its turns, as a file with its sources."""

from uuid import UUID

from django.http import Http404, HttpResponse, StreamingHttpResponse

from chat.exports.conversation import Wish
from chat.exports.downloading import FORMS, download
from chat.exports.pdf import has_pdf
from chat.exports.refusals import ExportRefused
from chat.forms.conversations import ExportForm
from chat.shapes.statuses import STATUS
from chat.views.requests import PersonRequest, get_own_session, page_view, render_dialog
from memory import audit
from memory.models import Session


@page_view
def choose_export(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Choose turns and format: a dialog with htmx, else a page."""
    session = get_own_session(request, session_id)
    return _show(request, session, ExportForm(last_position=session.last_position))


@page_view
def export(
    request: PersonRequest, session_id: UUID, form: str
) -> HttpResponse | StreamingHttpResponse:
    """Download a conversation with its sources in a format."""
    session = get_own_session(request, session_id)
    if form not in FORMS:
        raise Http404
    chosen = ExportForm(request.GET, last_position=session.last_position)
    if not chosen.is_valid():
        return _show(request, session, chosen, status=400)
    wish = Wish(
        turns=chosen.cleaned_data["turns"], citation_format=chosen.cleaned_data["citation_format"]
    )
    try:
        response = download(request, session, form, wish)
    except ExportRefused as refusal:
        chosen.add_error(None, refusal.message)
        return _show(request, session, chosen, status=STATUS[refusal.code])
    audit.record("session.exported", actor=session.owner_id, subject=session)
    return response


def _show(
    request: PersonRequest, session: Session, form: ExportForm, *, status: int = 200
) -> HttpResponse:
    context = {"session": session, "form": form, "has_pdf": has_pdf()}
    return render_dialog(request, "chat/exports", context, status=status)
