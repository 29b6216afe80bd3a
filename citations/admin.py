"""The library for those who run the place; of a private document they see only how it is doing."""

from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from citations import failures
from citations.models import Document
from memory.admin import ReadOnlyAdmin

STATE: list[str] = [
    "id", "owner", "status", "why", "size", "page_count", "passage_count", "created_at",
]  # fmt: skip
ABOUT: list[str] = [
    "shared_title", "shared_authors", "year", "link", "shared_file", "media_type", "checksum",
]  # fmt: skip


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    list_display = (
        "id", "shared_title", "owner_id", "status", "failure", "passage_count", "created_at",
    )  # fmt: skip
    list_filter: ClassVar = ["status", ("owner", admin.EmptyFieldListFilter)]
    ordering = ("-created_at", "-id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        return Document.objects.defer("file")

    def get_fields(self, request: HttpRequest, obj: Document | None = None) -> list[str]:
        is_shared = obj is not None and obj.owner_id is None
        return [*STATE, *ABOUT] if is_shared else STATE

    @admin.display(description=gettext_lazy("Title"))
    def shared_title(self, document: Document) -> str:
        return document.title if document.owner_id is None else _("(private)")

    @admin.display(description=gettext_lazy("Authors"))
    def shared_authors(self, document: Document) -> str:
        return "; ".join(document.authors)

    @admin.display(description=gettext_lazy("Link"))
    def link(self, document: Document) -> str:
        return str(document.url)

    @admin.display(description=gettext_lazy("File"))
    def shared_file(self, document: Document) -> str:
        return str(document.file_name)

    @admin.display(description=gettext_lazy("Failure"))
    def why(self, document: Document) -> str:
        return failures.message(document.failure) if document.failure else ""
