"""The library's administration; of a private document it shows only the state."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _, gettext_lazy
from unfold.decorators import action

from citations.deletion import DOCUMENT
from citations.ingestion.renewal.rereading import read_again
from citations.models import Document
from citations.readers import file_failures
from memory.admin.bulk import run_bulk_action
from memory.admin.confirming import ConfirmedAct
from memory.admin.deleting import DeletingAdmin
from memory.admin.holds.forms import find_by_id, finds
from memory.admin.holds.placing import HoldableAdmin
from memory.admin.names import make_person_column
from memory.admin.pages import Facts, get_person
from memory.models import LegalHold

STATE: list[str] = [
    "id", "owner_name", "status", "why", "size", "page_count", "passage_count", "created_at",
]  # fmt: skip
ABOUT: list[str] = [
    "shared_title", "shared_authors", "year", "link", "shared_file", "media_type", "checksum",
]  # fmt: skip


REREAD = ConfirmedAct(
    gettext_lazy("Read again"),
    gettext_lazy(
        "Shared documents that an older version read, and whose files are kept, are reread in "
        "the background. The old reading stays in use until the new one is complete; answers "
        "that cite it keep their passages. People reread their own documents themselves."
    ),
)


@finds(LegalHold.Scope.DOCUMENT)
def _find_document(named: str) -> Model | None:
    return find_by_id(Document.objects.all(), named)


@admin.register(Document)
class DocumentAdmin(HoldableAdmin, DeletingAdmin):
    hold_scope = LegalHold.Scope.DOCUMENT
    deletion_kind = DOCUMENT
    deletion_says = gettext_lazy(
        "Deleting someone’s own document deletes the answers built on it. Citations of a "
        "shared document keep their quotations, marked as removed."
    )
    people = ("owner_id",)
    list_display = (
        "id",
        "shared_title",
        make_person_column("owner_id", gettext_lazy("person")),
        "status",
        "why",
        "passage_count",
        "created_at",
    )
    search_fields = ("id", "owner_id")
    list_filter: ClassVar = ["status", ("owner", admin.EmptyFieldListFilter)]
    ordering = ("-id",)  # uuid7: newest first
    actions: ClassVar = ["reread_chosen", "hold_chosen", "erase_chosen"]
    actions_detail: ClassVar = ["hold", "erase"]

    @action(description=REREAD.title)
    def reread_chosen(self, request: HttpRequest, rows: "QuerySet[Any]") -> HttpResponse | None:
        """Request a rereading of each document chosen in the list."""
        actor = get_person(request)
        shared = rows.filter(owner=None)
        return run_bulk_action(
            self, request, REREAD, shared, lambda row: read_again(row, actor=actor)
        )

    def visible_rows(self) -> QuerySet[Document]:
        return Document.objects.defer("file")

    def get_fields(self, request: HttpRequest, obj: Document | None = None) -> list[str]:
        is_shared = obj is not None and obj.owner_id is None
        return [*STATE, *ABOUT] if is_shared else STATE

    def get_facts(self, row: Document) -> Facts:
        facts = [(_("Title"), self.shared_title(row)), (_("Added"), row.created_at)]
        return [*facts, (_("Passages"), row.passage_count)]

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
        return file_failures.get_failure_sentence(document.failure) if document.failure else ""
