"""Admin of operational records: jobs, failed purges and consents."""

from typing import ClassVar

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from memory.admin.names import make_person_column
from memory.admin.rows import NewestChoices, NewestValues, ReadOnlyAdmin
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
    # Those that wait, run or have failed are found by indexes.
    list_filter: ClassVar = ["status", ("work_class", NewestChoices), ("kind", NewestValues)]
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
    list_display = (
        "at",
        make_person_column("owner_id", _("person")),
        "purpose",
        "given",
        "version",
        "source",
    )
    list_filter = ("purpose", "given", "source")
    search_fields = ("id", "owner_id")
    ordering = ("-id",)
