"""Active documents: the documents and sections that a session's last answers cite.

They are computed from the citations on each read, so there is no state to update. A withdrawn
answer or a deleted document drops out at once. Only the person's own choices are rows: to prefer a
document, to hold it back, or to require it among the passages.
"""

from collections import defaultdict
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from citations.models import Citation, Document, DocumentStanding
from memory import audit
from memory.errors import NotFound
from memory.models import Session, Turn
from memory.outages import one_transaction
from memory.recall.naming import Place
from memory.recall.topics import select_topic

# Turns after their last citation in which documents stay active.
WINDOW = 16
SECTIONS = 12
Standing = DocumentStanding.Standing


@dataclass(frozen=True)
class Use:
    """A passage that an answer cites."""

    position: int  # of the turn
    document: UUID
    passage: int | None
    place: int | None  # of the passage in its document


@dataclass(frozen=True)
class ActiveDocument:
    """A document that the session's answers cite, or that has a standing."""

    document: Document
    # The last turn that cites it, and the number of turns that do; 0 if none counts any more.
    position: int
    turns: int
    standing: str


@dataclass(frozen=True)
class ActiveSection:
    """A section of a document that answers cite."""

    document: Document
    heading: str
    position: int


def list_uses(session: Session, before: int, since: int | None = None) -> list[Use]:
    """Return the citations of the answers before the position, since the topic changed.

    `since` is the position at which the topic began, if it is known.
    """
    rows = _select_citations(session, before, since).filter(source__document__isnull=False)
    place = ("turn__position", "source__document", "passage", "passage__position")
    return [Use(*values) for values in rows.values_list(*place)]


def read_session_standings(session: Session) -> dict[UUID, str]:
    """Return the standings that the person gave to documents of the session."""
    rows = DocumentStanding.objects.filter(session=session)
    return dict(rows.values_list("document", "standing"))


def list_active_documents(session: Session) -> list[ActiveDocument]:
    """Return the session's documents, those with a standing first."""
    listed = _list_documents(session, None)
    return sorted(listed, key=lambda row: (not row.standing, -row.position, row.document.pk))


def get_active_document(session: Session, document_id: UUID) -> ActiveDocument:
    """Return the state of one document in the session, active or not. Raises NotFound."""
    listed = _list_documents(session, document_id)
    if not listed:
        raise NotFound
    return listed[0]


def _list_documents(session: Session, only: UUID | None) -> list[ActiveDocument]:
    said, turns = read_session_standings(session), defaultdict[UUID, set[int]](set)
    for use in list_uses(session, session.last_position + 1):
        turns[use.document].add(use.position)
    wanted = {only} if only else {*said, *turns}
    rows = Document.objects.readable_documents(session.owner).defer("file").in_bulk(wanted)
    return [
        ActiveDocument(document, max(turns[pk], default=0), len(turns[pk]), said.get(pk, ""))
        for pk, document in rows.items()
    ]


def list_active_sections(session: Session) -> list[ActiveSection]:
    """Return the sections that the session's answers cite, the latest first, with one query."""
    rows = _select_citations(session, session.last_position + 1).filter(passage__isnull=False)
    found: dict[tuple[UUID, str], ActiveSection] = {}
    for row in rows.select_related("turn", "passage__document").order_by("-turn__position"):
        if row.passage and row.passage.heading:
            document, heading = row.passage.document, row.passage.heading
            section = ActiveSection(document, heading, row.turn.position)
            found.setdefault((document.pk, heading), section)
    return list(found.values())[:SECTIONS]


def list_places(turn: Turn) -> list[Place]:
    """Return the documents and headings that the turn's citations point to."""
    rows = turn.citations.filter(passage__isnull=False).select_related("passage__document")
    passages = [row.passage for row in rows if row.passage]
    return [Place(passage.document.title, passage.heading) for passage in passages]


@one_transaction
def set_standing(session: Session, document_id: UUID, standing: str) -> None:
    """Set a document's standing in the session; an empty one removes it.

    Raises NotFound unless the person may read it.
    """
    if not Session.objects.select_for_update().filter(pk=session.pk).exists():
        raise NotFound
    # Locked, so that it can't be deleted before this is stored.
    mine = Document.objects.readable_documents(session.owner).filter(pk=document_id)
    if not mine.select_for_update(no_key=True).values_list("pk"):
        raise NotFound
    rows = DocumentStanding.objects.filter(session=session, document=document_id)
    if standing:
        rows.update_or_create(
            session=session,
            document_id=document_id,
            defaults={"standing": standing, "owner_id": session.owner_id},
        )
    else:
        rows.delete()
    audit.record("document.stands", actor=session.owner_id, subject=session)


def _select_citations(
    session: Session, before: int, since: int | None = None
) -> QuerySet[Citation]:
    """Return the citations of the answers before the position that still count."""
    begun = Coalesce(select_topic(session, before), 0) if since is None else since
    return Citation.objects.filter(
        turn__session=session,
        turn__position__range=(before - WINDOW, before - 1),
        turn__position__gte=begun,
    ).order_by()
