"""How prompts were put together, for those who run the place: ids and numbers."""

from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from unfold.admin import TabularInline

from chat.models import ContextPart, ContextRecord, ContextStep
from memory.admin import ReadOnlyAdmin
from memory.models import Session


class ReadOnlyInline(TabularInline):  # type: ignore[misc]
    can_delete = False
    extra = 0
    max_num = 0


class PartInline(ReadOnlyInline):
    model = ContextPart
    readonly_fields: ClassVar = ["part", "tokens", "allowance"]


class StepInline(ReadOnlyInline):
    model = ContextStep
    readonly_fields: ClassVar = ["step", "milliseconds"]


@admin.register(ContextRecord)
class ContextRecordAdmin(ReadOnlyAdmin):
    list_display = ("turn_id", "attempt", "strategy", "reason", "model", "prompt_tokens", "window")
    list_filter = ("strategy", "reason", "model", "prompt_version")
    search_fields = ("turn_id",)
    ordering = ("-id",)
    inlines: ClassVar = [PartInline, StepInline]

    def visible_rows(self) -> QuerySet[ContextRecord]:
        return ContextRecord.objects.filter(turn__session__in=Session.objects.live())
