"""Documents and their passages in the API."""

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

from chat.shapes.resources.vocabulary import Failure, Id, Time, shape
from citations import library
from citations.formats.blocks import BlockKind
from citations.formats.parts import PartKind
from citations.models import Document, Passage
from citations.readers import file_failures
from citations.sources.differences import VersionDifference
from citations.sources.items import build_csl_item
from memory.models import Job


class OutlineEntry(TypedDict):
    level: Annotated[int, "From 0."]
    heading: str
    page: int | None
    position: Annotated[int, "Of the first passage under it."]


class DocumentPart(TypedDict):
    kind: Annotated[str, PartKind]
    number: Annotated[int, "How many of the kind."]
    reason: Annotated[str | None, "Why they were not read; null: they were."]
    pages: Annotated[list[int], "Where they are, from 1, if known."]


class ReadingProgress(TypedDict):
    unit: Annotated[str, ("pages", "passages", "characters")]
    done: int
    total: int


class OlderVersion(TypedDict):
    document_id: Id
    title: str


class DocumentAnswer(TypedDict):
    document_id: Id
    title: str
    authors: list[str]
    year: int | None
    url: str | None
    language: Annotated[str | None, "As its code: en, es …; null if it can't be told."]
    date: Annotated[str | None, "Of the work, as YYYY, YYYY-MM or YYYY-MM-DD."]
    about: Annotated[str | None, "What it is about, in its own words."]
    outline: Annotated[list[OutlineEntry], "Its headings, at most 100."]
    questions: Annotated[list[str], "Up to three questions that it answers, in its language."]
    csl: Annotated[dict[str, Any], "Its source as a CSL-JSON item, for a bibliography."]
    file_name: Annotated[str, "Empty if it came as text."]
    media_type: str
    size: Annotated[int, "Of the file, in bytes."]
    pages: Annotated[int | None, "Null if the file has none, or isn't read yet."]
    status: Annotated[str, Document.Status]
    progress: Annotated[ReadingProgress | None, "How far the reading is, while it is."]
    failure: Annotated[Failure | None, "Why it could not be read."]
    parts: Annotated[list[DocumentPart], "What the file has, read or not."]
    unread: Annotated[list[str], "What of it was not read, in sentences."]
    passage_count: int
    outdated: Annotated[
        bool, "Whether an older version has read it: it can be read again, if its file is kept."
    ]
    passages_changed: Annotated[int | None, "When it was last read again; null: it never was."]
    rereading_failure: Annotated[
        Failure | None, "Why it could not be read again; the reading before stays."
    ]
    supersedes: Annotated[Id | None, "The older version in whose place this one answers."]
    older_versions: Annotated[
        list[OlderVersion],
        "Of one document: others of the same file name or DOI, which answer as well. Set "
        "`supersedes` if it replaces one of them.",
    ]
    shared: Annotated[bool, "Whether everyone may read it; else you alone."]
    created_at: Time


def document_shape(
    document: Document, job: Job | None = None, *, versions: Sequence[Document] = ()
) -> DocumentAnswer:
    """Return a document for the API; the job is the current work on it."""
    return shape(
        DocumentAnswer,
        document,
        document_id=str(document.pk),
        csl=build_csl_item(document),
        outline=[shape(OutlineEntry, entry) for entry in library.read_outline(document)],
        questions=[str(question) for question in document.questions],
        pages=document.page_count,
        parts=[shape(DocumentPart, part) for part in document.known_parts],
        unread=library.unread_sentences(document),
        progress=progress_shape(document, job),
        failure=failure_shape(document.failure),
        outdated=document.is_outdated,
        rereading_failure=failure_shape(document.rereading_failure),
        supersedes=str(document.supersedes_id) if document.supersedes_id else None,
        older_versions=[{"document_id": str(row.pk), "title": row.title} for row in versions],
        shared=document.owner_id is None,
    )


def failure_shape(code: str) -> Failure | None:
    """Return a failure with its message, or None."""
    return {"code": code, "message": file_failures.get_failure_sentence(code)} if code else None


def progress_shape(document: Document, job: Job | None) -> ReadingProgress | None:
    """Return the progress of reading in the units of this step; None if unknown."""
    if job is None or not job.total:
        return None
    read = "pages" if document.page_count else "characters"
    unit = "passages" if library.is_cut(document, job) else read
    return {"unit": unit, "done": min(job.progress, job.total), "total": job.total}


class LayoutSpan(TypedDict):
    start: Annotated[int, "In characters of the text."]
    end: int
    kind: Annotated[str, tuple(kind.value for kind in BlockKind)]


class PassageAnswer(TypedDict):
    passage_id: int
    position: int
    page: int | None
    heading: str
    text: str
    layout: Annotated[list[LayoutSpan], "The parts of the text, in order; empty if not known."]
    tokens: int


def passage_shape(passage: Passage) -> PassageAnswer:
    """Return a passage with the spans of its parts."""
    layout = [shape(LayoutSpan, span) for span in passage.spans]
    return shape(PassageAnswer, passage, passage_id=passage.pk, layout=layout)


class ChangedPassage(TypedDict):
    before: PassageAnswer
    after: PassageAnswer


class ChangesAnswer(TypedDict):
    document_id: Id
    supersedes: Id
    added: list[PassageAnswer]
    changed: list[ChangedPassage]
    gone: list[PassageAnswer]
    cut: Annotated[bool, "Whether only the first thousand passages were compared."]


def changes_shape(document: Document, found: VersionDifference) -> ChangesAnswer:
    """Return the differences of a document from the version that it replaces."""
    return {
        "document_id": str(document.pk),
        "supersedes": str(document.supersedes_id),
        "added": [passage_shape(row) for row in found.added],
        "changed": [
            {"before": passage_shape(before), "after": passage_shape(after)}
            for before, after in found.changed
        ],
        "gone": [passage_shape(row) for row in found.gone],
        "cut": found.is_cut,
    }
