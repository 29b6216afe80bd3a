"""Sessions and turns, by their states, times and counts."""

from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action

from memory.admin.deleting import DeletingAdmin
from memory.admin.holds import holding
from memory.forgetting.erasure import SESSION, TURN
from memory.models import LegalHold, Session, Turn


@admin.register(Session)
class SessionAdmin(DeletingAdmin):
    deletion_kind = SESSION
    deletion_says = _("The conversation goes with all that was made from it, for good.")
    actions_detail: ClassVar = ["hold", "erase"]
    list_display = ("id", "owner_id", "turn_count", "context_tokens", "last_activity", "expires_at")
    list_filter = ("strategy", "temporary", "archived", "pinned")
    ordering = ("-last_activity", "-id")
    fields: ClassVar = [
        "id", "owner", "created_at", "last_activity", "expires_at", "turn_count", "context_tokens",
        "context_window", "strategy", "temporary", "pinned", "archived",
    ]  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Session]:
        return Session.objects.live()

    @action(description=_("Place a legal hold"), url_path="hold", permissions=["hold"])
    def hold(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return holding(LegalHold.Scope.SESSION, object_id)


@admin.register(Turn)
class TurnAdmin(DeletingAdmin):
    deletion_kind = TURN
    deletion_says = _(
        "The question goes with its answer and all that was made from them, for good."
    )
    list_display = ("id", "session_id", "position", "status", "failure", "model", "asked_at")
    list_filter = ("status", "failure", "rating", "model")
    ordering = ("-id",)
    fields: ClassVar = [
        "id", "session", "owner", "position", "status", "failure", "model", "style", "query_tokens",
        "response_tokens", "asked_at", "finished_at", "rating",
    ]  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Turn]:
        return Turn.objects.filter(session__in=Session.objects.live())
