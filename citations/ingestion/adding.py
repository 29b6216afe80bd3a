"""Adding: a file becomes a document at once; a job makes its passages (citations.ingestion).

The file is inspected when it is added, so an unreadable one is refused at once and leaves nothing.
It is kept, sealed: in the document until the job has read it, then as its original
(citations.ingestion.originals).
"""

import hashlib
from pathlib import Path
from typing import TypedDict, Unpack

from django.db import IntegrityError, transaction

from citations.formats.cleaning import clean_line
from citations.ingestion.pacing import INGEST
from citations.ingestion.renewal.rereading import bring_file
from citations.models import Document
from citations.models.documents import digest_text
from citations.readers import Inspection, clean_file_name, inspect_file
from memory import audit
from memory.jobs import enqueue
from memory.models import User
from memory.people import rate_limits
from memory.sealing import fingerprint_words

SAMPLE = Path(__file__).parent.parent / "sample"


class About(TypedDict, total=False):
    """Metadata given by the person who adds a file; it takes precedence over the file's."""

    title: str
    authors: list[str]
    year: int | None
    url: str


def add_document(
    data: bytes,
    *,
    file_name: str,
    owner: User | None = None,
    actor: User | None = None,
    media_type: str | None = None,
    **about: Unpack[About],
) -> Document:
    """Store a file and request its passages, or return the document with the same content.

    An outdated reading of that document is renewed.
    Without an owner the document joins the shared library, added by the actor. Text comes with its
    media type; a file's is detected. Raises Unreadable and LimitReached.
    """
    checksum = fingerprint(data, owner)
    known = Document.objects.filter(owner=owner, checksum=checksum).first()
    if known is not None and known.status != Document.Status.FAILED:
        if known.is_outdated:
            bring_file(known, data, actor=actor or owner)
        return known
    found = inspect_file(data, file_name, media_type=media_type)
    with transaction.atomic():
        row = build_document(found, data, clean_file_name(file_name), about)
        row.owner, row.checksum = owner, checksum
        row.name_digest = digest_text(row.file_name, row.owner_id)
        document = store_or_get_document(row, about, actor)
        if document.status == Document.Status.WAITING:
            enqueue(INGEST, document.pk, owner=document.owner_id)
    return document


def fingerprint(data: bytes, owner: User | None) -> str:
    """Compute the fingerprint of a file; a private one's can't be compared with a known file's."""
    digest = hashlib.sha256(data).hexdigest()
    return digest if owner is None else fingerprint_words([digest], owner=owner.pk)[0]


def build_document(found: Inspection, data: bytes, file_name: str, about: About) -> Document:
    """Build the row; the adder's metadata take precedence over the file's."""
    said = found.about
    return Document(
        title=clean_line(about.get("title", "")) or said.title,
        authors=[clean_line(name) for name in about.get("authors", said.authors)],
        year=about.get("year", said.year),
        url=about.get("url", said.url),
        file_name=file_name,
        media_type=found.media_type,
        size=len(data),
        page_count=said.page_count,
        file=data,
        unread=[],
    )


def store_or_get_document(row: Document, about: About, actor: User | None) -> Document:
    """Insert the row with an audit event, or return the existing one, unless that failed."""
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
    if actor is not None:  # commands have no limit
        rate_limits.take_upload(actor)
    adder = actor or row.owner
    audit.record("document.added", actor=adder.pk if adder else None, subject=document)
    return document


def try_again(failed: Document, row: Document, about: About) -> None:
    """Reuse the failed document in place of the new row, with the new metadata."""
    failed.status, failed.failure = Document.Status.WAITING, ""
    changed = ["file_name", "media_type", "size", "page_count", "file", "parts", "unread"]
    changed += ["name_digest", *about]
    for name in changed:
        setattr(failed, name, getattr(row, name))
    failed.save(update_fields=["status", "failure", *changed])


def load_sample_library() -> list[Document]:
    """Add the sample documents to the shared library if it is empty; return the added ones."""
    if Document.objects.shared().exists():
        return []
    files = sorted(SAMPLE.glob("*.md"))
    return [add_document(path.read_bytes(), file_name=path.name) for path in files]
