"""Legal holds: placed with a reason, released, and what waits because of them."""

from collections.abc import Callable
from typing import Any, ClassVar
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import action
from unfold.widgets import (
    INPUT_CLASSES,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from memory import audit
from memory.admin.pages import confirmation, need, page, person_at, refusals_told, row_or_404
from memory.admin.rows import ReadOnlyAdmin
from memory.forgetting import holds
from memory.models import LegalHold, Session, User, WaitingDeletion
from memory.sealing import UnsealError

Scope = LegalHold.Scope
LONGEST_REASON = 2000
# What a target is found by: the text that names it, or the id that it is.
Find = Callable[[str], Model | None]
_finders: dict[str, Find] = {}


def finds(scope: str) -> Callable[[Find], Find]:
    """Register the function that finds what a hold of the scope is to be on."""

    def register(function: Find) -> Find:
        _finders[scope] = function
        return function

    return register


@finds(Scope.PERSON)
def _person(named: str) -> Model | None:
    return User.objects.filter(username=named).first() or by_id(User.objects.all(), named)


@finds(Scope.SESSION)
def _session(named: str) -> Model | None:
    return by_id(Session.objects.live(), named)


def by_id(rows: "QuerySet[Any]", named: str) -> Model | None:
    """Return the row whose id the text is, or None."""
    try:
        return rows.filter(pk=UUID(named)).first()
    except ValueError:
        return None


def holding(scope: str, target: object) -> HttpResponse:
    """Go to the page on which a hold on the target is placed."""
    query = urlencode({"scope": scope, "target": target})
    return redirect(f"{reverse('admin:memory_legalhold_add')}?{query}")


class HoldForm(forms.Form):
    """What to hold, why, from when, and whether its person is told."""

    scope = forms.ChoiceField(
        label=gettext_lazy("What"), choices=Scope.choices, widget=UnfoldAdminSelectWidget()
    )
    target = forms.CharField(
        label=gettext_lazy("Its id, or a person’s user name"),
        max_length=150,
        widget=UnfoldAdminTextInputWidget(),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=LONGEST_REASON,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}),
        help_text=gettext_lazy("Sealed under your key, and shown only to those who manage holds."),
    )
    starts_at = forms.DateTimeField(
        label=gettext_lazy("From"),
        required=False,
        widget=forms.DateTimeInput(
            attrs={"type": "datetime-local", "class": " ".join(INPUT_CLASSES)}
        ),
        help_text=gettext_lazy("Empty: from now on."),
    )
    tells_person = forms.BooleanField(
        label=gettext_lazy("The person is told"),
        required=False,
        initial=True,
        widget=UnfoldBooleanWidget(),
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        row = _finders[given["scope"]](given["target"]) if not self.errors else None
        if row is None and not self.errors:
            self.add_error("target", ValidationError(_("There is nothing of that name or id.")))
        return given | {"row": row}


@admin.register(LegalHold)
class LegalHoldAdmin(ReadOnlyAdmin):
    list_display = (
        "created_at", "scope", "target_id", "person_id", "author_id", "starts_at", "released_at",
        "waiting",
    )  # fmt: skip
    list_filter: ClassVar = ["scope", ("released_at", admin.EmptyFieldListFilter)]
    ordering = ("-created_at",)
    actions_detail = ("release",)

    @admin.display(description=gettext_lazy("deletions that wait"))
    def waiting(self, hold: LegalHold) -> int:
        return holds.waiting_for(hold).count() if hold.released_at is None else 0

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_hold_permission(request)

    def has_release_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return person_at(request).has_perm("memory.change_legalhold")

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Place a hold."""
        need(request, "memory.add_legalhold")
        form = HoldForm(request.POST or None, initial=request.GET.dict())
        if form.is_valid():
            with refusals_told(request):
                hold = holds.place(author=person_at(request), **_given(form))
                messages.success(request, _("The hold is placed."))
                return redirect("admin:memory_legalhold_change", hold.pk)
        return confirmation(
            self,
            request,
            form,
            title=_("Place a legal hold"),
            says=_(
                "What is held is not deleted: not when it expires, not by its person, not by a "
                "request for erasure. What is asked for meanwhile is done when the hold ends."
            ),
            button=_("Place the hold"),
            back=reverse("admin:memory_legalhold_changelist"),
        )

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show a hold with its reason, and what waits because of it."""
        need(request, "memory.view_legalhold")
        hold: LegalHold = row_or_404(self, request, object_id)
        with transaction.atomic():
            audit.record("hold.read", actor=person_at(request).pk, subject=hold)
        context: dict[str, Any] = {
            "hold": hold,
            "reason": _reason(hold),
            "waiting": holds.waiting_for(hold)[:100] if hold.released_at is None else [],
            "may_release": hold.released_at is None and self.has_release_permission(request),
        }
        return page(self, request, "hold.html", title=_("Legal hold"), **context)

    @action(description=gettext_lazy("Release"), url_path="release", permissions=["release"])
    def release(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """End a hold, once whoever does it knows what is deleted then."""
        hold: LegalHold = row_or_404(self, request, object_id)
        here = reverse("admin:memory_legalhold_change", args=[hold.pk])
        if request.method == "POST":
            with refusals_told(request):
                holds.release(hold, actor=person_at(request))
                messages.success(request, _("The hold is released."))
            return redirect(here)
        return confirmation(
            self,
            request,
            forms.Form(),
            title=_("Release the legal hold"),
            says=_("What waits for its end is deleted now, and what has expired with it."),
            facts=[(_("Deletions that wait"), self.waiting(hold))],
            button=_("Release"),
            back=here,
            danger=True,
        )


def _given(form: HoldForm) -> dict[str, Any]:
    names = ("row", "reason", "tells_person", "starts_at")
    return {name: form.cleaned_data[name] for name in names}


def _reason(hold: LegalHold) -> str:
    try:
        return hold.reason
    except UnsealError:  # its author's key went with their account
        return _("It can’t be read any more: its author’s account is erased.")


@admin.register(WaitingDeletion)
class WaitingDeletionAdmin(ReadOnlyAdmin):
    list_display = ("asked_at", "kind", "target_id", "person_id", "actor_id", "carried_out_at")
    list_filter: ClassVar = ["kind", ("carried_out_at", admin.EmptyFieldListFilter)]
    ordering = ("-asked_at",)
