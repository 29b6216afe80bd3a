"""Rereading: reads documents again that an older version has read.

The file is read and cut, and new passages are embedded, in slices as when it was added
(citations.ingestion.slices). Meanwhile the old reading serves. The complete new reading replaces
the old one in one transaction (`exchanging`). If the job is killed, the old reading is untouched
and the job is repeated. A file that can't be read any more leaves the old reading and the reason.
"""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import numpy as np
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_lazy

from citations.index.full_text import add_headings
from citations.ingestion.ingesting import failure_noted
from citations.ingestion.originals import bring_original, has_original
from citations.ingestion.preparing import (
    NewReading,
    count_words,
    has_no_title,
    make_cut,
    read_and_cut_file,
    seal_passages,
    unpack_new_reading,
)
from citations.ingestion.renewal.exchanging import compare_passages, exchange
from citations.ingestion.renewal.reindexing import read_stored_vectors
from citations.ingestion.slices import Embedding
from citations.library import EXCHANGE, REREAD, NotYours, find_reading_jobs, may_change
from citations.models import Document, OriginalFile, Passage
from citations.models.documents import DocumentQuerySet
from citations.models.passages import select_unfinished_vectors
from citations.readers import Unreadable
from memory import audit
from memory.errors import NotFound, Refusal
from memory.holds import is_held
from memory.jobs import Lease, enqueue, job
from memory.models import User
from memory.text.embedding import Embedder, Vectors, get_embedder


class OriginalNotKept(Refusal):
    code = "original_not_kept"
    says = gettext_lazy(
        "The file of this document was not kept. Add the same file once more, and it is read again."
    )


class ReadAlready(Refusal):
    """The document's reading is of the newest version."""

    code = "read_already"
    says = gettext_lazy("This document is up to date: the newest version has read it.")


# --- Requests -------------------------------------------------------------------------------------


def select_documents_to_reread() -> DocumentQuerySet:
    """Return the documents with an outdated reading whose files are kept."""
    kept = OriginalFile.objects.filter(document=OuterRef("pk"))
    return Document.objects.outdated().filter(Exists(kept))


def read_again(document: Document, *, actor: User) -> None:
    """Request that the document be read again, without repeating a pending request.

    Raises NotYours, NotFound, ReadAlready and OriginalNotKept.
    """
    if not may_change(document, actor):
        raise NotYours
    with transaction.atomic():
        current = _lock_document(document.pk)
        if current is None:
            raise NotFound
        if not current.is_outdated:
            raise ReadAlready
        if not has_original(current):
            raise OriginalNotKept
        _ask(current, actor)


def bring_file(document: Document, file: bytes, *, actor: User | None) -> None:
    """Store the file of an existing document, and renew an outdated reading."""
    with transaction.atomic():
        if current := _lock_outdated_document(document.pk):
            bring_original(current, file)
            _ask(current, actor)


def ask_for_each(documents: Sequence[Document]) -> None:
    """Request that these documents be read again, each in its owner's queue, without an actor."""
    for document in documents:
        with transaction.atomic():
            if current := _lock_outdated_document(document.pk):
                _ask(current, None)


def _ask(current: Document, actor: User | None) -> None:
    if find_reading_jobs([current]):
        return
    Document.objects.filter(pk=current.pk).update(rereading_failure="")
    audit.record("document.reread", actor=actor.pk if actor else None, subject=current)
    enqueue(REREAD, current.pk, owner=current.owner_id)


def _lock_document(document_id: UUID) -> Document | None:
    return Document.objects.select_for_update().defer("file").filter(pk=document_id).first()


def _lock_outdated_document(document_id: UUID) -> Document | None:
    """Lock and return the document, unless it was deleted or read again meanwhile."""
    current = _lock_document(document_id)
    return current if current is not None and current.is_outdated else None


# --- Jobs -----------------------------------------------------------------------------------------


def mark_not_reread(document_id: UUID, code: str = "gave_up") -> None:
    """Note why the document was not read again; its old reading stays."""
    Document.objects.filter(pk=document_id).update(rereading_failure=code)
    OriginalFile.objects.filter(document=document_id).update(new_reading=None)


@job(REREAD, gave_up=mark_not_reread)
def reread_document(lease: Lease) -> None:
    """Do the job: read and cut the file, and exchange the readings, or leave that to slices."""
    original = _find_original(lease)
    if original is None:
        with lease.finishing():
            return
    document = original.document
    with failure_noted(lease, mark_not_reread):
        reading = read_and_cut_file(document, original.file, lease)
        if not reading.pieces:
            raise Unreadable("empty")
        select_unfinished_vectors(document).delete()  # of an abandoned reading
        _go_on(original, reading, lease, is_new=True)


@job(EXCHANGE, gave_up=mark_not_reread)
def exchange_reading(lease: Lease) -> None:
    """Do the job: embed a slice of new passages, and after the last one exchange the readings."""
    original = _find_original(lease)
    reading = unpack_new_reading(original.new_reading or {}) if original else None
    if original is None or reading is None:  # it was deleted, or the product was updated in between
        with lease.finishing():
            if original is not None:
                enqueue(REREAD, original.document_id, owner=original.owner_id)
        return
    with failure_noted(lease, mark_not_reread):
        _go_on(original, reading, lease, is_new=False)


def _find_original(lease: Lease) -> OriginalFile | None:
    """Return the file, unless its document was read again or deleted meanwhile."""
    older = Document.objects.outdated().filter(pk=lease.subject)
    rows = OriginalFile.objects.filter(document__in=older).select_related("document")
    return rows.defer("document__file", "file").first()


def _go_on(original: OriginalFile, reading: NewReading, lease: Lease, *, is_new: bool) -> None:
    """Embed new passages for the time of a slice, and exchange the readings after the last."""
    document, engine = original.document, get_embedder()
    # Under the present title: a better one is set by the exchange, and indexed later.
    cut = make_cut(document, reading, title=document.title)
    found = compare_passages(list(document.passages.order_by("position")), cut.passages)
    if engine is not None and found.is_any:
        known = _read_known_vectors(document, engine)
        lacking = [
            row for row in found.passages if _build_embedded_text(document, row) not in known
        ]
        embedding = Embedding(document, _assign_temporary_keys(lacking), engine, lease)
        if not embedding.go_on():
            _end_slice(original, embedding, reading if is_new else None)
            return
        if lacking:
            texts = [_build_embedded_text(document, row) for row in lacking]
            known |= zip(texts, embedding.whole(), strict=True)
        vectors = np.stack([known[_build_embedded_text(document, row)] for row in found.passages])
        cut = replace(cut, vectors=vectors, model=engine.model)
    if found.is_any:
        cut = count_words(document, cut, lease)
        seal_passages(found.new)
    with lease.finishing():
        if current := _lock_outdated_document(document.pk):
            may_name = has_no_title(current) and not is_held(current)
            exchange(current, found, cut, title=reading.title if may_name else current.title)
            OriginalFile.objects.filter(document=current.pk).update(new_reading=None)


def _end_slice(original: OriginalFile, embedding: Embedding, new: NewReading | None) -> None:
    """End the job, keep its results, and request the next slice."""
    with embedding.lease.finishing():
        current = _lock_outdated_document(original.document_id)
        if current is None:
            return
        if new is not None:
            original.new_reading = new.packed()
            original.save(update_fields=["new_reading"])
        embedding.keep(current, embedding.passages)
        embedding.come_again(EXCHANGE)


def _read_known_vectors(document: Document, engine: Embedder) -> dict[str, Vectors]:
    """Return the stored vectors by their embedded texts."""
    stored = read_stored_vectors(document, engine)
    rows = document.passages.order_by("position")
    return {_build_embedded_text(document, row): stored[row.pk] for row in rows if row.pk in stored}


def _build_embedded_text(document: Document, row: Passage) -> str:
    return add_headings(document.title, row.heading, row.text)


def _assign_temporary_keys(passages: Sequence[Passage]) -> Sequence[Passage]:
    """Give new passages temporary keys, the same in each slice."""
    for row in passages:
        row.pk = row.pk or -1 - row.position
    return passages
