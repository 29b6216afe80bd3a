"""The one door of deletion: whatever is deleted, for whatever reason, is deleted here."""

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.db.models import F

from memory import audit
from memory.answers import WITHDRAWN
from memory.errors import NotFound
from memory.models import Session, Turn, User
from memory.models.conversations import Rewriting
from memory.recall import entities
from memory.recall.similarity import forget


def erase_session(session: Session, *, actor: User) -> None:
    """Erase a conversation with everything that was made from it.

    All of it hangs on the session by foreign keys that cascade: turns, attempts, citations, context
    records, vectors, idempotency keys. An answer that is being written finds its attempt gone.
    """
    with transaction.atomic():
        if not Session.objects.owned_by(actor).select_for_update().filter(pk=session.pk).exists():
            raise NotFound
        audit.record("session.erased", actor=actor.pk, subject=session)
        session.delete()


def erase_if_empty(session: Session, *, actor: User) -> None:
    """Erase a conversation that was begun for a question which was refused, if it has no turn.

    Under an id of a client's choosing another request's question may have come into it.
    """
    with transaction.atomic():
        mine = Session.objects.owned_by(actor).select_for_update().filter(pk=session.pk)
        if mine.exists() and not session.turns.exists():
            erase_session(session, actor=actor)


def withdraw_answers(session_id: UUID, turn_ids: Collection[UUID]) -> None:
    """Take back answers of a session, and what was made from them; the questions stay.

    Later questions may have been made to stand alone with words of these answers, so how they
    were searched for goes too. A withdrawn answer is never context, and can be asked for again.
    """
    with transaction.atomic():
        session = Session.objects.select_for_update().filter(pk=session_id).first()
        turns = list(Turn.objects.filter(session_id=session_id, pk__in=turn_ids))
        if session is None or not turns:
            return
        for turn in turns:
            _withdraw(turn)
        positions = [turn.position for turn in turns]
        later = Turn.objects.filter(session=session, position__gte=min(positions))
        later.filter(rewriting=Rewriting.AUTOMATIC).update(standalone_query=None)
        Session.objects.filter(pk=session.pk).update(
            context_tokens=F("context_tokens") - sum(turn.response_tokens for turn in turns)
        )
        forget(session, positions)
        entities.forget(session, [turn.pk for turn in turns])


def _withdraw(turn: Turn) -> None:
    empty = Turn._meta.get_field("response").sealed_for(turn, "")
    unsaid = Turn._meta.get_field("feedback").sealed_for(turn, "")
    Turn.objects.filter(pk=turn.pk).update(
        status=Turn.Status.FAILED,
        failure=WITHDRAWN,
        response=empty,
        response_tokens=0,
        recalled_tokens=0,
        rating=None,
        feedback=unsaid,
    )
    turn.citations.all().delete()
    audit.record("answer.withdrawn", actor=turn.owner_id, subject=turn)
