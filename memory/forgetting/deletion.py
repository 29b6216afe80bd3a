"""Deletion of a conversation or a turn, by page, API, command or admin.

A legal hold refuses and defers it (memory.holds). Deletions are noted in the ledger, so that no
backup brings the rows back. Expired rows are purged by memory.forgetting.retention.purging; people
are erased by memory.forgetting.erasure.requests.
"""

from collections.abc import Callable
from uuid import UUID

from django.db.models import QuerySet

from memory.errors import NotFound
from memory.forgetting.answers import delete_derived_answers, has_derived_answers
from memory.forgetting.erasure.lineage import delete_session, delete_turn, delete_unnoted
from memory.holds import is_held, keeping_wish, refuse_held
from memory.models import Session, Turn, User
from memory.models.conversations import SessionQuerySet
from memory.outages import one_transaction
from memory.postponed import carries_out

SESSION, TURN = "session", "turn"


def erase_session(session: Session, *, actor: User) -> None:
    """Erase the actor's conversation with everything made from it, or raise Held.

    An open answer finds its attempt deleted.
    """
    with keeping_wish(session, SESSION, actor=actor.pk):
        _erase_session(session.pk, actor.pk, Session.objects.owned(actor))


def erase_turn(turn: Turn, *, actor: User) -> None:
    """Erase one question of the actor's with its answer and their derivatives, or raise Held."""
    with keeping_wish(turn, TURN, actor=actor.pk):
        _erase_turn(turn.pk, actor.pk, Session.objects.owned(actor))


@one_transaction
def erase_if_without_turns(session: Session, *, actor: User) -> None:
    """Erase a conversation that was begun for a refused question, if it has no turn.

    With an id chosen by the client, it may hold another request's question. If its owner is under a
    hold, it stays and expires, so that the client gets the original refusal.
    """
    mine = Session.objects.owned(actor).select_for_update().filter(pk=session.pk)
    current = mine.first()
    if current and not current.turns.exists() and not is_held(current):
        # Without questions nothing is erased: the client may use its id again.
        drop = delete_session if current.last_position else delete_unnoted
        drop(current, actor=actor.pk)


@carries_out(SESSION)
def erase_session_later(session_id: UUID, actor: UUID | None) -> None:
    """Carry out a deferred deletion; raises Held and NotFound."""
    _erase_session(session_id, actor, Session.objects.all())


@carries_out(TURN)
def erase_turn_later(turn_id: UUID, actor: UUID | None) -> None:
    """Carry out a deferred deletion; raises Held and NotFound."""
    _erase_turn(turn_id, actor, Session.objects.all())


def _erase_session(session_id: UUID, actor: UUID | None, sessions: SessionQuerySet) -> None:
    turns = Turn.objects.filter(session_id=session_id)
    rows = sessions.filter(pk=session_id)
    _erase(rows, turns, lambda session: delete_session(session, actor=actor))


def _erase_turn(turn_id: UUID, actor: UUID | None, sessions: SessionQuerySet) -> None:
    turns = Turn.objects.filter(pk=turn_id)

    def delete(session: Session) -> None:
        turn = turns.filter(session=session).first()
        if turn is None:
            raise NotFound
        delete_turn(session, turn, actor=actor)

    _erase(sessions.filter(turns=turn_id), turns, delete)


def _erase(
    sessions: SessionQuerySet, turns: "QuerySet[Turn]", delete: Callable[[Session], None]
) -> None:
    """Delete the answers derived from the turns, then the rows; raises Held and NotFound."""
    is_deleted = False
    while not is_deleted:  # an answer may be recorded in between
        _refuse_missing_or_held(sessions.first())
        delete_derived_answers(turns)
        is_deleted = _delete_unless_told(sessions, turns, delete)


@one_transaction
def _delete_unless_told(
    sessions: SessionQuerySet, turns: "QuerySet[Turn]", delete: Callable[[Session], None]
) -> bool:
    session = _refuse_missing_or_held(sessions.select_for_update(of=("self",)).first())
    if has_derived_answers(turns):
        return False
    delete(session)
    return True


def _refuse_missing_or_held(session: Session | None) -> Session:
    if session is None:
        raise NotFound
    refuse_held(session)
    return session
