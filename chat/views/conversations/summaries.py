"""Pages for the summaries and topics of a long conversation, down to its turns."""

from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from chat import llm
from chat.forms.conversations import SummaryForm
from chat.views.requests import (
    PersonRequest,
    action_view,
    form_view,
    get_own_session,
    page_view,
    render_page,
    report_refusals,
    submit,
)
from memory.models import Session, Summary
from memory.recall.summaries import contents, editing

# Most topics listed, the newest; the API has them all.
MOST_TOPICS = 100


@page_view
def show_whole(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Show the conversation's summary, and its topics with their first turns."""
    session = get_own_session(request, session_id)
    whole = contents.read_whole(session)
    begins = contents.list_topic_turns(session).only("owner_id", "session_id", "position", "query")
    newest = list(begins.reverse()[:MOST_TOPICS])[::-1]
    more: dict[str, Any] = {
        "topics": contents.count_topic_turns(session, newest),
        "contents": contents.list_key_topics(whole) if whole else [],
        "awaited": contents.is_awaited(session),
        "long_enough": settings.COMPRESSION_THRESHOLD,
    }
    return _show_page(request, session, whole, **more)


@form_view
def show_one(request: PersonRequest, session_id: UUID, summary_id: UUID) -> HttpResponse:
    """Show a summary with its parts; store the person's words in its place."""
    session = get_own_session(request, session_id)
    summary = _get_own_summary(session, summary_id)
    form = SummaryForm(request.POST or None, initial={"text": summary.text})
    if (status := submit(form, "text", partial(editing.edit, summary))) is None:
        return redirect("chat:one_summary", session.pk, summary.pk)
    return _show_page(request, session, summary, form=form, status=status, is_part=True)


@action_view
def go_back(request: PersonRequest, session_id: UUID, summary_id: UUID) -> HttpResponse:
    """Undo the person's edit of a summary."""
    session = get_own_session(request, session_id)
    summary = _get_own_summary(session, summary_id)
    with report_refusals(request):
        editing.go_back(summary)
    return redirect("chat:one_summary", session.pk, summary.pk)


@action_view
def make_anew(request: PersonRequest, session_id: UUID, summary_id: UUID) -> HttpResponse:
    """Have the summary made anew; a model's summary stays until it is replaced."""
    session = get_own_session(request, session_id)
    with report_refusals(request):
        editing.make_anew(_get_own_summary(session, summary_id), by_model=llm.is_configured())
        messages.info(request, _("It is being made anew."))
    return redirect("chat:summary", session.pk)


def _get_own_summary(session: Session, summary_id: UUID) -> Summary:
    rows = Summary.objects.visible(session.owner).filter(session=session)
    return get_object_or_404(rows.select_related("session"), pk=summary_id)


def _show_page(
    request: PersonRequest,
    session: Session,
    summary: Summary | None,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    parts = contents.read_parts(summary) if summary else []
    context = {"session": session, "summary": summary, "parts": parts, **more}
    return render_page(request, "chat/summary.html", context, status=status)
