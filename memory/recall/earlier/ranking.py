"""Which turns of a person's sessions a question is about, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from uuid import UUID

import numpy as np
from django.db.models import Q

from memory.models import Turn, User
from memory.models.conversations import SessionQuerySet
from memory.recall.index.kept_messages import select_newest
from memory.recall.index.messages import Side
from memory.recall.index.scoring import Scored, scored
from memory.text.embedding import Embedded

# No more turns are named: nothing has room for them.
MOST_TURNS = 50

Place = tuple[UUID, int]


@dataclass(frozen=True)
class RankedTurn:
    """A turn of one of the sessions, and from 0 to 1 how relevant it is.

    `side` tells for which of its two messages: what the person said, or what was answered.
    """

    turn_id: UUID
    session_id: UUID
    position: int
    side: Side
    score: float


@dataclass(frozen=True)
class RankedTurns:
    """Turns, the most relevant first, and from 0 to 1 how likely they are what is asked for."""

    turns: Sequence[RankedTurn]
    confidence: float


def ranked(owner: User, asked: Embedded, sessions: SessionQuerySet) -> RankedTurns:
    """Return which turns of those of the sessions that are the owner's and live are asked for.

    Reads four times, whatever there is to read, and of very many sessions the latest.
    """
    found = scored(select_newest(sessions.visible(owner)), asked, owner=owner.pk)
    best: dict[Place, tuple[Side, float]] = {}
    # A turn is two messages.
    for (session, position, side), score in best_messages(found, 2 * MOST_TURNS).items():
        best.setdefault((session, position), (side, score))
    ids = _turn_ids(owner, list(best)[:MOST_TURNS])
    turns = [
        RankedTurn(ids[place], *place, side, score)
        for place, (side, score) in best.items()
        if place in ids
    ]
    return RankedTurns(tuple(turns), found.confidence)


def best_messages(found: Scored, most: int) -> dict[tuple[UUID, int, Side], float]:
    """Return the score of each of the most relevant messages, the best first."""
    rows = np.argsort(-found.scores, kind="stable")[:most]
    said = found.heard.places(rows)
    return dict(zip(said, found.scores[rows].tolist(), strict=True))


def _turn_ids(owner: User, places: Sequence[Place]) -> dict[Place, UUID]:
    """Return the ids of those of the turns that may still be context."""
    there = Q(pk__in=())
    for session, found in groupby(sorted(places), key=itemgetter(0)):
        there |= Q(session=session, position__in=[position for _, position in found])
    rows = Turn.objects.remembered().filter(there, owner=owner)
    return {
        (session, position): pk
        for pk, session, position in rows.values_list("pk", "session_id", "position")
    }
