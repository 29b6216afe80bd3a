"""What keeps the place going and what it has recorded: jobs, failures, consents."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from memory.admin.names import column
from memory.admin.rows import ReadOnlyAdmin
from memory.models import Consent, Job, PurgeFailure


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = (
        "kind",
        "work_class",
        "subject",
        "status",
        "failures",
        "progress",
        "total",
        "due_at",
    )
    list_filter = ("status", "work_class", "kind")
    search_fields = ("subject",)
    ordering = ("-id",)


@admin.register(PurgeFailure)
class PurgeFailureAdmin(ReadOnlyAdmin):
    list_display = ("session_id", "failures", "error", "noted_at", "retry_at")
    search_fields = ("session_id",)
    ordering = ("retry_at",)


@admin.register(Consent)
class ConsentAdmin(ReadOnlyAdmin):
    people = ("owner_id",)
    list_display = ("at", column("owner_id", _("person")), "purpose", "given", "version", "source")
    list_filter = ("purpose", "given", "source")
    search_fields = ("id", "owner_id")
    ordering = ("-id",)
