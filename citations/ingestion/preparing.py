"""Preparing: a file becomes passages with all that is known of them but their vectors.

It reads and cuts outside any transaction; what is written is written under the fence of a lease.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from citations import index
from citations.index.full_text import in_full
from citations.ingestion.chunking import Piece, chunked
from citations.ingestion.pacing import Pace
from citations.ingestion.profiling import DocumentProfile, profile_of
from citations.library import RETITLE
from citations.models import Document, Passage, PassageVectors
from citations.readers import FileReading, file_failures, read_file, title_from
from memory.jobs import Lease, WorkClass, enqueue, kind_of_work
from memory.text.embedding import Vectors
from memory.text.token_counting import count_tokens

# Between two batches the lease is renewed: a batch must take seconds, not a minute.
BATCH = 64
# What answers registers these: the units of a document that can be found are embedded, and its
# questions are tried.
EMBED_UNITS = kind_of_work("embed_units", WorkClass.BULK)
# Documents that wait to be found go before units of others.
AFTER_OTHERS = timedelta(seconds=5)
CHECK_QUESTIONS = kind_of_work("check_questions", WorkClass.BULK)


@dataclass(frozen=True)
class Cut:
    """A document's passages, their words and vectors, its profile, and what could not be read."""

    passages: list[Passage]
    words: index.Counted
    unread: list[str]
    # Under which the texts were made that were embedded and counted; empty: whatever it is.
    title: str = ""
    profile: DocumentProfile = field(default_factory=DocumentProfile)
    # None without an engine.
    vectors: Vectors | None = None
    model: str = ""


def mark_failed(document_id: UUID, code: str = "gave_up") -> None:
    """Mark the document as failed and let go of its file; the code says why."""
    waiting = Document.objects.filter(pk=document_id, status=Document.Status.WAITING)
    failed = {"status": Document.Status.FAILED, "failure": code, "file": None, "passage_count": 0}
    if waiting.update(**failed):  # what slices have brought so far goes
        PassageVectors.objects.filter(document=document_id).delete()
        Passage.objects.filter(document=document_id).delete()


def prepared(document: Document, lease: Lease) -> Cut:
    """Read and cut a document, renewing the lease all the while; the vectors are left to make.

    The job's progress is in pages while the file is read, and in passages behind that, when the
    document says how many it has.
    """
    pace = Pace(document, lease)
    Document.objects.filter(pk=document.pk).update(passage_count=0)
    reading = read_file(document.file or b"", document.media_type, pace.hold)
    title = better_title(document, reading)
    pieces = []
    for piece in chunked(reading.sections, title=title):
        pieces.append(piece)
        if len(pieces) % BATCH == 0:
            pace.hold()
    passages = [passage_of(document, at, piece) for at, piece in enumerate(pieces)]
    texts = [in_full(title, piece.heading, piece.text) for piece in pieces]
    Document.objects.filter(pk=document.pk).update(passage_count=len(passages))
    return Cut(
        passages,
        words_of(document, texts, lease),
        unread=[file_failures.sentence(note) for note in reading.unread],
        title=title,
        profile=profile_of(title, reading, pieces),
    )


def words_of(document: Document, texts: Sequence[str], lease: Lease) -> index.Counted:
    """Count the words of the passages' texts, renewing the lease."""
    terms: list[list[str]] = []
    for start in range(0, len(texts), BATCH):
        lease.pulse(progress=0, total=len(texts))
        terms += map(index.index_terms, texts[start : start + BATCH])
    return index.counted(document, terms)


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
    if (current := still_waiting(document)) is None:
        return
    passages = write_cut(current, document, prepared)
    make_findable(current, passages, prepared)


def still_waiting(document: Document) -> Document | None:
    """Lock the document and return it as it is now, unless it was deleted or done meanwhile."""
    waiting = Document.objects.filter(pk=document.pk, status=Document.Status.WAITING)
    return waiting.select_for_update().defer("file").first()


def write_cut(current: Document, document: Document, prepared: Cut) -> list[Passage]:
    """Write the passages and the profile; the document goes on waiting."""
    current.unread, current.passage_count = prepared.unread, len(prepared.passages)
    is_retitled = current.title != document.title  # by someone, while the document was read
    profiled = write_profile(current, prepared, keeps_title=is_retitled)
    current.save(update_fields=["unread", "passage_count", *profiled])
    return write_passages(prepared.passages)


def make_findable(current: Document, passages: Sequence[Passage], prepared: Cut) -> None:
    """Put the passages into the index, and let the document be ready.

    If it has been renamed since its texts were made, it is indexed once more.
    """
    ready = bool(passages)
    current.status = Document.Status.READY if ready else Document.Status.FAILED
    current.failure, current.file = "" if ready else "empty", None
    current.save(update_fields=["status", "failure", "file"])
    index.add(current, passages, prepared.words)
    if prepared.vectors is not None:
        index.add_vectors(current, passages, prepared.vectors, model=prepared.model)
        enqueue(EMBED_UNITS, current.pk, owner=current.owner_id, delay=AFTER_OTHERS)
    if ready and prepared.title not in ("", current.title):
        enqueue(RETITLE, current.pk, owner=current.owner_id)
    if ready and current.questions:
        enqueue(CHECK_QUESTIONS, current.pk, owner=current.owner_id)


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
