"""The library for those who run the place; of a private document they see only that it exists."""

from typing import ClassVar

from django.contrib import admin
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from citations.models import Document
from memory.admin import ReadOnlyAdmin


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    list_display = ("id", "shared_title", "owner_id", "status", "passage_count", "created_at")
    list_filter = ("status", "media_type")
    ordering = ("-created_at", "-id")
    fields: ClassVar = [
        "id", "shared_title", "owner", "year", "media_type", "checksum", "status", "failure",
        "passage_count", "created_at",
    ]  # fmt: skip

    @admin.display(description=gettext_lazy("Title"))
    def shared_title(self, document: Document) -> str:
        return document.title if document.owner_id is None else _("(private)")
