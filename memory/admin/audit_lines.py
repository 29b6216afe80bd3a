"""Admin of the audit log, by days, people and ids, with a CSV export."""

import csv
import io
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from functools import partial
from typing import Any, ClassVar, cast

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import RangeDateFilter
from unfold.contrib.filters.forms import RangeDateForm
from unfold.utils import parse_date_str

from memory import audit
from memory.admin.names import make_person_column, render_person
from memory.admin.pages import get_person, has_permission_now, need
from memory.admin.rows import NewestValues
from memory.admin.saved_filters import RIGHT, SavedFiltersAdmin
from memory.audit.export import export
from memory.audit.reading import act_in_words
from memory.models import AuditAddress, AuditDetail, AuditEvent
from memory.models.governance.audit import AuditEventQuerySet
from memory.people.streaming import stream_pieces

LINES_AT_ONCE = 500
HEADS = ("id", "at", "action", "outcome", "actor_id", "subject", "subject_id", "operator", "change")


class DaysForm(RangeDateForm):  # type: ignore[misc]
    """Two days, each with a label for screen readers."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for field in self.fields.values():
            field.widget.attrs["aria-label"] = field.widget.attrs["placeholder"]


class DaysFilter(RangeDateFilter):  # type: ignore[misc]
    """A range of whole days, in the viewer's time zone."""

    form_class = DaysForm

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.title = _("day")

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        first, last = self._midnight("from"), self._midnight("to", later=1)
        rows = cast(AuditEventQuerySet, queryset)
        rows = rows.newer(first) if first else rows
        return rows.older(last) if last else rows

    def _midnight(self, end: str, *, later: int = 0) -> datetime | None:
        day = parse_date_str(self.used_parameters.get(f"{self.parameter_name}_{end}"))
        if day is None:
            return None
        return timezone.make_aware(datetime.combine(day + timedelta(days=later), time.min))


class NewestActs(NewestValues):
    """The acts of the newest lines, in words."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        for choice in super().choices(changelist):
            yield choice | {"display": act_in_words(str(choice["display"]))}


BY = make_person_column("actor_id", _("by"))


@admin.register(AuditEvent)
class AuditEventAdmin(SavedFiltersAdmin):
    pages: ClassVar = SavedFiltersAdmin.pages | {
        "csv": ("csv/", "export_csv"),
        "chain": ("chain/", "export_chain"),
    }
    people = ("actor_id", "subject_id")
    list_display = ("moment", "act", "outcome", BY, "operator", "what", "subject_link")
    list_filter: ClassVar = [
        ("at", DaysFilter),
        ("action", NewestActs),
        "outcome",
        ("subject", NewestValues),
    ]
    list_filter_submit = True
    list_before_template = "admin/_audit_csv.html"
    search_fields = ("id", "actor_id", "subject_id")
    fields: ClassVar = [
        *("id", "moment", "act", "action", "outcome", BY, "operator", "what", "subject_link"),
        *("request", "credential", "purpose", "change", "reason_given", "address_seen"),
    ]
    ordering = ("-id",)

    @admin.display(description=_("at"), ordering="at")
    def moment(self, event: AuditEvent) -> str:
        """Return its time, to the second, which identifies and orders events."""
        return date_format(timezone.localtime(event.at), "j F Y, H:i:s T")

    @admin.display(description=_("act"), ordering="action")
    def act(self, event: AuditEvent) -> str:
        return act_in_words(event.action)

    @admin.display(description=_("what"), ordering="subject")
    def what(self, event: AuditEvent) -> str:
        return str(apps.get_model(event.subject)._meta.verbose_name) if event.subject else "–"

    @admin.display(description=_("reason"))
    def reason_given(self, event: AuditEvent) -> str:
        """Return the reason in words, while it is kept."""
        detail = AuditDetail.objects.filter(event_id=event.pk).first()
        return (detail and detail.reason) or "–"

    @admin.display(description=_("address"))
    def address_seen(self, event: AuditEvent) -> str:
        """Return the address, while it is kept."""
        row = AuditAddress.objects.filter(
            owner_id__in=(event.actor_id, event.subject_id), digest=event.address
        ).first()
        return row.address if row and event.address else "–"

    @admin.display(description=_("id"))
    def subject_link(self, event: Any) -> SafeString:
        """Return the subject as a link to its page in the admin, if it has one."""
        if event.subject_id is None or event.subject_id_name:
            return render_person(event.subject_id, event.subject_id_name)
        try:
            name = f"admin:{event.subject.replace('.', '_')}_change"
            place = reverse(name, args=[event.subject_id])
        except NoReverseMatch:
            return render_person(event.subject_id)
        return format_html('<a href="{}"><code>{}</code></a>', place, event.subject_id)

    def export_chain(self, request: HttpRequest) -> StreamingHttpResponse:
        """Send the whole log as JSON lines that verify_audit.py checks."""
        need(request, RIGHT)
        lines = (line.encode() for line in export())
        return _sent(request, "audit.exported", lines, "application/jsonl", "audit.jsonl")

    def export_csv(self, request: HttpRequest) -> StreamingHttpResponse:
        """Send the lines of the list: filters and search are in the address."""
        need(request, RIGHT)
        try:
            rows = self.get_changelist_instance(request).queryset
        except IncorrectLookupParameters as error:
            raise Http404 from error
        return _sent(request, "audit.listed", _render_csv_chunks(rows), "text/csv", "audit.csv")


def _sent(
    request: HttpRequest, act: str, lines: Iterator[bytes], media_type: str, name: str
) -> StreamingHttpResponse:
    """Record the act, and send the lines while the admin may read them."""
    with transaction.atomic():
        audit.record(act, actor=get_person(request).pk)
    still = partial(has_permission_now, get_person(request), RIGHT)
    return stream_pieces(request, lines, media_type=media_type, name=name, still=still)


def _render_csv_chunks(rows: QuerySet[AuditEvent]) -> Iterator[bytes]:
    yield _format_csv([HEADS])
    newest_first = rows.order_by("-id").values_list(*HEADS)
    some = list(newest_first[:LINES_AT_ONCE])
    while some:
        yield _format_csv(some)
        some = list(newest_first.filter(id__lt=some[-1][0])[:LINES_AT_ONCE])


def _format_csv(rows: list[Any]) -> bytes:
    file = io.StringIO()
    writer = csv.writer(file)
    for row in rows:
        writer.writerow(cell.isoformat() if isinstance(cell, datetime) else cell for cell in row)
    return file.getvalue().encode()
