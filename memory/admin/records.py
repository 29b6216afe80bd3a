"""What keeps the place going and what it has recorded: jobs, the audit, failures, consents."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from memory.admin.rows import ReadOnlyAdmin
from memory.models import AuditEvent, Consent, Job, PurgeFailure


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = ("kind", "subject", "status", "failures", "progress", "total", "due_at")
    list_filter = ("status", "kind")
    ordering = ("-id",)


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnlyAdmin):
    list_display = ("at", "action", "actor_id", "subject", "subject_id")
    list_filter = ("action",)
    ordering = ("-id",)
    search_fields = ("=actor_id", "=subject_id")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[AuditEvent], search_term: str
    ) -> Any:
        return super().get_search_results(request, queryset, search_term.replace("-", ""))


@admin.register(PurgeFailure)
class PurgeFailureAdmin(ReadOnlyAdmin):
    list_display = ("session_id", "failures", "error", "noted_at", "retry_at")
    ordering = ("retry_at",)


@admin.register(Consent)
class ConsentAdmin(ReadOnlyAdmin):
    list_display = ("owner_id", "purpose", "given", "version", "source", "at")
    list_filter = ("purpose", "given", "source")
    ordering = ("-id",)
