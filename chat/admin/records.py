"""Admin of context records and model profiles, which hold ids and numbers only."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html_join
from django.utils.translation import gettext as _, gettext_lazy

from chat.llm.configuring import list_configured
from chat.models import ContextRecord, ModelProfile
from chat.shapes import answer_failures
from chat.shapes.code_names import name_code
from memory import audit
from memory.admin import ReadOnlyAdmin
from memory.admin.pages import get_person, get_row_or_404, render_page
from memory.admin.rows import NewestValues
from memory.models import Session, Turn


@admin.register(ContextRecord)
class ContextRecordAdmin(ReadOnlyAdmin):
    list_display = ("turn_id", "attempt", "strategy", "why", "model", "prompt_tokens", "window")
    list_filter: ClassVar = [
        (name, NewestValues) for name in ("strategy", "reason", "model", "prompt_version")
    ]
    search_fields = ("turn_id",)
    ordering = ("-id",)
    exclude = ("reason", "parts", "gaps", "steps")
    readonly_fields = ("why", "window_parts", "times")

    @admin.display(description=gettext_lazy("reason"), ordering="reason")
    def why(self, record: ContextRecord) -> str:
        return name_code(record.reason)

    @admin.display(description=gettext_lazy("the window"))
    def window_parts(self, record: ContextRecord) -> str:
        rows = [(row["part"], row["tokens"], row["allowance"]) for row in record.parts]
        return format_html_join("", "{}: {} / {}<br>", rows)

    @admin.display(description=gettext_lazy("milliseconds"))
    def times(self, record: ContextRecord) -> str:
        rows = [(row["step"], row["milliseconds"]) for row in record.steps]
        return format_html_join("", "{}: {}<br>", rows)

    def visible_rows(self) -> QuerySet[ContextRecord]:
        # Subqueries by one key each: for two keys PostgreSQL expects so few rows that it scans the
        # whole table.
        live = Session.objects.live().filter(pk=OuterRef("session_id"))
        turns = Turn.objects.filter(Exists(live), pk=OuterRef("turn_id"))
        return ContextRecord.objects.filter(Exists(turns))


@admin.register(ModelProfile)
class ModelProfileAdmin(ReadOnlyAdmin):
    """The profiles of the language models, and an action that probes them."""

    list_display = ("name", "model", "server", "window", "max_output", "ratio", "probed_at")
    ordering = ("name",)
    pages: ClassVar = {"test": ("<uuid:profile_id>/test/", "test")}
    SHOWN: ClassVar = (
        "model server window max_output limit_parameter takes_temperature takes_system "
        "reports_usage reasons begins_in_thought ratio samples probed_at"
    ).split()

    def show_row(self, request: HttpRequest, row: ModelProfile) -> HttpResponse:
        """Show the profile of the model."""
        context: dict[str, Any] = {
            "row": row,
            "facts": [
                (row._meta.get_field(name), _format_value(getattr(row, name)))
                for name in self.SHOWN
            ],
            "problem": answer_failures.describe_failure(row.problem) if row.problem else "",
            "lessons": [(lesson["at"], lesson["learned"]) for lesson in reversed(row.lessons)],
            "may_test": _may_test(request) and _find_configured(row) is not None,
        }
        return render_page(self, request, "model.html", title=row.name, **context)

    def test(self, request: HttpRequest, profile_id: Any) -> HttpResponse:
        """Probe the model: a few small calls with a time limit."""
        row: ModelProfile = get_row_or_404(self, request, str(profile_id))
        if request.method != "POST" or not _may_test(request):
            raise PermissionDenied
        model = _find_configured(row)
        if model is None:
            raise Http404
        from chat.llm.probing import probe  # noqa: PLC0415 - it loads the SDK, which is slow

        with transaction.atomic():
            audit.record("model.probed", actor=get_person(request).pk, subject=row)
        problem = probe(model).problem
        if problem:
            messages.error(request, answer_failures.describe_failure(problem))
        else:
            messages.success(request, _("The model answers."))
        return redirect("admin:chat_modelprofile_change", row.pk)


def _format_value(value: object) -> object:
    if value in (None, ""):
        return _("not known")
    return {True: _("yes"), False: _("no")}.get(value) if isinstance(value, bool) else value


def _may_test(request: HttpRequest) -> bool:
    return get_person(request).has_perm("chat.change_modelprofile")


def _find_configured(row: ModelProfile) -> Any:
    """Return the configured model of the profile, if the settings still have it."""
    return next((each for each in list_configured() if each.fingerprint == row.fingerprint), None)
