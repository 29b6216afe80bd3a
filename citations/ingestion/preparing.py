"""Preparing: makes the passages of a file with everything but their vectors.

Reading and cutting happen outside any transaction; the result is written under a lease's fence.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction

from citations import index
from citations.formats.parts import Part, unpack_parts
from citations.formats.reading import READING_VERSION
from citations.index.full_text import add_headings
from citations.index.ranking import index_terms
from citations.ingestion.chunking import Piece, chunk_sections
from citations.ingestion.originals import bring_original
from citations.ingestion.pacing import Pace
from citations.ingestion.profiling import DocumentProfile, ProfiledHeading, profile_document
from citations.ingestion.unit_embedding import EMBED_UNITS
from citations.library import RETITLE
from citations.models import Document, Passage, PassageVectors
from citations.models.documents import digest_text
from citations.readers import make_title, read_file
from citations.sources.versions import settle_replacement
from memory.jobs import AuditClass, Lease, WorkClass, enqueue, register_kind
from memory.text.embedding import Vectors
from memory.text.token_counting import count_tokens

# Passages between two renewals of the lease: a batch must take seconds, not a minute.
BATCH = 64
# Waiting documents go before other documents' units.
AFTER_OTHERS = timedelta(seconds=2)
# Registered by the answers: they try the suggested questions of searchable documents.
CHECK_QUESTIONS = register_kind("check_questions", WorkClass.BULK, AuditClass.DERIVED)


@dataclass(frozen=True)
class NewReading:
    """The reading of a file in the pieces that become passages; nothing is stored yet."""

    title: str
    pieces: list[Piece]
    profile: DocumentProfile
    parts: list[Part]

    def packed(self) -> dict[str, Any]:
        """Return the reading in a form for JSON."""
        return asdict(self) | {"version": READING_VERSION}


def unpack_new_reading(packed: dict[str, Any]) -> NewReading | None:
    """Return the packed reading, unless another version made it."""
    if packed.get("version") != READING_VERSION:
        return None
    outline = [ProfiledHeading(**entry) for entry in packed["profile"]["outline"]]
    return NewReading(
        title=packed["title"],
        pieces=[Piece(**piece) for piece in packed["pieces"]],
        profile=DocumentProfile(**packed["profile"] | {"outline": outline}),
        parts=unpack_parts(packed["parts"]),
    )


@dataclass(frozen=True)
class Cut:
    """A document's passages, their words and vectors, its profile, and its parts."""

    passages: list[Passage]
    parts: list[Part]
    # The title in the embedded and counted texts; empty for any title.
    title: str = ""
    profile: DocumentProfile = field(default_factory=DocumentProfile)
    # None without an engine.
    vectors: Vectors | None = None
    model: str = ""
    # None until the vectors are complete.
    words: index.Counted | None = None


def mark_failed(document_id: UUID, code: str = "gave_up") -> None:
    """Mark the document as failed, with a code, and delete its file."""
    waiting = Document.objects.filter(pk=document_id, status=Document.Status.WAITING)
    failed = {"status": Document.Status.FAILED, "failure": code, "file": None, "passage_count": 0}
    if waiting.update(**failed):  # delete the results of earlier slices
        PassageVectors.objects.filter(document=document_id).delete()
        Passage.objects.filter(document=document_id).delete()


def prepare_document(document: Document, lease: Lease) -> Cut:
    """Read and cut a document, renewing the lease meanwhile.

    Its vectors and word counts come later. The job's progress is in pages or characters while the
    file is read, and in passages once the document's number of passages is set.
    """
    rows = Document.objects.filter(pk=document.pk)
    rows.update(passage_count=0)
    reading = read_and_cut_file(document, document.file or b"", lease)
    with transaction.atomic():  # progress in pages must not be taken for passages
        rows.update(passage_count=len(reading.pieces))
        lease.pulse(total=len(reading.pieces))
    return make_cut(document, reading, title=reading.title)


def read_and_cut_file(document: Document, file: bytes, lease: Lease) -> NewReading:
    """Read the document's file and cut it, renewing the lease. Raises Unreadable."""
    pace = Pace(document, lease)
    reading = read_file(file, document.media_type, pace.hold)
    # Prefer the title in the text to one made of the file's name.
    is_better = has_no_title(document) and reading.title
    title = reading.title if is_better else document.title
    pieces = []
    for piece in chunk_sections(reading.sections, title=title):
        pieces.append(piece)
        if len(pieces) % BATCH == 0:
            pace.hold()
    return NewReading(
        title,
        pieces,
        profile=profile_document(title, reading, pieces),
        parts=reading.parts,
    )


def make_cut(document: Document, reading: NewReading, *, title: str) -> Cut:
    """Make the passages of the reading, under the title."""
    passages = [make_passage(document, at, piece) for at, piece in enumerate(reading.pieces)]
    return Cut(passages, reading.parts, title=title, profile=reading.profile)


def count_words(document: Document, cut: Cut, lease: Lease) -> Cut:
    """Count the words of the passages, after their vectors, renewing the lease."""
    terms: list[list[str]] = []
    total = len(cut.passages)
    for start in range(0, total, BATCH):
        lease.pulse(progress=start if cut.vectors is None else total, total=total)
        some = cut.passages[start : start + BATCH]
        terms += [index_terms(add_headings(cut.title, row.heading, row.text)) for row in some]
    return replace(cut, words=index.count_terms(document, terms))


def has_no_title(document: Document) -> bool:
    """Return whether its title is made of its file's name."""
    return bool(document.title == make_title(document.file_name))


def make_passage(document: Document, position: int, piece: Piece) -> Passage:
    """Build the row; `seal_passages` completes it before it is written."""
    return Passage(
        document=document,
        owner_id=document.owner_id,
        position=position,
        page=piece.page,
        heading=piece.heading,
        text=piece.text,
        layout=piece.layout,
    )


def seal_passages(passages: Iterable[Passage]) -> None:
    """Count tokens and seal fields in advance: the transaction that writes them must be short."""
    for row in passages:
        row.tokens = count_tokens(row.text)
        row.heading, row.text, row.layout = seal_fields(row, row)


def seal_fields(row: Passage, said: Passage) -> list[Any]:
    """Return the heading, text and layout of `said`, sealed for the row and its position."""
    fields: list[Any] = [Passage._meta.get_field(name) for name in ("heading", "text", "layout")]
    return [field.seal_value(row, getattr(said, field.name)) for field in fields]


def write_prepared(document: Document, prepared: Cut) -> None:
    """Write the passages and their derived data; the caller has opened the transaction."""
    if (current := lock_waiting_document(document)) is None:
        return
    passages = write_cut(current, document, prepared)
    make_findable(current, passages, prepared)


def lock_waiting_document(document: Document) -> Document | None:
    """Lock and return the current document, unless it was deleted or finished meanwhile."""
    waiting = Document.objects.filter(pk=document.pk, status=Document.Status.WAITING)
    return waiting.select_for_update().defer("file").first()


def write_cut(current: Document, document: Document, prepared: Cut) -> list[Passage]:
    """Write the passages and the profile; the document stays waiting."""
    current.parts, current.unread = prepared.parts, []
    current.passage_count = len(prepared.passages)
    is_retitled = current.title != document.title  # by a person, while the document was read
    profiled = write_profile(current, prepared, keeps_title=is_retitled)
    current.save(update_fields=["parts", "unread", "passage_count", *profiled])
    return write_passages(prepared.passages)


def make_findable(current: Document, passages: Sequence[Passage], prepared: Cut) -> None:
    """Put the passages into the index, and mark the document as ready.

    If it was renamed since its texts were made, it is indexed again.
    """
    ready = bool(passages)
    if ready and current.file is not None:
        bring_original(current, current.file)
    current.status = Document.Status.READY if ready else Document.Status.FAILED
    current.failure, current.file = "" if ready else "empty", None
    current.reading = READING_VERSION
    current.save(update_fields=["status", "failure", "file", "reading"])
    index.add(current, passages, prepared.words)
    if prepared.vectors is not None:
        index.add_vectors(current, passages, prepared.vectors, model=prepared.model)
        enqueue(EMBED_UNITS, current.pk, owner=current.owner_id, delay=AFTER_OTHERS)
    if ready:
        settle_replacement(current)
        ask_for_the_rest(current, prepared.title)


def ask_for_the_rest(document: Document, title: str) -> None:
    """Request the jobs of a searchable document, given the title that its texts were made under."""
    if title not in ("", document.title):
        enqueue(RETITLE, document.pk, owner=document.owner_id)
    if document.questions:
        enqueue(CHECK_QUESTIONS, document.pk, owner=document.owner_id)


def write_profile(document: Document, prepared: Cut, *, keeps_title: bool) -> list[str]:
    """Set the document's profile, without overwriting known metadata. Return the fields' names."""
    profile = prepared.profile
    document.language, document.date = profile.language, profile.date
    document.outline = [entry.packed() for entry in profile.outline]
    document.about, document.questions = profile.about, profile.questions
    document.authors = document.authors or profile.authors
    if csl := profile.csl | document.known_csl:  # metadata from a person take precedence
        document.csl = csl
        document.doi_digest = digest_text(csl.get("DOI", ""), document.owner_id)
    document.year = document.year or (int(profile.date[:4]) if profile.date else None)
    if not keeps_title:
        document.title = prepared.title or document.title
    return "language date outline about questions csl doi_digest authors year title".split()


def write_passages(passages: Sequence[Passage]) -> list[Passage]:
    return Passage.objects.bulk_create(passages, batch_size=500)
