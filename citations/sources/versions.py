"""Versions: a document may replace an older one of the same owner in searches.

The older one stays readable, and its citations keep their quotations. Restoring it undoes this, and
so does deleting the newer one.
"""

from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext_lazy

from citations import index
from citations.library import RETITLE, NotYours, get_readable_document, may_change
from citations.models import Document
from memory import audit
from memory.errors import Refusal
from memory.jobs import enqueue
from memory.models import User
from memory.outages import one_transaction

MOST_VERSIONS = 5
Status = Document.Status


class NotReplaceable(Refusal):
    """The document can't be replaced by the other one."""

    code = "not_replaceable"
    says = gettext_lazy("A document can only replace one that is ready and has the same owner.")


def find_versions(document: Document) -> list[Document]:
    """Find older documents with the same file name or DOI, as possible versions of this one.

    Return none once the person has decided.
    """
    if document.supersedes_id or document.is_kept_beside:
        return []
    name, doi = document.name_digest, document.doi_digest
    is_same = Q(name_digest=name) if name else Q(pk=None)
    is_same |= Q(doi_digest=doi) if doi else Q(pk=None)
    # Rows from before names were digested; their names are opened.
    is_old = Q(name_digest="") if document.file_name else Q(pk=None)
    rows = Document.objects.ready().filter(owner=document.owner_id, pk__lt=document.pk)
    found = rows.filter(is_same | is_old).defer("file").order_by("-pk")
    return [row for row in found if _has_digest(row, document)][:MOST_VERSIONS]


def _has_digest(row: Document, document: Document) -> bool:
    is_noted = row.name_digest or (row.doi_digest and row.doi_digest == document.doi_digest)
    return bool(is_noted) or row.file_name.casefold() == document.file_name.casefold()


def refuse_replacing(older: Document, *, owner: UUID | None) -> None:
    """Raise NotReplaceable unless a document of the owner may replace this one."""
    if older.status != Status.READY or older.owner_id != owner:
        raise NotReplaceable


@one_transaction
def replace_document(newer: Document, older: Document, *, actor: User) -> None:
    """Replace the older document by the newer one, as soon as that is ready.

    Raises NotYours and NotReplaceable.
    """
    if not (may_change(newer, actor) and may_change(older, actor)):
        raise NotYours
    rows = _lock(Q(pk__in=[newer.pk, older.pk]))
    locked, replaced = rows.get(newer.pk), rows.get(older.pk)
    if locked is None or replaced is None or locked.pk == replaced.pk:
        raise NotReplaceable
    refuse_replacing(replaced, owner=locked.owner_id)
    if locked.status in (Status.FAILED, Status.REPLACED):
        raise NotReplaceable
    newer.supersedes = older
    newer.save(update_fields=["supersedes"])
    audit.record("document.replaced", actor=actor.pk, subject=older)
    if locked.status == Status.READY:
        _retire(replaced)


def settle_replacement(newer: Document) -> None:
    """Remove the replaced document from the index, since its replacement is ready."""
    older = (
        _lock(Q(pk=newer.supersedes_id)).get(newer.supersedes_id) if newer.supersedes_id else None
    )
    if older is not None and older.status == Status.READY:
        _retire(older)


@one_transaction
def restore_document(older: Document, *, actor: User) -> None:
    """Make a replaced document searchable again, beside its replacement. Raises NotYours."""
    if not may_change(older, actor):
        raise NotYours
    rows = _lock(Q(pk=older.pk) | Q(supersedes=older))
    others = [pk for pk in rows if pk != older.pk]
    Document.objects.filter(pk__in=others).update(supersedes=None, is_kept_beside=True)
    if older.pk in rows:
        _reinstate(rows[older.pk], actor=actor.pk)


def reinstate_replaced(newer: Document, *, actor: UUID | None) -> None:
    """Make the replaced document searchable again, since this one is being deleted."""
    if newer.supersedes_id is None:
        return
    for older in _lock(Q(pk=newer.supersedes_id)).values():
        if not older.superseded_by.exclude(pk=newer.pk).exists():
            _reinstate(older, actor=actor)


def _reinstate(older: Document, *, actor: UUID | None) -> None:
    if older.status != Status.REPLACED:
        return
    Document.objects.filter(pk=older.pk).update(status=Status.READY)
    audit.record("document.restored", actor=actor, subject=older)
    enqueue(RETITLE, older.pk, owner=older.owner_id)


def decline_replacement(document: Document, *, actor: User) -> None:
    """Note that the document replaces none. Raises NotYours."""
    if not may_change(document, actor):
        raise NotYours
    document.is_kept_beside = True
    document.save(update_fields=["is_kept_beside"])


def get_successor(document: Document, *, reader: User) -> Document | None:
    """Return the newer document that replaces this one, if there is one."""
    newer = document.superseded_by.order_by("-pk").values_list("pk", flat=True).first()
    return get_readable_document(reader, newer) if newer else None


def _lock(wanted: Q) -> dict[Any, Document]:
    """Lock documents, the newest first: the common lock order."""
    rows = Document.objects.filter(wanted).select_for_update().defer("file").order_by("-pk")
    return {row.pk: row for row in rows}


def _retire(older: Document) -> None:
    Document.objects.filter(pk=older.pk).update(status=Status.REPLACED)
    index.remove(older)
