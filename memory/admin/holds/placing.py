"""Admin of legal holds: place with a reason, release, list deferred deletions."""

from datetime import datetime
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy
from unfold.decorators import action

from memory import audit, holds
from memory.admin.bulk import is_confirmed, run_bulk_action
from memory.admin.confirming import ConfirmedAct
from memory.admin.holds.forms import HoldForm, HoldTermsForm, find_target
from memory.admin.holds.postponed import describe_kind, describe_release
from memory.admin.names import make_person_column, render_people, render_target
from memory.admin.pages import get_person, get_row_or_404, need, render_page
from memory.admin.rows import ReadOnlyAdmin, RecordedAdmin
from memory.errors import NotFound
from memory.models import LegalHold
from memory.people.staff import approvals
from memory.sealing import UnsealError

RELEASE_RIGHT = "memory.change_legalhold"
PLACE = ConfirmedAct(
    gettext_lazy("Place a legal hold"),
    gettext_lazy(
        "Held data is not deleted: not when it expires, not by its owner, not by a request for "
        "erasure. Deletions requested meanwhile are carried out when the hold ends. The owner "
        "can’t change its text either, but may go on asking."
    ),
    button=gettext_lazy("Place the hold"),
)
RELEASE = ConfirmedAct(
    gettext_lazy("Release the legal hold"),
    gettext_lazy(
        "Deferred deletions are carried out now, and expired data is deleted. A request for "
        "erasure begins only when the time to cancel it is over."
    ),
    button=gettext_lazy("Release"),
    done=gettext_lazy("The hold is released."),
    danger=True,
)


def _place(request: HttpRequest, *, scope: str, row: Any, terms: dict[str, Any]) -> LegalHold:
    """Place the hold, or submit it for approval."""
    begins = terms["starts_at"]
    terms = terms | {"scope": scope, "starts_at": begins.isoformat() if begins else None}
    right = "memory.add_legalhold"
    hold: LegalHold = approvals.submit(
        "place_hold", row.pk, by=get_person(request), right=right, **terms
    )
    return hold


@approvals.approvable("place_hold", kind="holds", title=PLACE.title)
def place_hold(asked: approvals.Asked) -> LegalHold:
    """Place a hold on the requested terms."""
    terms = dict(asked.parameters)
    row, begins = find_target(terms.pop("scope"), str(asked.target_id)), terms.pop("starts_at")
    if row is None:
        raise NotFound
    starts_at = datetime.fromisoformat(begins) if begins else None
    return holds.place(row, author=asked.by, starts_at=starts_at, **terms)


@approvals.approvable("release_hold", kind="holds", title=RELEASE.title)
def release_hold(asked: approvals.Asked) -> None:
    """Release the hold."""
    hold = LegalHold.objects.filter(pk=asked.target_id).first()
    if hold is None:
        raise NotFound
    holds.release(hold, actor=asked.by)


def _release(request: HttpRequest, hold: LegalHold) -> None:
    """Release the hold, or submit the release for approval."""
    approvals.submit("release_hold", hold.pk, by=get_person(request), right=RELEASE_RIGHT)


class HoldableAdmin(RecordedAdmin):
    """Rows on which a legal hold can be placed, from their page or from the list."""

    hold_scope = ""

    @action(description=PLACE.title, url_path="hold", permissions=["hold"])
    def hold(self, request: HttpRequest, object_id: str) -> HttpResponse:
        query = urlencode({"scope": self.hold_scope, "target": object_id})
        return redirect(f"{reverse('admin:memory_legalhold_add')}?{query}")

    @action(description=PLACE.title, permissions=["hold"])
    def hold_chosen(self, request: HttpRequest, rows: "QuerySet[Any]") -> HttpResponse | None:
        """Ask for the terms, and place a hold on each of the chosen rows."""
        form = HoldTermsForm(request.POST if is_confirmed(request) else None)

        def do(row: Any) -> None:
            _place(request, scope=self.hold_scope, row=row, terms=form.cleaned_data)

        return run_bulk_action(self, request, PLACE, rows, do, form=form)


@admin.register(LegalHold)
class LegalHoldAdmin(ReadOnlyAdmin):
    people = ("target_id", "person_id", "author_id")
    list_display = (
        "created_at",
        "scope",
        "target",
        make_person_column("person_id", gettext_lazy("person")),
        make_person_column("author_id", gettext_lazy("placed by")),
        "starts_at",
        "released_at",
        "waiting",
    )
    search_fields = ("id", "target_id", "person_id", "author_id")
    list_filter: ClassVar = ["scope", ("released_at", admin.EmptyFieldListFilter)]
    ordering = ("-created_at",)
    actions: ClassVar = ["release_chosen"]
    actions_detail = ("release",)

    @admin.display(description=gettext_lazy("on"))
    def target(self, hold: Any) -> SafeString:
        return render_target(hold.scope, hold.target_id, hold.target_id_name)

    @admin.display(description=gettext_lazy("deferred deletions"))
    def waiting(self, hold: LegalHold) -> int:
        return holds.list_waiting(hold).count() if hold.released_at is None else 0

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_hold_permission(request)

    def has_release_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return get_person(request).has_perm(RELEASE_RIGHT)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Place a hold."""
        need(request, "memory.add_legalhold")
        form = HoldForm(request.POST or None, initial=request.GET.dict())

        def do() -> HttpResponse:
            terms = {name: form.cleaned_data[name] for name in HoldTermsForm.base_fields}
            scope, row = form.cleaned_data["scope"], form.cleaned_data["row"]
            hold = _place(request, scope=scope, row=row, terms=terms)
            messages.success(request, _format_placed_message(hold))
            return redirect("admin:memory_legalhold_change", hold.pk)

        back = reverse("admin:memory_legalhold_changelist")
        return PLACE.answer(self, request, do, back=back, form=form)

    def show_row(self, request: HttpRequest, hold: LegalHold) -> HttpResponse:
        """Show a hold with its reason and its deferred deletions."""
        with transaction.atomic():
            audit.record("hold.read", actor=get_person(request).pk, subject=hold)
        try:
            reason = hold.reason
        except UnsealError:  # the key was deleted with its author's account
            reason = _("It can’t be read any more: its author’s account is erased.")
        context: dict[str, Any] = {
            "hold": hold,
            "target": self.target(hold),
            "people": render_hold_people(hold),
            "reason": reason,
            "is_to_come": hold.starts_at > timezone.now(),
            "waiting": _list_deferred_deletions(hold),
            "may_release": hold.released_at is None and self.has_release_permission(request),
        }
        return render_page(self, request, "hold.html", title=_("Legal hold"), **context)

    @action(description=gettext_lazy("Release"), url_path="release", permissions=["release"])
    def release(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """End a hold, once the admin has confirmed the deletions that follow."""
        hold: LegalHold = get_row_or_404(self, request, object_id)
        here = reverse("admin:memory_legalhold_change", args=[hold.pk])
        if hold.released_at and request.method != "POST":
            return redirect(here)
        end = partial(_release, request, hold)
        return RELEASE.answer(self, request, end, back=here, facts=describe_release(hold))

    @action(description=gettext_lazy("Release"), permissions=["release"])
    def release_chosen(self, request: HttpRequest, rows: "QuerySet[Any]") -> HttpResponse | None:
        """End each of the holds that are chosen in the list."""
        unreleased = rows.filter(released_at=None)
        end = partial(_release, request)
        return run_bulk_action(self, request, RELEASE, unreleased, end)


def render_hold_people(hold: LegalHold) -> dict[str, SafeString]:
    """Return the people of the hold by role, as links."""
    names = ("person_id", "author_id", "released_by_id")
    shown = render_people(*(getattr(hold, name) for name in names))
    return {name.removesuffix("_id"): shown[getattr(hold, name)] for name in names}


def _list_deferred_deletions(hold: LegalHold) -> list[tuple[str, SafeString, datetime]]:
    """Return the deletions deferred by the hold: kind, target and time."""
    if hold.released_at:
        return []
    wishes = holds.list_waiting(hold)[:100]
    return [
        (describe_kind(wish), render_target(wish.kind, wish.target_id), wish.asked_at)
        for wish in wishes
    ]


def _format_placed_message(hold: LegalHold) -> str:
    """Return the message about a placed hold, which may begin later."""
    if hold.starts_at <= timezone.now():
        return _("The hold is placed.")
    words = _("The hold begins at %(moment)s. Until then it has no effect.")
    return words % {"moment": date_format(timezone.localtime(hold.starts_at), "DATETIME_FORMAT")}
