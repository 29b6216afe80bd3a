"""Admin of retention previews and runs: confirm, stop, preview again, export."""

from functools import partial
from itertools import islice
from typing import Any, ClassVar
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy

from memory import audit
from memory.admin.names import make_person_column, render_people
from memory.admin.pages import (
    get_person,
    get_row_or_404,
    has_permission_now,
    need,
    refusals_told,
    render_page,
)
from memory.admin.rows import ReadOnlyAdmin
from memory.errors import MoreWouldGo
from memory.forgetting.retention.previews import (
    build_due,
    preview_again,
    read_stored_preview,
    render_csv_rows,
)
from memory.forgetting.retention.runs import PREVIEW_LASTS, is_stale, run, stop
from memory.models import RetentionRun, User
from memory.models.governance.approvals import APPROVABLE
from memory.people.staff import approvals
from memory.people.streaming import stream_pieces

Status = RetentionRun.Status
LINES_AT_ONCE = 500


@admin.register(RetentionRun)
class RetentionRunAdmin(ReadOnlyAdmin):
    """Previews and their runs."""

    list_display = (
        "created_at", "status", "change", "sessions", "held", "sessions_gone", "trimmed", "skipped",
        make_person_column("author_id", gettext_lazy("by")),
    )  # fmt: skip
    people = ("author_id",)
    list_filter = ("status", "tier")
    ordering = ("-created_at",)
    pages: ClassVar = {
        "csv": ("<uuid:run_id>/csv/", "export_csv"),
        **{end: (f"<uuid:run_id>/{end}/", end) for end in ("confirm", "stop", "again")},
    }

    @admin.display(description=gettext_lazy("about"))
    def change(self, row: RetentionRun) -> str:
        if row.person_id:
            return _("one person moves to: %(tier)s") % {"tier": row.get_tier_display()}
        tier = {"tier": row.get_tier_display()}
        return _("everyone of the tier: %(tier)s") % tier if row.tier else _("what has expired")

    def show_row(self, request: HttpRequest, row: RetentionRun) -> HttpResponse:
        """Show the preview, the progress or the result of a run."""
        is_open = row.status == Status.PREVIEWED
        person = _find_run_person(row)
        # The page on which the preview was begun.
        back = reverse("admin:memory_retentionpolicy_changelist")
        if person:
            back = reverse("admin:memory_user_change", args=[person.pk])
        whole = row.sessions + row.excess
        percent = 100 * (row.sessions_gone + row.trimmed) // whole if whole else 99
        people = render_people(row.person_id, row.author_id, row.confirmed_by_id)
        context: dict[str, Any] = {
            "run": row,
            "about": self.change(row),
            "shown": read_stored_preview(row),
            "is_open": is_open,
            "person": people[row.person_id],
            "author": people[row.author_id],
            "confirmed_by": people[row.confirmed_by_id],
            "back": back,
            "is_stale": is_open and is_stale(row, person),
            "may_confirm": get_person(request).has_perm(_get_needed_right(row)),
            "progress": min(99, percent),
        }
        title = _("Dry run") if is_open else _("Run")
        return render_page(self, request, "run.html", title=title, **context)

    def confirm(self, request: HttpRequest, run_id: UUID) -> HttpResponse:
        """Run the preview, unless the policy has changed since, or more would be deleted by now."""
        row = self._posted(request, run_id)
        with refusals_told(request):
            try:
                if row.terms:
                    act = "change_tier" if row.person_id else "change_policy"
                    by, right = get_person(request), _get_needed_right(row)
                    approvals.submit(act, row.pk, by=by, right=right)
                else:
                    run(row.pk, actor=get_person(request))
                messages.success(request, _("Confirmed. It is being done."))
            except MoreWouldGo as grown:
                messages.warning(request, grown.message)
                row = preview_again(row, author=get_person(request)).run
        return redirect("admin:memory_retentionrun_change", row.pk)

    def stop(self, request: HttpRequest, run_id: UUID) -> HttpResponse:
        """Stop a running run."""
        row = self._posted(request, run_id)
        with refusals_told(request):
            stop(row.pk, actor=get_person(request))
            messages.success(request, _("Stopped."))
        return redirect("admin:memory_retentionrun_change", row.pk)

    def again(self, request: HttpRequest, run_id: UUID) -> HttpResponse:
        """Preview the same change once more, as of now."""
        row = self._posted(request, run_id)
        with refusals_told(request):
            row = preview_again(row, author=get_person(request)).run
        return redirect("admin:memory_retentionrun_change", row.pk)

    def _posted(self, request: HttpRequest, run_id: UUID) -> RetentionRun:
        row: RetentionRun = get_row_or_404(self, request, str(run_id))
        need(request, _get_needed_right(row))
        if request.method != "POST":
            raise PermissionDenied
        return row

    def export_csv(self, request: HttpRequest, run_id: UUID) -> StreamingHttpResponse:
        """Send the conversations to be deleted: ids, times and numbers."""
        need(request, right := "memory.view_retentionrun")
        row = get_row_or_404(self, request, str(run_id))
        with transaction.atomic():
            audit.record("retention.listed", actor=get_person(request).pk, subject=row)
        lines = render_csv_rows(build_due(row))
        pieces = iter(lambda: "".join(islice(lines, LINES_AT_ONCE)).encode(), b"")
        name, still = (
            f"dry-run-{row.pk}.csv",
            partial(has_permission_now, get_person(request), right),
        )
        return stream_pieces(request, pieces, media_type="text/csv", name=name, still=still)


@approvals.approvable("change_tier", kind="policies", title=gettext_lazy("Change tier"))
@approvals.approvable("change_policy", kind="policies", title=gettext_lazy("Change a policy"))
def change_policy(asked: approvals.Asked) -> None:
    """Confirm the previewed change; an approval may take longer than a preview is valid."""
    lasts = APPROVABLE if asked.approved_by else PREVIEW_LASTS
    run(asked.target_id, actor=asked.by, lasts=lasts)


def _get_needed_right(row: RetentionRun) -> str:
    return "memory.change_user" if row.person_id else "memory.add_retentionpolicy"


def _find_run_person(row: RetentionRun) -> User | None:
    return User.objects.filter(pk=row.person_id).first() if row.person_id else None
