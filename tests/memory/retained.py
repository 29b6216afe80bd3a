"""Conversations of some age, with everything that may hang on one, for the tests of retention."""

from datetime import timedelta
from random import getrandbits
from typing import Any
from uuid import UUID

from django.utils import timezone

from chat.models import ContextRecord, ContextTurn
from citations.models import Citation, Source
from memory.conversations.asking import create_session
from memory.models import Attempt, AuditEvent, IdempotencyKey, Session, Turn, User, VectorBlock
from memory.recall.index.messages import Side
from memory.text.vectors import Block

DAY = 86_400
TITLE = "About dates"


def session_of(
    owner: User, *, turns: int = 0, idle: timedelta = timedelta(0), **values: Any
) -> Session:
    """Store a conversation with so many turns whose last question was so long ago."""
    session = create_session(owner, **{"title": TITLE} | values)
    for position in range(1, turns + 1):
        _turn(session, position)
    last = timezone.now() - idle
    session.last_activity, session.turn_count, session.last_position = last, turns, turns
    session.context_tokens = 5 * turns
    session.expires_at = session.compute_expiry(last)
    session.save()
    return session


def audited(action: str, *, actor: UUID | None, days: float) -> AuditEvent:
    """Store a line of the audit from so many days ago, with an id of that time."""
    at = timezone.now() - timedelta(days=days)
    milliseconds = int(at.timestamp() * 1000)
    identity = UUID(int=milliseconds << 80 | 7 << 76 | 2 << 62 | getrandbits(62))
    return AuditEvent.objects.create(id=identity, at=at, action=action, actor_id=actor)


def aged(owner: User, days: float, **values: Any) -> Session:
    """Store a conversation whose last question was so many days ago."""
    return session_of(owner, idle=timedelta(days=days), **values)


def expired_session_of(owner: User, *, turns: int = 0, **values: Any) -> Session:
    """Store a conversation that has expired a moment ago, by its own clock."""
    session = session_of(owner, turns=turns, **values)
    Session.objects.filter(pk=session.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    return session


def _turn(session: Session, position: int) -> Turn:
    owner = session.owner
    turn = Turn.objects.create(
        session=session,
        owner=owner,
        position=position,
        status="complete",
        query=f"Question {position}?",
        query_tokens=2,
        standalone_query=f"Question {position}, of which?",
        response=f"Answer {position}.",
        response_tokens=3,
    )
    Attempt.objects.create(
        turn=turn,
        owner=owner,
        number=1,
        lease_until=timezone.now(),
        finished_at=timezone.now(),
        outcome="complete",
    )
    IdempotencyKey.objects.create(owner=owner, turn=turn, key=str(turn.pk)[-17:], body="x")
    source, _ = Source.objects.get_or_create(session=session, number=1)
    Citation.objects.create(
        owner=owner, turn=turn, source=source, start=0, claim_start=0, quote="So.", score=1.0
    )
    record = ContextRecord.objects.create(
        turn=turn,
        attempt=1,
        strategy="sequential",
        reason="short",
        rewrite_reason="",
        model="",
        prompt_version="1",
        prompt_hash="0",
        window=4096,
        prompt_tokens=9,
        steps=[{"step": "record", "milliseconds": 1.0}],
    )
    earlier = session.turns.filter(position__lt=position).last()
    if earlier:
        ContextTurn.objects.create(record=record, turn=earlier, position=position - 1, tokens=5)
    return turn


def with_vectors(session: Session) -> None:
    """Give the conversation a block with vectors for the questions and answers of its turns."""
    import numpy as np

    positions = list(session.turns.order_by("position").values_list("position", flat=True))
    numbers = [[position, side] for position in positions for side in Side]
    block = Block.quantise(numbers, np.eye(len(numbers), 384, dtype=np.float32))
    VectorBlock.objects.create(
        session=session,
        owner=session.owner,
        number=1,
        first_position=positions[0],
        model="test",
        dimensions=384,
        last_position=positions[-1],
        payload=block.packed(),
    )
