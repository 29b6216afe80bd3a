"""The library as one person sees it: shared and own documents, newest first, in pages.

Titles of private documents are sealed, so a search opens SCANNED documents at a time, the newest
first. Its next page continues where it stopped.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy

from citations.index.scope import Scope
from citations.models import Document, Passage
from citations.models.documents import DocumentQuerySet as Documents, digest_text
from citations.models.passages import select_unfinished_vectors
from citations.readers.part_sentences import unread_sentence
from memory import audit
from memory.conversations.listing import get_following, make_cursor
from memory.errors import NotFound, Refusal
from memory.holds import refuse_overwriting
from memory.jobs import AuditClass, WorkClass, enqueue, register_kind
from memory.models import Job, User

SCANNED = 1000
RETITLE = register_kind("retitle", WorkClass.BULK, AuditClass.DERIVED)
# Rereading: first the file is read, then new passages are embedded and the readings exchanged.
REREAD = register_kind("reread", WorkClass.BULK, AuditClass.DERIVED)
EXCHANGE = register_kind("exchange_reading", WorkClass.BULK, AuditClass.DERIVED)
WHOSE = ("all", "mine", "library")
# Editable fields and their types: a restored package may contain anything.
DESCRIBED: dict[str, Any] = {
    "title": str, "authors": list, "year": int | None, "url": str, "csl": dict | None,
}  # fmt: skip


class NotYours(Refusal):
    """A document that the person may read but not change."""

    code = "permission_denied"
    says = gettext_lazy("Documents of the shared library are kept by the people who run it.")


@dataclass(frozen=True)
class DocumentFilter:
    """The filter of a list of documents; an empty field matches all."""

    words: str = ""
    whose: str = "all"
    status: str = ""
    media_types: Sequence[str] = field(default=())

    @property
    def is_narrowed(self) -> bool:
        return self != DocumentFilter()


@dataclass(frozen=True)
class DocumentPage:
    """Some documents, and the cursor of the next page, empty at the end."""

    documents: list[Document]
    next: str = ""


def list_documents(
    user: User, wanted: DocumentFilter, *, after: str = "", limit: int
) -> DocumentPage:
    """Return the matching documents after the cursor, with one query for each owner."""
    words = wanted.words.casefold().split()
    window = SCANNED if words else limit + 1
    rows = _list_newest(user, wanted, after, window)
    found = [row for row in rows if _has(row, words)]
    if len(found) > limit:
        last: Document | None = found[limit - 1]
    else:
        last = rows[-1] if len(rows) == window else None
    return DocumentPage(found[:limit], make_cursor(last.created_at, last.pk) if last else "")


def _list_newest(user: User, wanted: DocumentFilter, after: str, window: int) -> list[Document]:
    """Return the newest documents, merged from each owner's, which the index yields in order."""
    chosen: dict[str, list[UUID | None]] = {"mine": [user.pk], "library": [None]}
    owners = chosen.get(wanted.whose, [user.pk, None])
    rows = [
        row for owner in owners for row in _select_owner_documents(owner, wanted, after)[:window]
    ]
    return sorted(rows, key=lambda row: (row.created_at, row.pk), reverse=True)[:window]


def _select_owner_documents(owner: UUID | None, wanted: DocumentFilter, after: str) -> Documents:
    rows = Document.objects.filter(owner=owner).defer("file").order_by("-created_at", "-id")
    if wanted.status:
        rows = rows.filter(status=wanted.status)
    if wanted.media_types:
        rows = rows.filter(media_type__in=wanted.media_types)
    return get_following(rows, after, "created_at")


def _has(document: Document, words: Sequence[str]) -> bool:
    if not words:
        return True
    authors: list[str] = document.authors
    said = "\n".join([document.title, *authors, document.file_name]).casefold()
    return all(word in said for word in words)


def get_readable_document(user: User, document_id: UUID) -> Document:
    """Return a document that the person may read, without its file, or raise NotFound."""
    rows = Document.objects.readable_documents(user).defer("file")
    document = rows.filter(pk=document_id).first()
    if document is None:
        raise NotFound
    return document


def list_readable_documents(user: User, chosen: Collection[UUID]) -> list[Document]:
    """Return those of the documents that the person may read, without their files."""
    rows = Document.objects.readable_documents(user).defer("file").filter(pk__in=set(chosen))
    return list(rows.order_by("-created_at", "-id"))


def get_readable_documents(user: User, chosen: Collection[UUID]) -> dict[UUID, Document]:
    """Return the documents by id, or raise NotFound if the person may not read one of them."""
    found = {row.pk: row for row in list_readable_documents(user, chosen)}
    if len(found) < len(set(chosen)):
        raise NotFound
    return found


def list_passages(document: Document, *, after: int, limit: int) -> list[Passage]:
    """Return the passages after the position, in order."""
    rows = document.passages.filter(position__gt=after).order_by("position")
    return list(rows[:limit])


class Heading(NamedTuple):
    """A heading of a document's outline, its page, and the first passage under it."""

    level: int
    heading: str
    page: int | None
    position: int


def read_outline(document: Document) -> list[Heading]:
    """Return the valid headings of the stored outline."""
    found = []
    for entry in document.outline:
        match entry:
            case [int(level), str(heading), int() | None as page, int(position)]:
                found.append(Heading(level, heading, page, position))
    return found


def unread_sentences(document: Document) -> list[str]:
    """Return a sentence for each kind of unread part, with the reason."""
    return [*map(unread_sentence, document.unread_parts), *map(str, document.unread)]


# Maximum number of unread documents that are named.
NAMED = 20


class StillReading(NamedTuple):
    """A document that is waiting to be read, or being read."""

    id: UUID
    title: str


def unread_in_scope(scope: Scope) -> list[StillReading]:
    """Return the oldest documents in scope that are not searchable yet, with one query."""
    mine = Q(owner=None) | Q(owner=scope.owner) if scope.owner else Q(owner=None)
    rows = Document.objects.filter(mine, status=Document.Status.WAITING)
    if scope.documents is not None:
        rows = rows.filter(pk__in=scope.documents)
    found = rows.only("id", "owner", "title").order_by("created_at", "pk")[:NAMED]
    return [StillReading(row.pk, row.title) for row in found]


def find_reading_jobs(listed: Iterable[Document]) -> dict[UUID, Job]:
    """Return the reading or rereading job of each document, with at most one query."""
    listed = list(listed)
    waiting = [row.pk for row in listed if row.status == Document.Status.WAITING]
    older = [row.pk for row in listed if row.is_outdated]
    if not waiting and not older:
        return {}
    again = Q(subject__in=older, kind__in=[REREAD, EXCHANGE])
    rows = Job.objects.unfinished().filter(Q(subject__in=waiting) | again).order_by("pk")
    return {row.subject: row for row in rows}


def is_cut(document: Document, job: Job) -> bool:
    """Return whether the job has read the file and is at its passages."""
    return job.kind == EXCHANGE or (job.kind != REREAD and document.passage_count > 0)


def may_change(document: Document, user: User) -> bool:
    """Return whether the person owns the document, or may manage the shared library."""
    return document.owner_id == user.pk or (document.owner_id is None and user.keeps_library)


def undo_change(document: Document, *, actor: User) -> None:
    """Restore the values before the last change. Raises NotYours, Held and NotFound."""
    before = document.previous if isinstance(document.previous, dict) else {}
    valid = {name: before[name] for name, kind in DESCRIBED.items()
             if name in before and isinstance(before[name], kind)}  # fmt: skip
    if not valid:
        raise NotFound
    change_metadata(document, actor=actor, **valid)


def change_metadata(document: Document, *, actor: User, **about: object) -> None:
    """Change a document's title, authors, year, URL or csl. Raises NotYours and Held."""
    if not may_change(document, actor):
        raise NotYours
    if not about:
        return
    with transaction.atomic():
        # The present row: it may have been read, changed or deleted since it was loaded.
        rows = Document.objects.select_for_update().defer("file")
        current = rows.filter(pk=document.pk).first()
        if current is None:
            raise NotFound
        refuse_overwriting(current)
        retitled = about.get("title", current.title) != current.title
        document.previous = {name: getattr(current, name) for name in DESCRIBED}
        for name, value in about.items():
            setattr(document, name, value)
        document.doi_digest = digest_text(document.known_csl.get("DOI", ""), document.owner_id)
        document.save(update_fields=["previous", "doi_digest", *about])
        audit.record("document.changed", actor=actor.pk, subject=document)
        if retitled:  # vectors made so far contain the old title
            select_unfinished_vectors(current).delete()
        if retitled and current.status == Document.Status.READY:
            enqueue(RETITLE, document.pk, owner=document.owner_id)
