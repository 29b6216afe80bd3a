"""Versions: a document may replace an older one of the same owner in searches.

The older one stays readable, and its citations keep their quotations. Restoring it undoes this, and
so does deleting the newer one.
"""

from collections.abc import Sequence
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
    return map_versions([document])[document.pk]


def map_versions(documents: Sequence[Document]) -> dict[UUID, list[Document]]:
    """Find the possible versions of each document, in one query."""
    asking = [each for each in documents if not (each.supersedes_id or each.is_kept_beside)]
    names = {each.name_digest for each in asking if each.name_digest}
    is_same = Q(name_digest__in=names)
    is_same |= Q(doi_digest__in={each.doi_digest for each in asking if each.doi_digest})
    if any(each.file_name for each in asking):  # rows from before names were digested
        is_same |= Q(name_digest="")
    is_own = Q(owner__in={each.owner_id for each in asking if each.owner_id})
    if any(each.owner_id is None for each in asking):
        is_own |= Q(owner=None)
    rows = Document.objects.ready().filter(is_own, is_same).defer("file").order_by("-pk")
    found = {each.pk: [row for row in rows if _is_version(row, each)] for each in asking}
    return {each.pk: found.get(each.pk, [])[:MOST_VERSIONS] for each in documents}


def _is_version(row: Document, document: Document) -> bool:
    """Return whether the older row has the document's file name or DOI; old names are opened."""
    if row.owner_id != document.owner_id or row.pk >= document.pk:
        return False
    if row.doi_digest and row.doi_digest == document.doi_digest:
        return True
    if row.name_digest:
        return row.name_digest == document.name_digest
    return bool(document.file_name) and row.file_name.casefold() == document.file_name.casefold()


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
