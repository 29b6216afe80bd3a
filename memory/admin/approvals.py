"""Admin of acts that wait for a second person: the act, its author, and the decision."""

from collections.abc import Callable
from typing import Any, ClassVar

from allauth.account.decorators import reauthentication_required
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy
from unfold.decorators import action
from unfold.enums import ActionVariant

from memory.admin.confirming import ConfirmedAct
from memory.admin.names import make_person_column, render_person
from memory.admin.pages import get_person, get_row_or_404
from memory.admin.rows import ReadOnlyAdmin
from memory.models import PendingAct
from memory.people.staff import approvals
from memory.sealing import UnsealError

APPROVE = ConfirmedAct(
    gettext_lazy("Approve"),
    gettext_lazy(
        "It is done at once, in the name of the person who asked, and your name is recorded."
    ),
    done=gettext_lazy("Approved and done."),
    danger=True,
)
REFUSE = ConfirmedAct(
    gettext_lazy("Refuse"),
    gettext_lazy("It is not done. It can be asked for again."),
    done=gettext_lazy("Refused."),
)


@admin.register(PendingAct)
class PendingActAdmin(ReadOnlyAdmin):
    """Shows to each admin the acts that they may approve, which are those that they may do."""

    BY = make_person_column("requested_by_id", gettext_lazy("asked by"))
    DECIDED_BY = make_person_column("decided_by_id", gettext_lazy("decided by"))

    people = ("requested_by_id", "decided_by_id", "target_id")
    list_display = ("requested_at", "title", "target", BY, "state", DECIDED_BY)
    list_filter = ("status",)
    search_fields = ("id", "target_id", "requested_by_id", "decided_by_id")
    ordering = ("-id",)
    fields: ClassVar = [
        "requested_at", "title", "target", "terms", BY, "state", DECIDED_BY, "decided_at",
    ]  # fmt: skip
    actions_detail: ClassVar = ["refuse", "approve"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rights = get_person(request).get_all_permissions()
        return super().get_queryset(request).filter(right__in=rights)

    @admin.display(description=gettext_lazy("act"), ordering="act")
    def title(self, pending: PendingAct) -> str:
        return approvals.get_title(pending.act)

    @admin.display(description=gettext_lazy("on"))
    def target(self, pending: Any) -> SafeString:
        return render_person(pending.target_id, pending.target_id_name)

    @admin.display(description=gettext_lazy("status"), ordering="status")
    def state(self, pending: PendingAct) -> str:
        is_over = pending.status == PendingAct.Status.WAITING and not pending.is_waiting
        return _("Lapsed after 24 hours") if is_over else str(pending.get_status_display())

    @admin.display(description=gettext_lazy("what exactly"))
    def terms(self, pending: PendingAct) -> str | SafeString:
        try:
            given = pending.parameters.items()
        except UnsealError:  # the key went with the account of the act's author
            return "–"
        terms = [(name.replace("_", " "), "–" if value is None else value) for name, value in given]
        lines = format_html_join("", "<dt>{}</dt><dd>{}</dd>", terms)
        return format_html('<div class="tl"><dl>{}</dl></div>', lines)

    def get_actions_detail(self, request: HttpRequest, object_id: str) -> Any:
        pending = self.get_object(request, object_id)
        is_waiting = pending is not None and pending.is_waiting
        return super().get_actions_detail(request, object_id) if is_waiting else []

    @action(description=REFUSE.title, url_path="refuse", permissions=["view"])
    def refuse(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, REFUSE, approvals.refuse)

    @action(
        description=APPROVE.title,
        url_path="approve",
        permissions=["view"],
        variant=ActionVariant.DANGER,
    )
    def approve(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Approve it, after a new proof of identity."""

        @reauthentication_required
        def decide(request: HttpRequest) -> HttpResponse:
            return self._decide(request, object_id, APPROVE, approvals.approve)

        return decide(request)

    def _decide(
        self, request: HttpRequest, object_id: str, act: ConfirmedAct, decide: Callable[..., object]
    ) -> HttpResponse:
        pending: PendingAct = get_row_or_404(self, request, object_id)
        facts = [(_("Act"), self.title(pending)), (_("On"), self.target(pending))]
        facts += [(_("Asked by"), PendingActAdmin.BY(pending)), ("", self.terms(pending))]

        def do() -> None:
            decide(pending, approver=get_person(request))

        here = reverse("admin:memory_pendingact_change", args=[pending.pk])
        return act.answer(self, request, do, back=here, facts=facts)
