"""Which documents a question may be answered from: those of its turn, else of its session."""

from collections.abc import Collection, Sequence
from uuid import UUID

from django.db.models import Q, QuerySet

from citations.models import Document, SessionDocument, Source, TurnDocument
from memory import audit
from memory.errors import NotFound
from memory.models import Session, Turn, User
from memory.models.conversations import SessionQuerySet
from memory.models.rows import let_be
from memory.outages import one_transaction


@one_transaction
def scope_session(session: Session, documents: Collection[UUID]) -> None:
    """Limit the session's questions from now on to these documents; to none lifts the limit."""
    _lock(session)
    wanted = _kept(session.owner, documents)
    kept = session.limited_to.filter(document__in=wanted)
    session.limited_to.exclude(pk__in=kept.values("pk")).delete()
    missing = wanted - set(kept.values_list("document_id", flat=True))
    SessionDocument.objects.bulk_create(
        [SessionDocument(session=session, document_id=document) for document in missing]
    )
    audit.record("session.limited", actor=session.owner_id, subject=session)


@one_transaction
def join_limit(session: Session, documents: Collection[UUID]) -> None:
    """Add the documents to those that the session is limited to, if it is limited.

    Files come one by one, and together: none may take another's place.
    """
    _lock(session)
    limits = set(session.limited_to.values_list("document_id", flat=True))
    if limits:
        scope_session(session, limits.union(documents) - {None})


def _lock(session: Session) -> None:
    if not Session.objects.select_for_update().filter(pk=session.pk).exists():
        raise NotFound


def scope_turn(turn: Turn, documents: Collection[UUID]) -> None:
    """Limit this one question to these documents, whatever its session is limited to."""
    if documents:
        kept = _kept(turn.owner, documents)
        TurnDocument.objects.bulk_create(
            [TurnDocument(turn=turn, document_id=document) for document in kept]
        )


def get_scope(turn: Turn) -> frozenset[UUID] | None:
    """Return the documents that the turn is limited to, or None if it is not limited.

    Of a deleted document the limit stays: a limit to nothing finds nothing.
    """
    rows = _limits(turn)
    return frozenset(row.document_id for row in rows if row.document_id) if rows else None


def read_limits(turn: Turn) -> None:
    """Read what the turn is limited to, for everyone who asks for it by this instance."""
    let_be(turn, "limited_to", _of_turn(turn.owner_id, turn.pk))
    let_be(turn.session, "limited_to", _of_session(turn.owner_id, turn.session_id))


def _limits(turn: Turn) -> Sequence[TurnDocument | SessionDocument]:
    if "limited_to" in vars(turn).get("_prefetched_objects_cache", ()):
        return list(turn.limited_to.all()) or list(turn.session.limited_to.all())
    own = list(_of_turn(turn.owner_id, turn.pk))
    return own or list(_of_session(turn.owner_id, turn.session_id))


def _of_turn(owner: UUID, turn: UUID) -> QuerySet[TurnDocument]:
    return TurnDocument.objects.filter(turn=Turn(pk=turn, owner_id=owner))


def _of_session(owner: UUID, session: UUID) -> QuerySet[SessionDocument]:
    return SessionDocument.objects.filter(session=Session(pk=session, owner_id=owner))


def filter_same_documents(sessions: SessionQuerySet, session: Session) -> SessionQuerySet:
    """Return those of the sessions that cite what this one is limited to, or else what it cites."""
    rows = Source.objects.exclude(document=None)
    if session.limited_to.exists():
        same = rows.filter(document__in=session.limited_to.values("document"))
    else:
        same = rows.filter(document__in=rows.filter(session=session).values("document"))
    return sessions.filter(pk__in=same.values("session"))


def documents_in_reach(owner: UUID, documents: frozenset[UUID] | None) -> int:
    """Return how many documents a question of the person can be answered from, if limited so."""
    rows = Document.objects.ready().filter(Q(owner=None) | Q(owner=owner))
    return (rows if documents is None else rows.filter(pk__in=documents)).count()


def readable_documents(user: User, documents: Collection[UUID]) -> set[UUID]:
    """Return the documents, or raise NotFound unless the person may read each of them."""
    wanted = set(documents)
    rows = Document.objects.readable_documents(user).filter(pk__in=wanted)
    if wanted and rows.count() < len(wanted):
        raise NotFound
    return wanted


def _kept(user: User, documents: Collection[UUID]) -> set[UUID]:
    """Return the readable documents, which can't be deleted until the transaction ends."""
    wanted = readable_documents(user, documents)
    rows = Document.objects.filter(pk__in=wanted).order_by("pk").select_for_update(no_key=True)
    if len(rows.values_list("pk")) < len(wanted):
        raise NotFound
    return wanted
