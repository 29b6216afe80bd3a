"""Admin of data requests, as a queue: erasures, and packages to download."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy
from unfold.decorators import action
from unfold.widgets import UnfoldBooleanWidget

from memory.admin.confirming import ConfirmedAct
from memory.admin.names import annotate_names, make_person_column, render_people, render_person
from memory.admin.pages import get_person, get_row_or_404, need, render_page
from memory.admin.rows import ReadOnlyAdmin
from memory.forgetting.erasure import requests
from memory.models import Certificate, ErasureRequest, ExportPackage, Job

# The deadline for answering a request (GDPR, article 12).
ANSWER_WITHIN = timedelta(days=30)
AT_MOST = 200
Status = ErasureRequest.Status
DELAYS = {
    "database_busy": gettext_lazy("The database is being written to: tried again in a minute."),
    "something_left": gettext_lazy("Something was still found: searched again later."),
}
CANCEL = ConfirmedAct(
    gettext_lazy("Cancel the request"),
    gettext_lazy("Nothing is erased then. Cancel it only if the person has changed their mind."),
    done=gettext_lazy("Nothing will be erased."),
)


NOT_OURS = ConfirmedAct(
    gettext_lazy("Files that are not ours"),
    gettext_lazy(
        "Choose files that neither belong to this installation nor are copies of it. They are "
        "no longer searched, and the certificate states their number. Your choice is recorded."
    ),
    button=gettext_lazy("Not ours"),
    done=gettext_lazy("They no longer delay the erasure. The search runs again now."),
    danger=True,
)


class FilesForm(forms.Form):
    """The files with finds that are foreign to this installation."""

    def __init__(self, data: Any = None, *, files: list[tuple[str, str]]) -> None:
        super().__init__(data)
        self.offered = {f"{store}/{file}": (store, file) for store, file in files}
        for name in self.offered:
            widget = UnfoldBooleanWidget()
            self.fields[name] = forms.BooleanField(label=name, required=False, widget=widget)

    def clean(self) -> dict[str, Any]:
        said = super().clean() or self.cleaned_data
        if not self.chosen:
            raise ValidationError(_("Choose at least one file."))
        return said

    @property
    def chosen(self) -> list[tuple[str, str]]:
        return [self.offered[name] for name, is_it in self.cleaned_data.items() if is_it]


@dataclass(frozen=True)
class Request:
    """One request in the queue, of either kind."""

    kind: str
    state: str
    person_id: UUID
    person: SafeString
    asked_at: datetime
    url: str
    # Whether it is overdue; a hold or the grace period is no delay.
    needs_care: bool

    @property
    def deadline(self) -> datetime:
        return self.asked_at + ANSWER_WITHIN

    @property
    def is_late(self) -> bool:
        return self.deadline <= timezone.now()


def queue() -> list[Request]:
    """Return the open requests, the earliest deadline first."""
    erasures = ErasureRequest.objects.open().order_by("requested_at")
    unanswered = [*ExportPackage.Status.unfetched(), ExportPackage.Status.FAILED]
    asked = ExportPackage.objects.filter(status__in=unanswered, expires_at__gt=timezone.now())
    packages = asked.order_by("created_at")
    found = [
        *map(_describe_erasure, annotate_names(erasures, "person_id")[:AT_MOST]),
        *map(_describe_package, annotate_names(packages, "owner_id")[:AT_MOST]),
    ]
    return sorted(found, key=lambda request: request.deadline)


def _describe_erasure(row: Any) -> Request:
    return Request(
        kind=_("Erasure"),
        state=row.get_status_display(),
        person_id=row.person_id,
        person=render_person(row.person_id, row.person_id_name),
        asked_at=row.requested_at,
        url=reverse("admin:memory_erasurerequest_change", args=[row.pk]),
        needs_care=bool(row.delay) or row.status == Status.HELD,
    )


def _describe_package(row: Any) -> Request:
    return Request(
        kind=_("Access"),
        state=row.get_status_display(),
        person_id=row.owner_id,
        person=render_person(row.owner_id, row.owner_id_name),
        asked_at=row.created_at,
        url=reverse("admin:memory_exportpackage_change", args=[row.pk]),
        needs_care=row.status == ExportPackage.Status.FAILED,
    )


@admin.register(ErasureRequest)
class ErasureRequestAdmin(ReadOnlyAdmin):
    people = ("person_id",)
    list_display = (
        "requested_at",
        "scope",
        "status",
        make_person_column("person_id", gettext_lazy("person")),
        "due",
        "verified_at",
        "delay",
    )
    search_fields = ("id", "person_id", "actor_id")
    list_filter = ("status", "scope")
    ordering = ("-requested_at",)
    pages: ClassVar = {
        "queue": ("queue/", "show_queue"),
        "not_ours": ("<uuid:request_id>/not-ours/", "set_aside"),
    }
    actions_list: ClassVar = ["open_queue"]
    actions_detail: ClassVar = ["cancel"]

    @admin.display(description=gettext_lazy("to be answered by"))
    def due(self, row: ErasureRequest) -> datetime | None:
        return row.requested_at + ANSWER_WITHIN if row.is_open else None

    def has_cancel_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return get_person(request).has_perm("memory.change_erasurerequest")

    @action(description=gettext_lazy("The queue"), url_path="to-queue", permissions=["view"])
    def open_queue(self, request: HttpRequest) -> HttpResponse:
        return redirect("admin:memory_erasurerequest_queue")

    def show_queue(self, request: HttpRequest) -> HttpResponse:
        """Show the open requests, the earliest deadline first."""
        need(request, "memory.view_erasurerequest")
        return render_page(self, request, "queue.html", title=_("Requests"), requests=queue())

    def show_row(self, request: HttpRequest, row: ErasureRequest) -> HttpResponse:
        """Show the progress of a request, step by step."""
        people = render_people(row.person_id, row.actor_id)
        waiting = Job.objects.filter(kind=requests.ERASE, subject=row.pk, status=Job.Status.WAITING)
        again = waiting.values_list("due_at", flat=True).first() if row.delay else None
        context: dict[str, Any] = {
            "row": row,
            "person": people[row.person_id],
            "asked_by": people[row.actor_id],
            "due": self.due(row),
            "delay": DELAYS.get(row.delay, row.delay),
            "again": again,
            "left": [store for store in row.searched if store.get("found")],
            "may_set_aside": bool(requests.list_found_files(row))
            and self.has_cancel_permission(request),
            "certificate": Certificate.objects.filter(request=row).first(),
            "may_cancel": row.is_stoppable and self.has_cancel_permission(request),
        }
        return render_page(self, request, "erasure.html", title=_("Request for erasure"), **context)

    def set_aside(self, request: HttpRequest, request_id: UUID) -> HttpResponse:
        """Exclude the chosen foreign files from the search, which continues."""
        need(request, "memory.change_erasurerequest")
        row: ErasureRequest = get_row_or_404(self, request, str(request_id))
        form = FilesForm(request.POST or None, files=requests.list_found_files(row))

        def do() -> None:
            requests.set_aside(row, form.chosen, actor=get_person(request).pk)

        here = reverse("admin:memory_erasurerequest_change", args=[row.pk])
        return NOT_OURS.answer(self, request, do, back=here, form=form)

    @action(description=gettext_lazy("Cancel"), url_path="cancel", permissions=["cancel"])
    def cancel(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Cancel a request that has not begun."""
        row: ErasureRequest = get_row_or_404(self, request, object_id)
        here = reverse("admin:memory_erasurerequest_change", args=[row.pk])
        actor = get_person(request).pk
        return CANCEL.answer(self, request, lambda: requests.cancel(row, actor=actor), back=here)
