"""Ingestion: a file becomes a document at once, and its passages in a job.

The file is read when it is added, so that what can't be read is refused at once. The job cuts and
embeds outside any transaction, then writes passages, vectors and index in one, under the fence of
its lease: killed anywhere, it leaves nothing, and is done again.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypedDict, Unpack

import numpy as np
from django.db import IntegrityError, transaction

from citations import index
from citations.cutting import Piece, cut, in_full
from citations.models import Document, Passage
from citations.readers import Reading, read
from memory.embedding import EmbeddingError, Vectors, embedder
from memory.jobs import MAX_FAILURES, Lease, enqueue
from memory.models import Job, User
from memory.sealing import blind
from memory.tokens import count_tokens

SAMPLE = Path(__file__).parent / "sample"
CUT = "cut"
# Between two batches the lease is renewed: a batch must take seconds, not a minute.
BATCH = 64


class About(TypedDict, total=False):
    """What the one who adds a file knows better than the file."""

    title: str
    authors: list[str]
    year: int | None
    url: str


@dataclass(frozen=True)
class Cut:
    """A document's pieces, and their vectors if there is an engine."""

    pieces: list[Piece]
    vectors: Vectors | None
    model: str = ""


def add_document(
    data: bytes, *, file_name: str, owner: User | None = None, **about: Unpack[About]
) -> Document:
    """Store a file and ask for its passages, or return the document that it already is.

    Without an owner it joins the shared library. Raises Unreadable.
    """
    reading = replace(read(data, file_name), **about)
    checksum = fingerprint(data, owner)
    with transaction.atomic():
        document = Document.objects.filter(owner=owner, checksum=checksum).first()
        document = document or stored(reading, data, checksum, file_name=file_name, owner=owner)
        if document.status == Document.Status.FAILED:
            try_again(document, data)
        if document.status == Document.Status.WAITING:
            enqueue(CUT, document.pk)
    return document


def fingerprint(data: bytes, owner: User | None) -> str:
    """Return what a file is known by; a private one's can't be compared with a known file's."""
    digest = hashlib.sha256(data).hexdigest()
    return digest if owner is None else blind([digest], owner=owner.pk)[0]


def stored(
    reading: Reading, data: bytes, checksum: str, *, file_name: str, owner: User | None
) -> Document:
    try:
        with transaction.atomic():
            return Document.objects.create(
                owner=owner,
                title=reading.title,
                authors=reading.authors,
                year=reading.year,
                url=reading.url,
                file_name=file_name,
                media_type=reading.media_type,
                checksum=checksum,
                size=len(data),
                file=data,
                unread=[],
            )
    except IntegrityError:  # another process was first
        return Document.objects.get(owner=owner, checksum=checksum)


def try_again(document: Document, data: bytes) -> None:
    document.status, document.failure = Document.Status.WAITING, ""
    document.file = data
    document.save(update_fields=["status", "failure", "file"])


def cut_document(lease: Lease) -> None:
    """Do the job: cut the document into passages and index them."""
    waiting = Document.objects.filter(pk=lease.subject, status=Document.Status.WAITING)
    document = waiting.first()
    if document is None:  # done before, or deleted
        with lease.finishing():
            return
    try:
        prepared = prepare(document, lease)
    except EmbeddingError as error:
        if not is_last_try(lease):
            raise
        with lease.finishing():
            waiting.update(status=Document.Status.FAILED, failure=error.code)
        return
    with lease.finishing():
        write(document, prepared)


def is_last_try(lease: Lease) -> bool:
    return Job.objects.filter(pk=lease.job_id, failures__gte=MAX_FAILURES - 1).exists()


def prepare(document: Document, lease: Lease) -> Cut:
    """Cut and embed, renewing the lease after each batch."""
    reading = read(document.file or b"", document.file_name)
    pieces = list(cut(reading.sections, title=document.title))
    engine = embedder()
    if engine is None or not pieces:
        return Cut(pieces, None)
    texts = [in_full(document.title, piece.heading, piece.text) for piece in pieces]
    vectors = []
    for start in range(0, len(texts), BATCH):
        lease.hold(progress=start, total=len(texts))
        vectors.append(engine.embed(texts[start : start + BATCH]))
    return Cut(pieces, np.concatenate(vectors), engine.model)


def write(document: Document, prepared: Cut) -> None:
    """Write the passages and all that is made of them; the caller has opened the transaction."""
    ready = bool(prepared.pieces)
    changed = Document.objects.filter(pk=document.pk, status=Document.Status.WAITING).update(
        status=Document.Status.READY if ready else Document.Status.FAILED,
        failure="" if ready else "empty",
        passage_count=len(prepared.pieces),
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


def remove_document(document: Document) -> None:
    """Delete the document, its passages and their place in the index."""
    # The index follows by triggers (citations/migrations/0002_index.py).
    document.delete()


def load_sample_library() -> list[Document]:
    """Add the sample documents to the shared library, if it is empty; return what was added."""
    if Document.objects.shared().exists():
        return []
    files = sorted(SAMPLE.glob("*.md"))
    return [add_document(path.read_bytes(), file_name=path.name) for path in files]
