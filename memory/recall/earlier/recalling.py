"""Turns of earlier sessions for a question: asked for, or clearly about the same subject.

They need the person's current consent. They come only from sessions that may be recalled: kept, not
expired, not archived, and with a reach beyond themselves. Both are checked at each question, so
that a change applies at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from uuid import UUID

import numpy as np
from django.conf import settings
from django.db.models import Q

from memory.models import Purpose, Session, Turn, User
from memory.models.conversations import Reach, SessionQuerySet
from memory.personal_data import consent
from memory.recall.earlier.calling import calls_for_earlier
from memory.recall.index.kept_messages import select_newest
from memory.recall.index.messages import Side
from memory.recall.index.scoring import Scored, score_messages
from memory.text.embedding import Embedded

# Most turns if the question refers to earlier ones, and otherwise.
MOST_CALLED, MOST_OFFERED = 4, 2
# Most turns returned.
MOST_TURNS = 50
# A turn below this share of the best relevance is about something else.
NEAR_THE_BEST = 0.6

# Filters a person's sessions by the documents of the current one.
OnDocuments = Callable[[SessionQuerySet], SessionQuerySet]


@dataclass(frozen=True)
class EarlierTurn:
    """A turn of another session, with its relevance."""

    turn: Turn
    score: float


@dataclass(frozen=True)
class RankedTurns:
    """Turns, the most relevant first, and the probability that they answer the question."""

    turns: Sequence[EarlierTurn]
    confidence: float


@dataclass(frozen=True)
class Recollection:
    """The results of a search in earlier sessions; `confidence` is None without a search."""

    turns: Sequence[EarlierTurn] = ()
    confidence: float | None = None
    # Whether the question refers to something said before.
    is_called: bool = False
    # Whether it asks for everything from that span.
    is_recount: bool = False
    # The number of conversations in all, if each is represented by a question.
    conversations: int = 0
    # The subject of a question such as "did I ever ask about X?".
    subject: str = ""

    @property
    def answers(self) -> bool:
        """Whether it was requested, and exists."""
        return self.is_called and bool(self.turns)


NOT_LOOKED_FOR = Recollection()


def select_reachable_sessions(
    session: Session, on_documents: OnDocuments | None = None
) -> SessionQuerySet:
    """Return the sessions that the session may recall, none without consent."""
    if not session.recalls:
        return Session.objects.none()
    rows = Session.objects.owned(session.owner).recallable().exclude(pk=session.pk)
    rows = rows.filter(consent.build_allowed_filter(Purpose.RECALL))
    if session.reach == Reach.DOCUMENTS:
        return on_documents(rows) if on_documents else rows.none()
    return rows


def find_earlier(
    session: Session, asked: Embedded, on_documents: OnDocuments | None = None
) -> Recollection:
    """Return the turns of other sessions that the question calls for, or clearly matches."""
    if not session.recalls or not consent.allows(session.owner_id, Purpose.RECALL):
        return NOT_LOOKED_FOR
    is_called = calls_for_earlier(asked.text)
    found = rank_earlier_turns(
        session.owner, asked, select_reachable_sessions(session, on_documents)
    )
    if not found.turns or not (is_called or found.confidence >= settings.RECALL_CONFIDENCE):
        return Recollection((), found.confidence, is_called)
    least = found.turns[0].score * NEAR_THE_BEST
    best = [each for each in found.turns if each.score >= least]
    most = MOST_CALLED if is_called else MOST_OFFERED
    return Recollection(best[:most], found.confidence, is_called)


def search_earlier_turns(owner: User, words: str, *, limit: int) -> Recollection:
    """Return the turns of all of the person's sessions that match words; or raise ConsentNeeded."""
    consent.require(owner.pk, Purpose.RECALL)
    sessions = (
        Session.objects.owned(owner)
        .recallable()
        .filter(consent.build_allowed_filter(Purpose.RECALL))
    )
    found = rank_earlier_turns(owner, Embedded(words), sessions)
    return Recollection(found.turns[:limit], found.confidence, is_called=True)


def rank_earlier_turns(owner: User, asked: Embedded, sessions: SessionQuerySet) -> RankedTurns:
    """Return the owner's turns that match, from their live sessions among these.

    Three queries in all; of very many sessions only the latest are read.
    """
    found = score_messages(select_newest(sessions.visible(owner)), asked, owner=owner.pk)
    best: dict[tuple[UUID, int], float] = {}
    for (session, position, _side), score in select_best_messages(found, 2 * MOST_TURNS).items():
        best.setdefault((session, position), score)  # a turn is two messages
    there = Q(pk__in=())
    for session, places in groupby(sorted([*best][:MOST_TURNS]), key=itemgetter(0)):
        there |= Q(session=session, position__in=[position for _, position in places])
    # By the rights of now, not of the time of scoring.
    rows = Turn.objects.remembered().filter(there, owner=owner, session__in=sessions.values("pk"))
    turns = [
        EarlierTurn(turn, best[turn.session_id, turn.position])
        for turn in rows.select_related("session")
    ]
    rank = {place: at for at, place in enumerate(best)}
    turns.sort(key=lambda each: rank[each.turn.session_id, each.turn.position])
    return RankedTurns(turns, found.confidence)


def select_best_messages(found: Scored, most: int) -> dict[tuple[UUID, int, Side], float]:
    """Return the score of each of the most relevant messages, the best first."""
    rows = np.argsort(-found.scores, kind="stable")[:most]
    said = found.heard.places(rows)
    return dict(zip(said, found.scores[rows].tolist(), strict=True))
