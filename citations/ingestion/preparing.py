"""Ingestion: the job that makes a document's passages.

It reads, cuts and embeds outside any transaction, then writes passages, vectors and index in one,
under the fence of its lease: killed anywhere, it leaves nothing, and is done again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

import numpy as np

from citations import index
from citations.index.full_text import in_full
from citations.ingestion.chunking import Piece, chunked
from citations.ingestion.pacing import Pace
from citations.ingestion.profiling import DocumentProfile, profile_of
from citations.library import RETITLE
from citations.models import Document, Passage
from citations.readers import FileReading, Unreadable, file_failures, read_file, title_from
from memory.jobs import MAX_FAILURES, Lease, enqueue
from memory.models import Job
from memory.text.embedding import EmbeddingError, Vectors, embedder
from memory.text.token_counting import count_tokens

# Between two batches the lease is renewed: a batch must take seconds, not a minute.
BATCH = 64


@dataclass(frozen=True)
class Cut:
    """A document's passages, their words and vectors, its profile, and what could not be read."""

    passages: list[Passage]
    words: index.Counted
    unread: list[str]
    title: str = ""
    profile: DocumentProfile = field(default_factory=DocumentProfile)
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
        prepared = Preparing(document, lease).done()
    except (EmbeddingError, Unreadable) as error:
        if isinstance(error, EmbeddingError) and not is_last_try(lease):
            raise
        with lease.finishing():
            mark_failed(lease.subject, error.code)
        return
    with lease.finishing():
        write_prepared(document, prepared)


def is_last_try(lease: Lease) -> bool:
    return Job.objects.filter(pk=lease.job_id, failures__gte=MAX_FAILURES - 1).exists()


def mark_failed(document_id: UUID, code: str = "gave_up") -> None:
    """Mark the document as failed and let go of its file; the code says why."""
    waiting = Document.objects.filter(pk=document_id, status=Document.Status.WAITING)
    waiting.update(status=Document.Status.FAILED, failure=code, file=None, passage_count=0)


class Preparing:
    """Reads, cuts and embeds a document, renewing the lease all the while.

    The job's progress is in pages while the file is read, and in passages behind that, when the
    document says how many it has. A long document gives way to small ones between two batches.
    """

    def __init__(self, document: Document, lease: Lease) -> None:
        self._document = document
        self._turn = Pace(document, lease)

    def done(self) -> Cut:
        document = self._document
        Document.objects.filter(pk=document.pk).update(passage_count=0)
        self._turn.give_way()
        reading = read_file(document.file or b"", document.media_type, self._turn.hold)
        title = better_title(document, reading)
        pieces = []
        for piece in chunked(reading.sections, title=title):
            pieces.append(piece)
            if len(pieces) % BATCH == 0:
                self._turn.hold()
        profile = profile_of(title, reading, pieces)
        passages = [passage_of(document, at, piece) for at, piece in enumerate(pieces)]
        Document.objects.filter(pk=document.pk).update(passage_count=len(passages))
        texts = [in_full(title, piece.heading, piece.text) for piece in pieces]
        terms: list[list[str]] = []
        for start in range(0, len(texts), BATCH):
            self._turn.hold(0, len(texts))
            terms += map(index.index_terms, texts[start : start + BATCH])
        return self._embedded(
            texts,
            Cut(
                passages,
                index.counted(document, terms),
                unread=[file_failures.sentence(note) for note in reading.unread],
                title=title,
                profile=profile,
            ),
        )

    def _embedded(self, texts: Sequence[str], prepared: Cut) -> Cut:
        engine = embedder()
        if engine is None or not texts:
            return prepared
        vectors = []
        for start in range(0, len(texts), BATCH):
            self._turn.hold(start, len(texts))
            self._turn.give_way()
            vectors.append(engine.embed(list(texts[start : start + BATCH])))
        return replace(prepared, vectors=np.concatenate(vectors), model=engine.model)


def better_title(document: Document, reading: FileReading) -> str:
    """Return the title that the text shows, where the document has but its file's name."""
    is_made_up = document.title == title_from(document.file_name)
    return reading.title if is_made_up and reading.title else document.title


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


def write_prepared(document: Document, prepared: Cut) -> None:
    """Write the passages and all that is made of them; the caller has opened the transaction."""
    waiting = Document.objects.filter(pk=document.pk, status=Document.Status.WAITING)
    current = waiting.select_for_update().defer("file").first()
    if current is None:  # it was deleted meanwhile
        return
    ready = bool(prepared.passages)
    is_retitled = current.title != document.title  # by someone, while the document was read
    current.status = Document.Status.READY if ready else Document.Status.FAILED
    current.failure = "" if ready else "empty"
    current.passage_count, current.unread = len(prepared.passages), prepared.unread
    current.file = None
    profiled = write_profile(current, prepared, keeps_title=is_retitled)
    current.save(update_fields=["status", "failure", "passage_count", "unread", "file", *profiled])
    passages = write_passages(prepared.passages)
    index.add(document, passages, prepared.words)
    if prepared.vectors is not None:
        index.add_vectors(document, passages, prepared.vectors, model=prepared.model)
    if ready and is_retitled:
        enqueue(RETITLE, document.pk, owner=document.owner_id)


def write_profile(document: Document, prepared: Cut, *, keeps_title: bool) -> list[str]:
    """Set the document's profile; what is known of it already stays. Return the fields' names."""
    profile = prepared.profile
    document.language, document.date = profile.language, profile.date
    document.outline = [entry.packed() for entry in profile.outline]
    document.about, document.questions = profile.about, profile.questions
    document.authors = document.authors or profile.authors
    document.year = document.year or (int(profile.date[:4]) if profile.date else None)
    if not keeps_title:
        document.title = prepared.title or document.title
    return "language date outline about questions authors year title".split()


def write_passages(passages: Sequence[Passage]) -> list[Passage]:
    return Passage.objects.bulk_create(passages, batch_size=500)
