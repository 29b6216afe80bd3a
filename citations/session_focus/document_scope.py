"""Document scope: the documents that may answer a question, set for its turn or its session."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Case, Q, QuerySet, UUIDField, Value, When
from django.db.models.functions import Coalesce

from citations.models import Document, DocumentStanding, SessionDocument, Source, TurnDocument
from memory import audit
from memory.errors import NotFound
from memory.models import Session, Turn, User
from memory.models.conversations import SessionQuerySet
from memory.outages import one_transaction

Standing = DocumentStanding.Standing
OF_TURN, OF_SESSION, PRIVATE = "turn", "session", "private"


@one_transaction
def scope_session(session: Session, documents: Collection[UUID]) -> None:
    """Limit the session's next questions to these documents; without any, lift the limit."""
    _lock(session)
    wanted = _lock_documents(session.owner, documents)
    kept = session.limited_to.filter(document__in=wanted)
    session.limited_to.exclude(pk__in=kept.values("pk")).delete()
    missing = wanted - set(kept.values_list("document_id", flat=True))
    SessionDocument.objects.bulk_create(
        [SessionDocument(session=session, document_id=document) for document in missing]
    )
    audit.record("session.limited", actor=session.owner_id, subject=session)


@one_transaction
def join_limit(session: Session, documents: Collection[UUID]) -> None:
    """Add the documents to the session's limit, if it has one.

    Uploads may run concurrently, so none may overwrite another's limit.
    """
    _lock(session)
    limits = set(session.limited_to.values_list("document_id", flat=True))
    if limits:
        scope_session(session, limits.union(documents) - {None})


def _lock(session: Session) -> None:
    if not Session.objects.select_for_update().filter(pk=session.pk).exists():
        raise NotFound


def scope_turn(turn: Turn, documents: Collection[UUID]) -> None:
    """Limit one question to these documents, regardless of its session's limit."""
    if documents:
        kept = _lock_documents(turn.owner, documents)
        TurnDocument.objects.bulk_create(
            [TurnDocument(turn=turn, document_id=document) for document in kept]
        )


@dataclass(frozen=True)
class Focus:
    """The documents that may answer a turn, and the standings in its session.

    The limit outlives a deleted document: a limit to nothing finds nothing.
    """

    documents: frozenset[UUID] | None
    standings: Mapping[UUID, str]
    # Whether the person has any document of their own.
    has_private: bool


def note_focus(turn: Turn) -> None:
    """Read the turn's focus, and cache it on the instance."""
    vars(turn)["focus"] = read_focus(turn)


def read_focus(turn: Turn) -> Focus:
    """Read the turn's focus with one statement."""
    found: dict[str, list[UUID | None]] = {}
    for kind, document in _select_focus_rows(turn):
        found.setdefault(kind, []).append(document)
    limits = found.get(OF_TURN) or found.get(OF_SESSION)
    documents = None if limits is None else frozenset(pk for pk in limits if pk)
    standings = {pk: name for name in Standing.values for pk in found.get(name, ()) if pk}
    return Focus(documents, standings, PRIVATE in found)


def get_focus(turn: Turn) -> Focus:
    """Return the turn's focus, cached or read anew."""
    noted: Focus | None = vars(turn).get("focus")
    return noted or read_focus(turn)


def get_scope(turn: Turn) -> frozenset[UUID] | None:
    """Return the documents that the turn is limited to, or None if it is not limited."""
    return get_focus(turn).documents


def _select_focus_rows(turn: Turn) -> QuerySet[Any, tuple[str, UUID | None]]:
    """Query limits, standings, and whether there are private documents."""
    of_turn = TurnDocument.objects.filter(turn=turn)
    of_session = SessionDocument.objects.filter(session=turn.session_id)
    said = DocumentStanding.objects.filter(session=turn.session_id)
    private = Document.objects.filter(owner=turn.owner_id)
    # A limit to a replaced document applies to its replacement.
    is_replaced = Q(document__status=Document.Status.REPLACED)
    newer = Coalesce("document__superseded_by", "document")
    current = Case(When(is_replaced, then=newer), default="document")
    nobody = Value(None, output_field=UUIDField())
    return of_turn.values_list(Value(OF_TURN), current).union(
        of_session.values_list(Value(OF_SESSION), current),
        said.values_list("standing", "document"),
        private.values_list(Value(PRIVATE), nobody),
    )


def filter_same_documents(sessions: SessionQuerySet, session: Session) -> SessionQuerySet:
    """Filter the sessions to those that cite the documents of this session."""
    rows = Source.objects.exclude(document=None)
    if session.limited_to.exists():
        same = rows.filter(document__in=session.limited_to.values("document"))
    else:
        same = rows.filter(document__in=rows.filter(session=session).values("document"))
    return sessions.filter(pk__in=same.values("session"))


def count_reachable_documents(owner: UUID, documents: frozenset[UUID] | None) -> int:
    """Return how many documents a question of the person may be answered from within the limit."""
    rows = Document.objects.ready().filter(Q(owner=None) | Q(owner=owner))
    return (rows if documents is None else rows.filter(pk__in=documents)).count()


def _lock_documents(user: User, documents: Collection[UUID]) -> set[UUID]:
    """Return the readable documents, locked against deletion until the transaction ends."""
    wanted = set(documents)
    rows = Document.objects.readable_documents(user).filter(pk__in=wanted).order_by("pk")
    rows = rows.select_for_update(no_key=True)
    if len(rows.values_list("pk")) < len(wanted):
        raise NotFound
    return wanted
