"""Ingestion: the job that makes a document's passages.

It reads, cuts and embeds outside any transaction, then writes passages, vectors and index in one,
under the fence of its lease: killed anywhere, it leaves nothing, and is done again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np

from citations import index
from citations.index.full_text import in_full
from citations.ingestion.chunking import Piece, chunked
from citations.library import RETITLE
from citations.models import Document, Passage
from citations.readers import Unreadable, failures, read
from memory.embedding import EmbeddingError, Vectors, embedder
from memory.jobs import MAX_FAILURES, Lease, enqueue
from memory.models import Job
from memory.tokens import count_tokens

INGEST = "ingest"
# Between two batches the lease is renewed: a batch must take seconds, not a minute.
BATCH = 64
# The job's progress in percent: reading comes first, embedding takes most of the time.
READ, WHOLE = 20, 100


@dataclass(frozen=True)
class Cut:
    """A document's passages, their words and vectors, and what could not be read."""

    passages: list[Passage]
    words: index.Counted
    unread: list[str]
    # None without an engine.
    vectors: Vectors | None = None
    model: str = ""


def ingest_document(lease: Lease) -> None:
    """Do the job: read the document, cut it into passages and index them."""
    waiting = Document.objects.filter(pk=lease.subject, status=Document.Status.WAITING)
    document = waiting.first()
    if document is None:  # done before, or deleted
        with lease.finishing():
            return
    try:
        prepared = prepare(document, lease)
    except (EmbeddingError, Unreadable) as error:
        if isinstance(error, EmbeddingError) and not is_last_try(lease):
            raise
        with lease.finishing():
            fail(lease.subject, error.code)
        return
    with lease.finishing():
        write(document, prepared)


def is_last_try(lease: Lease) -> bool:
    return Job.objects.filter(pk=lease.job_id, failures__gte=MAX_FAILURES - 1).exists()


def fail(document_id: UUID, code: str = "gave_up") -> None:
    """Mark the document as failed and let go of its file; the code says why."""
    waiting = Document.objects.filter(pk=document_id, status=Document.Status.WAITING)
    waiting.update(status=Document.Status.FAILED, failure=code, file=None)


def prepare(document: Document, lease: Lease) -> Cut:
    """Read, cut and embed, renewing the lease all the while."""

    def read_so_far(done: int, total: int) -> None:
        lease.hold(progress=READ * done // max(total, 1), total=WHOLE)

    reading = read(document.file or b"", document.media_type, read_so_far)
    unread = [failures.sentence(note) for note in reading.unread]
    passages: list[Passage] = []
    texts: list[str] = []
    for piece in chunked(reading.sections, title=document.title):
        passages.append(passage_of(document, len(passages), piece))
        texts.append(in_full(document.title, piece.heading, piece.text))
        if len(passages) % BATCH == 0:
            lease.hold(progress=READ, total=WHOLE)
    terms: list[list[str]] = []
    for start in range(0, len(texts), BATCH):
        lease.hold(progress=READ, total=WHOLE)
        terms += map(index.index_terms, texts[start : start + BATCH])
    prepared = Cut(passages, index.counted(document, terms), unread)
    engine = embedder()
    if engine is None or not texts:
        return prepared
    vectors = []
    for start in range(0, len(texts), BATCH):
        done = READ + (WHOLE - READ) * start // len(texts)
        lease.hold(progress=done, total=WHOLE)
        vectors.append(engine.embed(texts[start : start + BATCH]))
    return replace(prepared, vectors=np.concatenate(vectors), model=engine.model)


def passage_of(document: Document, position: int, piece: Piece) -> Passage:
    """Make the row, sealed already: a transaction must be short."""
    row = Passage(
        document=document,
        owner_id=document.owner_id,
        position=position,
        page=piece.page,
        tokens=count_tokens(piece.text),
    )
    row.heading = Passage._meta.get_field("heading").sealed_for(row, piece.heading)
    row.text = Passage._meta.get_field("text").sealed_for(row, piece.text)
    row.layout = Passage._meta.get_field("layout").sealed_for(row, piece.layout)
    return row


def write(document: Document, prepared: Cut) -> None:
    """Write the passages and all that is made of them; the caller has opened the transaction."""
    waiting = Document.objects.filter(pk=document.pk, status=Document.Status.WAITING)
    current = waiting.select_for_update().defer("file").first()
    if current is None:  # it was deleted meanwhile
        return
    ready = bool(prepared.passages)
    current.status = Document.Status.READY if ready else Document.Status.FAILED
    current.failure = "" if ready else "empty"
    current.passage_count, current.unread = len(prepared.passages), prepared.unread
    current.file = None
    current.save(update_fields=["status", "failure", "passage_count", "unread", "file"])
    passages = write_passages(prepared.passages)
    index.add(document, passages, prepared.words)
    if prepared.vectors is not None:
        index.add_vectors(document, passages, prepared.vectors, model=prepared.model)
    if ready and current.title != document.title:  # it was changed while the document was read
        enqueue(RETITLE, document.pk)


def write_passages(passages: Sequence[Passage]) -> list[Passage]:
    return Passage.objects.bulk_create(passages, batch_size=500)
