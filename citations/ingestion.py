"""Ingestion: a file becomes a document at once, and its passages in a job.

The file is looked at when it is added, so that what can't be read is refused at once and leaves
nothing. It is kept, sealed, until the job has read it. The job reads, cuts and embeds outside any
transaction, then writes passages, vectors and index in one, under the fence of its lease: killed
anywhere, it leaves nothing, and is done again.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict, Unpack
from uuid import UUID

import numpy as np
from django.db import IntegrityError, transaction

from citations import failures, index
from citations.cutting import Piece, cut, in_full
from citations.formats.cleaning import one_line
from citations.models import Document, Passage
from citations.readers import Inspection, Unreadable, base_name, inspect, read
from memory import audit
from memory.embedding import EmbeddingError, Vectors, embedder
from memory.jobs import MAX_FAILURES, Lease, enqueue
from memory.models import Job, User
from memory.sealing import blind
from memory.tokens import count_tokens

SAMPLE = Path(__file__).parent / "sample"
INGEST = "ingest"
# Between two batches the lease is renewed: a batch must take seconds, not a minute.
BATCH = 64
# The job's progress in percent: reading comes first, embedding takes most of the time.
READ, WHOLE = 20, 100


class About(TypedDict, total=False):
    """What the one who adds a file knows better than the file."""

    title: str
    authors: list[str]
    year: int | None
    url: str


@dataclass(frozen=True)
class Cut:
    """A document's pieces, their vectors if there is an engine, and what could not be read."""

    pieces: list[Piece]
    vectors: Vectors | None
    model: str = ""
    unread: list[str] = field(default_factory=list)


def add_document(
    data: bytes,
    *,
    file_name: str,
    owner: User | None = None,
    actor: User | None = None,
    media_type: str | None = None,
    **about: Unpack[About],
) -> Document:
    """Store a file and ask for its passages, or return the document that it already is.

    Without an owner it joins the shared library, and the actor is who put it there. What came as
    text says its media type; that of a file is found out. Raises Unreadable.
    """
    checksum = fingerprint(data, owner)
    known = Document.objects.filter(owner=owner, checksum=checksum).first()
    if known is not None and known.status != Document.Status.FAILED:
        return known
    found = inspect(data, file_name, media_type=media_type)
    with transaction.atomic():
        row = new_row(found, data, base_name(file_name), about)
        row.owner, row.checksum = owner, checksum
        document = stored(row, actor or owner)
        if document.status == Document.Status.FAILED:
            try_again(document, found, data)
        if document.status == Document.Status.WAITING:
            enqueue(INGEST, document.pk)
    return document


def fingerprint(data: bytes, owner: User | None) -> str:
    """Return what a file is known by; a private one's can't be compared with a known file's."""
    digest = hashlib.sha256(data).hexdigest()
    return digest if owner is None else blind([digest], owner=owner.pk)[0]


def new_row(found: Inspection, data: bytes, file_name: str, about: About) -> Document:
    """Make the row; what the adder says counts more than what the file says."""
    said = found.about
    return Document(
        title=one_line(about.get("title", "")) or said.title,
        authors=[one_line(name) for name in about.get("authors", said.authors)],
        year=about.get("year", said.year),
        url=about.get("url", said.url),
        file_name=file_name,
        media_type=found.media_type,
        size=len(data),
        page_count=said.page_count,
        file=data,
        unread=[],
    )


def stored(row: Document, actor: User | None) -> Document:
    """Insert the row and say so in the audit, or return the one that is there."""
    try:
        with transaction.atomic():
            row.save(force_insert=True)
            audit.record("document.added", actor=actor.pk if actor else None, subject=row)
            return row
    except IntegrityError:  # another process was first, or it failed before
        return Document.objects.get(owner=row.owner, checksum=row.checksum)


def try_again(document: Document, found: Inspection, data: bytes) -> None:
    document.status, document.failure = Document.Status.WAITING, ""
    document.media_type, document.file = found.media_type, data
    document.save(update_fields=["status", "failure", "media_type", "file"])


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
    pieces = []
    for piece in cut(reading.sections, title=document.title):
        pieces.append(piece)
        if len(pieces) % BATCH == 0:
            lease.hold(progress=READ, total=WHOLE)
    engine = embedder()
    if engine is None or not pieces:
        return Cut(pieces, None, unread=unread)
    texts = [in_full(document.title, piece.heading, piece.text) for piece in pieces]
    vectors = []
    for start in range(0, len(texts), BATCH):
        done = READ + (WHOLE - READ) * start // len(texts)
        lease.hold(progress=done, total=WHOLE)
        vectors.append(engine.embed(texts[start : start + BATCH]))
    return Cut(pieces, np.concatenate(vectors), engine.model, unread)


def write(document: Document, prepared: Cut) -> None:
    """Write the passages and all that is made of them; the caller has opened the transaction."""
    ready = bool(prepared.pieces)
    changed = Document.objects.filter(pk=document.pk, status=Document.Status.WAITING).update(
        status=Document.Status.READY if ready else Document.Status.FAILED,
        failure="" if ready else "empty",
        passage_count=len(prepared.pieces),
        unread=Document._meta.get_field("unread").sealed_for(document, prepared.unread),
        file=None,
    )
    if changed:  # or else it was deleted meanwhile
        passages = write_passages(document, prepared.pieces)
        index.add(document, passages)
        if prepared.vectors is not None:
            index.add_vectors(document, passages, prepared.vectors, model=prepared.model)


def write_passages(document: Document, pieces: Sequence[Piece]) -> list[Passage]:
    return Passage.objects.bulk_create(
        [
            Passage(
                document=document,
                owner_id=document.owner_id,
                position=position,
                page=piece.page,
                heading=piece.heading,
                text=piece.text,
                tokens=count_tokens(piece.text),
            )
            for position, piece in enumerate(pieces)
        ],
        batch_size=500,
    )


def load_sample_library() -> list[Document]:
    """Add the sample documents to the shared library, if it is empty; return what was added."""
    if Document.objects.shared().exists():
        return []
    files = sorted(SAMPLE.glob("*.md"))
    return [add_document(path.read_bytes(), file_name=path.name) for path in files]
