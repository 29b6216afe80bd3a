"""Admin of emergency accesses: reasons, the people concerned, and the pages that were opened."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, ClassVar
from uuid import UUID

from django.contrib import admin
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy
from unfold.decorators import action

from chat.exports.conversation import ExportedConversation, Wish
from chat.exports.pages import turn_html
from memory.admin import ReadOnlyAdmin
from memory.admin.names import make_person_column
from memory.admin.pages import get_person, need, render_page
from memory.errors import NotFound
from memory.models import EmergencyAccess, Session
from memory.people.staff import emergencies

SESSIONS_SHOWN, TURNS_SHOWN = 50, 30


@contextmanager
def _missing_as_404() -> Iterator[None]:
    try:
        yield
    except NotFound as missing:
        raise Http404 from missing


@admin.register(EmergencyAccess)
class EmergencyAccessAdmin(ReadOnlyAdmin):
    """Admin of emergency accesses; they are begun on the page of a person or a conversation."""

    PERSON = make_person_column("owner_id", gettext_lazy("person"))
    OPERATOR = make_person_column("operator_id", gettext_lazy("opened by"))
    APPROVED_BY = make_person_column("approved_by_id", gettext_lazy("approved by"))

    people = ("owner_id", "operator_id", "approved_by_id")
    list_display = ("opened_at", PERSON, OPERATOR, "session_id", "expires_at", "told_at")
    search_fields = ("id", "owner_id", "operator_id", "session_id")
    ordering = ("-id",)
    fields: ClassVar = [
        "id", "opened_at", PERSON, "session_id", OPERATOR, "terminal", APPROVED_BY, "why",
        "expires_at", "told_at", "seen_at",
    ]  # fmt: skip
    pages: ClassVar = {
        "read": ("<uuid:object_id>/read/", "read"),
        "session": ("<uuid:object_id>/read/<uuid:session_id>/", "read_session"),
        "end": ("<uuid:object_id>/end/", "end"),
    }
    actions_detail: ClassVar = ["go_to_reading"]

    @admin.display(description=gettext_lazy("reason"))
    def why(self, opening: EmergencyAccess) -> str:
        return str(opening.reason)

    def get_actions_detail(self, request: HttpRequest, object_id: str) -> Any:
        """Offer reading only to the operator, and only while the access is open."""
        opening = self.get_object(request, object_id)
        is_mine = opening is not None and opening.operator_id == get_person(request).pk
        is_open = is_mine and opening.expires_at > timezone.now()
        return super().get_actions_detail(request, object_id) if is_open else []

    def has_open_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return get_person(request).has_perm(emergencies.RIGHT)

    @action(description=gettext_lazy("Read"), url_path="to-read", permissions=["open"])
    def go_to_reading(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Redirect to the open conversations, once another person has approved the access."""
        return redirect("admin:memory_emergencyaccess_read", object_id)

    def read(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        """List the titles of the open conversations."""
        opening = self._find_opening(request, object_id)
        if opening.session_id:
            return redirect("admin:memory_emergencyaccess_session", opening.pk, opening.session_id)
        rows = Session.objects.visible(opening.owner).order_by("-last_activity", "-id")
        shown = Paginator(rows, SESSIONS_SHOWN).get_page(request.GET.get("page"))
        return self._show(request, opening, title=opening.owner.username, part=shown)

    def read_session(self, request: HttpRequest, object_id: UUID, session_id: UUID) -> HttpResponse:
        """Show a page of a conversation's turns in the form of an export."""
        opening = self._find_opening(request, object_id)
        rows = Session.objects.visible(opening.owner).filter(pk=session_id)
        session = rows.first() if opening.session_id in (None, session_id) else None
        if session is None:
            raise Http404
        shown = Paginator(range(session.last_position), TURNS_SHOWN).get_page(
            request.GET.get("page")
        )
        first = (shown.number - 1) * TURNS_SHOWN + 1
        conversation = ExportedConversation(session, Wish(turns=[(first, first + TURNS_SHOWN - 1)]))
        with _missing_as_404():
            turns = [turn_html(turn) for turn in conversation.read_turns()]
        return self._show(
            request, opening, title=conversation.title, turns=turns, part=shown,
            sources=conversation.sources, session=session,
        )  # fmt: skip

    def _find_opening(self, request: HttpRequest, object_id: UUID) -> EmergencyAccess:
        need(request, emergencies.RIGHT)
        with _missing_as_404():
            return emergencies.find_opening(object_id, operator=get_person(request))

    def _show(
        self, request: HttpRequest, opening: EmergencyAccess, *, title: str, **context: Any
    ) -> HttpResponse:
        left = opening.expires_at - timezone.now()
        context |= {"opening": opening, "minutes": -(-left // timedelta(minutes=1))}
        answer = render_page(self, request, "emergency.html", title=title, **context)
        # The browser leaves the page when the access ends.
        seconds = int(left.total_seconds()) + 1
        answer.headers["Refresh"] = f"{seconds}; url={reverse('admin:index')}"
        return answer

    def end(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        """End the access before its time."""
        need(request, emergencies.RIGHT)
        if request.method != "POST":
            raise Http404
        with _missing_as_404():
            emergencies.close(object_id, operator=get_person(request))
        return redirect("admin:index")
