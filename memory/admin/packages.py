"""Packages that people take away: how far they are, and never what is in them."""

from datetime import datetime
from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy

from memory.admin.erasures import ANSWER_WITHIN
from memory.admin.rows import ReadOnlyAdmin
from memory.models import ExportPackage


@admin.register(ExportPackage)
class ExportPackageAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "status", "owner_id", "due", "ready_at", "fetched_at", "size")
    list_filter = ("status",)
    ordering = ("-id",)
    fields: ClassVar = [
        "id", "owner", "status", "created_at", "ready_at", "fetched_at", "expires_at", "size",
    ]  # fmt: skip

    @admin.display(description=gettext_lazy("to be answered by"))
    def due(self, package: ExportPackage) -> datetime | None:
        is_open = package.status in ExportPackage.Status.unfetched()
        return package.created_at + ANSWER_WITHIN if is_open else None

    def get_queryset(self, request: HttpRequest) -> QuerySet[ExportPackage]:
        return ExportPackage.objects.filter(expires_at__gt=timezone.now())
