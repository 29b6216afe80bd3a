"""Admin of packages: their states, never their content."""

from datetime import datetime
from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext_lazy

from memory.admin.names import make_person_column
from memory.admin.requests.erasures import ANSWER_WITHIN
from memory.admin.rows import ReadOnlyAdmin
from memory.models import ExportPackage

PERSON = make_person_column("owner_id", gettext_lazy("person"))


@admin.register(ExportPackage)
class ExportPackageAdmin(ReadOnlyAdmin):
    people = ("owner_id",)
    list_display = ("created_at", "status", PERSON, "due", "ready_at", "fetched_at", "bytes")
    search_fields = ("id", "owner_id")
    list_filter = ("status",)
    ordering = ("-id",)
    fields: ClassVar = [
        "id", PERSON, "status", "created_at", "ready_at", "fetched_at", "expires_at", "bytes",
    ]  # fmt: skip

    @admin.display(description=gettext_lazy("size"), ordering="size")
    def bytes(self, package: ExportPackage) -> str:
        return filesizeformat(package.size)

    @admin.display(description=gettext_lazy("to be answered by"))
    def due(self, package: ExportPackage) -> datetime | None:
        is_open = package.status in ExportPackage.Status.unfetched()
        return package.created_at + ANSWER_WITHIN if is_open else None

    def visible_rows(self) -> QuerySet[ExportPackage]:
        return ExportPackage.objects.filter(expires_at__gt=timezone.now())
