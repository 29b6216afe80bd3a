"""The one door of deletion: by page, API, command or admin, whatever is deleted is deleted here.

A legal hold refuses each of them, and keeps the wish (memory.holds). What is deleted is noted in
the ledger, so that no backup brings it back. The purge of what has expired, which nobody asked for
and nothing has to prove, is memory.forgetting.retention.purging; people who are erased as a whole
are memory.forgetting.erasure.requests.
"""

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.db.models import F

from memory import audit
from memory.errors import NotFound
from memory.forgetting.erasure.lineage import (
    delete_derived,
    delete_jobs,
    delete_made_of_answer,
    delete_session,
    delete_turn,
    delete_unnoted,
)
from memory.holds import held, refuse_held, unless_held
from memory.models import Session, Turn, User
from memory.models.conversations import SessionQuerySet
from memory.models.turns import WITHDRAWN
from memory.personal_data.packages import delete_unfetched
from memory.postponed import carries_out

SESSION, TURN = "session", "turn"


def erase_session(session: Session, *, actor: User) -> None:
    """Erase the actor's conversation with everything that was made from it, or raise Held.

    An answer that is being written finds its attempt gone.
    """
    with unless_held(session, SESSION, actor=actor.pk):
        mine = Session.objects.owned_by(actor).select_for_update().filter(pk=session.pk)
        if not mine.exists():
            raise NotFound
        refuse_held(session)
        delete_session(session, actor=actor.pk)


def erase_turn(turn: Turn, *, actor: User) -> None:
    """Erase one question of the actor's with its answer and all made from them, or raise Held."""
    with unless_held(turn, TURN, actor=actor.pk):
        _erase_turn(turn.pk, actor.pk, Session.objects.owned_by(actor))


def erase_if_without_turns(session: Session, *, actor: User) -> None:
    """Erase a conversation that was begun for a question which was refused, if it has no turn.

    Under an id of a client's choosing another request's question may have come into it. One whose
    owner is held stays and expires: whoever asks is to hear why the question was refused.
    """
    with transaction.atomic():
        mine = Session.objects.owned_by(actor).select_for_update().filter(pk=session.pk)
        current = mine.first()
        if current and not current.turns.exists() and not held(current):
            # Where nothing was ever asked nothing is erased: the client may use its id again.
            drop = delete_session if current.last_position else delete_unnoted
            drop(current, actor=actor.pk)


@carries_out(SESSION)
def erase_session_later(session_id: UUID, actor: UUID | None) -> None:
    """Erase what was wished before, whoever is asking now; raises Held and NotFound."""
    with transaction.atomic():
        session = Session.objects.select_for_update().filter(pk=session_id).first()
        if session is None:
            raise NotFound
        refuse_held(session)
        delete_session(session, actor=actor)


@carries_out(TURN)
def erase_turn_later(turn_id: UUID, actor: UUID | None) -> None:
    """Erase what was wished before, whoever is asking now; raises Held and NotFound."""
    with transaction.atomic():
        _erase_turn(turn_id, actor, Session.objects.all())


def _erase_turn(turn_id: UUID, actor: UUID | None, sessions: SessionQuerySet) -> None:
    session = sessions.select_for_update(of=("self",)).filter(turns=turn_id).first()
    turn = Turn.objects.filter(pk=turn_id, session=session).first()
    if session is None or turn is None:
        raise NotFound
    refuse_held(turn)
    delete_turn(session, turn, actor=actor)


def delete_answers(session_id: UUID, turn_ids: Collection[UUID]) -> None:
    """Delete answers of a session, and what was made from them, or raise Held.

    The questions stay. Later ones may have been made to stand alone with words of these answers,
    so how they were searched for goes too. A deleted answer is never context, and can be asked
    for again.
    """
    with transaction.atomic():
        session = Session.objects.select_for_update().filter(pk=session_id).first()
        turns = list(Turn.objects.filter(session_id=session_id, pk__in=turn_ids))
        if session is None or not turns:
            return
        refuse_held(session)
        for turn in turns:
            _delete_answer(turn)
        delete_derived(session, turns)
        delete_unfetched(session.owner_id)
        delete_jobs([turn.pk for turn in turns])
        Session.objects.filter(pk=session.pk).update(
            context_tokens=F("context_tokens") - sum(turn.response_tokens for turn in turns)
        )


def _delete_answer(turn: Turn) -> None:
    empty = Turn._meta.get_field("response").sealed_for(turn, "")
    unsaid = Turn._meta.get_field("feedback").sealed_for(turn, "")
    Turn.objects.filter(pk=turn.pk).update(
        status=Turn.Status.FAILED,
        failure=WITHDRAWN,
        response=empty,
        response_tokens=0,
        recalled_tokens=0,
        outcome="",
        answerability=None,
        rating=None,
        feedback=unsaid,
    )
    delete_made_of_answer(turn)
    audit.record("answer.withdrawn", actor=turn.owner_id, subject=turn)
