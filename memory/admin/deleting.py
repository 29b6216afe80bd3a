"""Deletion of a person's single row: by the same function and with the same wording as its owner's.

A legal hold refuses it here too, and the deletion is deferred until the hold's release.
"""

from typing import Any, ClassVar

from django.apps import apps
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy
from unfold.decorators import action
from unfold.enums import ActionVariant

from memory import postponed
from memory.admin.bulk import run_bulk_action
from memory.admin.confirming import ConfirmedAct
from memory.admin.names import render_person
from memory.admin.pages import Facts, get_person, get_row_or_404
from memory.admin.rows import ReadOnlyAdmin
from memory.errors import NotFound
from memory.holds import keeping_wish
from memory.people.staff import approvals


@approvals.approvable("delete_row", kind="erasure", title=gettext_lazy("Delete"))
def delete_row(asked: approvals.Asked) -> None:
    """Delete the row as its owner does; a hold's refusal defers the deletion."""
    kind, model = asked.parameters["kind"], apps.get_model(asked.parameters["model"])
    row = model._default_manager.filter(pk=asked.target_id).first()
    if row is None:
        raise NotFound
    with keeping_wish(row, kind, actor=asked.by.pk):
        postponed.carry_out_now(kind, row.pk, asked.by.pk)


class DeletingAdmin(ReadOnlyAdmin):
    """Rows that can be viewed, and deleted by admins with the right."""

    # The name under which the deletion is registered (memory.postponed).
    deletion_kind = ""
    deletion_says: Any = ""
    actions: ClassVar[Any] = ["erase_chosen"]
    actions_detail: ClassVar[Any] = ["erase"]

    def has_erase_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the admin may delete such rows."""
        return get_person(request).has_perm(self._erase_right)

    @property
    def _erase_right(self) -> str:
        return f"{self.opts.app_label}.delete_{self.opts.model_name}"

    @action(
        description=gettext_lazy("Delete"),
        url_path="erase",
        permissions=["erase"],
        variant=ActionVariant.DANGER,
    )
    def erase(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Delete the row, once the admin has confirmed everything deleted with it."""
        row = get_row_or_404(self, request, object_id)
        place = f"admin:{self.opts.app_label}_{self.opts.model_name}"
        act = ConfirmedAct(
            gettext_lazy("Delete"),
            self.deletion_says,
            done=gettext_lazy("It is deleted."),
            danger=True,
        )
        return act.answer(
            self,
            request,
            lambda: self._delete(request, row),
            back=reverse(f"{place}_change", args=[row.pk]),
            then=reverse(f"{place}_changelist"),
            facts=[(_("Id"), row.pk), (_("Person"), self.owner_name(row)), *self.get_facts(row)],
        )

    @action(description=gettext_lazy("Delete"), permissions=["erase"], variant=ActionVariant.DANGER)
    def erase_chosen(self, request: HttpRequest, rows: "QuerySet[Any]") -> HttpResponse | None:
        """Delete the rows chosen in the list, once the admin has confirmed."""
        act = ConfirmedAct(gettext_lazy("Delete"), self.deletion_says, danger=True)
        return run_bulk_action(self, request, act, rows, lambda row: self._delete(request, row))

    def _delete(self, request: HttpRequest, row: Any) -> None:
        approvals.submit(
            "delete_row",
            row.pk,
            by=get_person(request),
            right=self._erase_right,
            model=self.opts.label,
            kind=self.deletion_kind,
        )

    def get_facts(self, row: Any) -> Facts:
        """Return facts that identify the row, besides its id and person."""
        return []

    @admin.display(description=gettext_lazy("person"))
    def owner_name(self, row: Any) -> SafeString:
        """Return the row's person as a link."""
        return render_person(row.owner_id, row.owner_id_name)
