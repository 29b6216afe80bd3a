"""Ingestion: the job that makes a document's passages, in slices that yield to other jobs.

The first slice reads and cuts; it also embeds a short document, and writes all of it in one
transaction. Of a long one it writes the passages, which no search finds yet. Each further slice
embeds some of them; the last puts them into the index. A killed slice leaves nothing and is
repeated.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from uuid import UUID

from citations.ingestion import preparing
from citations.ingestion.pacing import INGEST, find_shorter_job, give_place
from citations.ingestion.preparing import (
    Cut,
    count_words,
    lock_waiting_document,
    mark_failed,
    prepare_document,
    seal_passages,
)
from citations.ingestion.slices import Embedding
from citations.models import Document, Passage
from citations.models.passages import select_unfinished_vectors
from citations.readers import Unreadable
from memory.jobs import MAX_FAILURES, Lease, job
from memory.models import Job
from memory.text.embedding import EmbeddingError, get_embedder


@job(INGEST, gave_up=mark_failed)
def ingest_document(lease: Lease) -> None:
    """Do the job: a slice of reading a document, cutting it into passages and indexing them."""
    waiting = Document.objects.filter(pk=lease.subject, status=Document.Status.WAITING)
    document = waiting.defer("file").first()
    if document is None:  # done before, or deleted
        with lease.finishing():
            return
    if (shorter := find_shorter_job(document)) is not None:
        give_place(document, lease, shorter)
        return
    passages = list(document.passages.order_by("position"))
    with failure_noted(lease, mark_failed):
        if passages:
            _go_on(document, passages, lease)
        else:
            _begin(document, lease)


@contextmanager
def failure_noted(lease: Lease, note: Callable[[UUID, str], None]) -> Iterator[None]:
    """End the job with the failure of a file that can't be read, or finally embedded."""
    try:
        yield
    except (EmbeddingError, Unreadable) as error:
        last = Job.objects.filter(pk=lease.job_id, failures__gte=MAX_FAILURES - 1)
        if isinstance(error, EmbeddingError) and not last.exists():
            raise
        with lease.finishing():
            note(lease.subject, error.code)


def _begin(document: Document, lease: Lease) -> None:
    """Read and cut it, and embed as much as fits into a slice."""
    cut, engine = prepare_document(document, lease), get_embedder()
    if engine is not None and cut.passages:
        titled = copy(document)
        titled.title = cut.title
        embedding = Embedding(titled, cut.passages, engine, lease)
        if not embedding.go_on():
            seal_passages(cut.passages)
            with lease.finishing():
                if (current := lock_waiting_document(document)) is not None:
                    embedding.keep(current, preparing.write_cut(current, document, cut))
                    embedding.come_again(INGEST)
            return
        cut = replace(cut, vectors=embedding.whole(), model=engine.model)
    cut = count_words(document, cut, lease)
    seal_passages(cut.passages)
    with lease.finishing():
        preparing.write_prepared(document, cut)


def _go_on(document: Document, passages: list[Passage], lease: Lease) -> None:
    """Embed another slice, and make the document searchable when all is embedded."""
    engine = get_embedder()
    cut = Cut(passages, parts=[], title=document.title)
    if engine is not None:
        embedding = Embedding(document, passages, engine, lease)
        if not embedding.go_on():
            embedding.end_slice(INGEST)
            return
        cut = replace(cut, vectors=embedding.whole(), model=engine.model)
    cut = count_words(document, cut, lease)
    with lease.finishing():
        if (current := lock_waiting_document(document)) is not None:
            select_unfinished_vectors(current).delete()
            preparing.make_findable(current, passages, cut)
