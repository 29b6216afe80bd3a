"""Ingestion: a file becomes a document at once, and its passages in a job.

The file is looked at when it is added, so that what can't be read is refused at once and leaves
nothing. It is kept, sealed, until the job has read it. The job reads, cuts and embeds outside any
transaction, then writes passages, vectors and index in one, under the fence of its lease: killed
anywhere, it leaves nothing, and is done again.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypedDict, Unpack
from uuid import UUID

import numpy as np
from django.db import IntegrityError, transaction

from citations import failures, index
from citations.cutting import Piece, cut, in_full
from citations.formats.cleaning import one_line
from citations.library import RETITLE
from citations.models import Document, Passage
from citations.readers import Inspection, Unreadable, base_name, inspect, read
from memory import audit, limits
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
    """A document's passages, their words and vectors, and what could not be read."""

    passages: list[Passage]
    words: index.Counted
    unread: list[str]
    # None without an engine.
    vectors: Vectors | None = None
    model: str = ""


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
    text says its media type; that of a file is found out. Raises Unreadable and LimitReached.
    """
    checksum = fingerprint(data, owner)
    known = Document.objects.filter(owner=owner, checksum=checksum).first()
    if known is not None and known.status != Document.Status.FAILED:
        return known
    found = inspect(data, file_name, media_type=media_type)
    with transaction.atomic():
        row = new_row(found, data, base_name(file_name), about)
        row.owner, row.checksum = owner, checksum
        document = stored(row, about, actor)
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


def stored(row: Document, about: About, actor: User | None) -> Document:
    """Insert the row and say so in the audit, or return the one that is there, unless it failed."""
    document = row
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:  # another process was first, or it failed before
        rows = Document.objects.select_for_update()
        document = rows.get(owner=row.owner, checksum=row.checksum)
        if document.status != Document.Status.FAILED:
            return document
        try_again(document, row, about)
    if actor is not None:  # commands add as many as they need
        limits.take_upload(actor)
    adder = actor or row.owner
    audit.record("document.added", actor=adder.pk if adder else None, subject=document)
    return document


def try_again(failed: Document, row: Document, about: About) -> None:
    """Put the failed document in the place of the new row; what was said about it counts on."""
    failed.status, failed.failure = Document.Status.WAITING, ""
    changed = ["file_name", "media_type", "size", "page_count", "file", "unread", *about]
    for name in changed:
        setattr(failed, name, getattr(row, name))
    failed.save(update_fields=["status", "failure", *changed])


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
    for piece in cut(reading.sections, title=document.title):
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


def load_sample_library() -> list[Document]:
    """Add the sample documents to the shared library, if it is empty; return what was added."""
    if Document.objects.shared().exists():
        return []
    files = sorted(SAMPLE.glob("*.md"))
    return [add_document(path.read_bytes(), file_name=path.name) for path in files]
