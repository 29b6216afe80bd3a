"""Sessions and turns, by their states, times and counts."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from memory.admin.deleting import DeletingAdmin
from memory.admin.emergencies import OpenableAdmin
from memory.admin.holds.placing import HoldableAdmin
from memory.admin.names import make_person_column
from memory.admin.pages import Facts
from memory.admin.rows import NewestChoices, NewestValues
from memory.forgetting.deletion import SESSION, TURN
from memory.holds import hold_on_session
from memory.models import LegalHold, Session, Turn

FLAGS = {"temporary": _("temporary"), "pinned": _("pinned"), "archived": _("archived")}
PERSON = make_person_column("owner_id", _("person"))


class HeldFilter(admin.SimpleListFilter):
    """Conversations under a hold, on themselves or their person, and the others."""

    title = _("legal hold")
    parameter_name = "held"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, Any]]:
        return [("1", _("held")), ("0", _("not held"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Session]) -> QuerySet[Session]:
        conditions = {"1": hold_on_session(), "0": ~hold_on_session()}
        return queryset.filter(conditions.get(self.value() or "", Q()))


@admin.register(Session)
class SessionAdmin(HoldableAdmin, OpenableAdmin, DeletingAdmin):
    hold_scope = LegalHold.Scope.SESSION
    deletion_kind = SESSION
    deletion_says = _("The conversation and everything made from it are deleted permanently.")
    actions: ClassVar = ["hold_chosen", "erase_chosen"]
    actions_detail: ClassVar = ["hold", "open_in_emergency", "erase"]
    people = ("owner_id",)
    list_display = (
        "id", PERSON, "turn_count", "last_activity", "expires_at", "flags", "is_held",
    )  # fmt: skip
    list_filter = ("owner__tier", HeldFilter, *FLAGS, "strategy")
    search_fields = ("id", "owner_id")
    ordering = ("-last_activity", "-id")
    fields: ClassVar = [
        "id", "owner_name", "created_at", "last_activity", "expires_at", "turn_count",
        "context_tokens", "context_window", "strategy", *FLAGS, "is_held",
    ]  # fmt: skip

    def visible_rows(self) -> QuerySet[Session]:
        held = ExpressionWrapper(hold_on_session(), output_field=BooleanField())
        return Session.objects.live().annotate(held=held)

    @admin.display(description=_("held"), empty_value="–")
    def is_held(self, session: Any) -> str:
        return str(_("held")) if session.held else ""

    @admin.display(description=_("marks"))
    def flags(self, session: Session) -> str:
        return ", ".join(str(word) for flag, word in FLAGS.items() if getattr(session, flag)) or "–"

    def get_facts(self, row: Session) -> Facts:
        return [
            (str(_("Questions")), row.turn_count),
            (str(_("Last used")), row.last_activity),
            (str(_("Expires")), row.expires_at),
        ]


@admin.register(Turn)
class TurnAdmin(DeletingAdmin):
    deletion_kind = TURN
    deletion_says = _(
        "The question, its answer and everything made from them are deleted permanently."
    )
    people = ("owner_id",)
    list_display = ("id", PERSON, "session_id", "position", "status", "failure", "asked_at")
    list_filter: ClassVar = [
        ("status", NewestChoices),
        *((name, NewestValues) for name in ("failure", "rating", "model")),
    ]  # fmt: skip
    search_fields = ("id", "session_id", "owner_id")
    ordering = ("-id",)
    fields: ClassVar = [
        "id", "session", "owner_name", "position", "status", "failure", "model", "style",
        "query_tokens", "response_tokens", "asked_at", "finished_at", "rating",
    ]  # fmt: skip

    def visible_rows(self) -> QuerySet[Turn]:
        # Queried for each row shown: a list of all live sessions would cost more.
        return Turn.objects.filter(Exists(Session.objects.live().filter(pk=OuterRef("session"))))

    def get_facts(self, row: Turn) -> Facts:
        return [
            (str(_("Conversation")), row.session_id),
            (str(_("Place in it")), row.position),
            (str(_("Asked")), row.asked_at),
        ]
