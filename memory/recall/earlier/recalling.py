"""Turns of earlier sessions for a question: asked for, or plainly about the same.

Only with the person's live consent, and only of sessions that may be recalled: kept, not expired,
not archived, and not keeping to themselves. It is looked up at each question, so that all of this
counts from the moment it changes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings

from memory.models import Purpose, Session, Turn, User
from memory.models.conversations import Reach, SessionQuerySet
from memory.personal_data import consent
from memory.recall.earlier.calling import calls_for_earlier
from memory.recall.earlier.ranking import ranked
from memory.text.embedding import Embedded

# So many turns at most, and when nothing calls for them.
MOST_CALLED, MOST_OFFERED = 4, 2
# A turn that is so much less relevant than the best is of something else.
NEAR_THE_BEST = 0.6

# Which of a person's sessions are on the documents that this one is on.
OnDocuments = Callable[[SessionQuerySet], SessionQuerySet]


@dataclass(frozen=True)
class EarlierTurn:
    """A turn of another session, with how relevant it is."""

    turn: Turn
    score: float


@dataclass(frozen=True)
class Recollection:
    """What earlier sessions hold for a question; `confidence` is None if nobody looked."""

    turns: Sequence[EarlierTurn] = ()
    confidence: float | None = None
    # Whether the question points at what was said before.
    is_called: bool = False
    # Whether it asks for all that was said then.
    is_recount: bool = False
    # Of how many conversations in all, if each is told by a question.
    conversations: int = 0
    # What it asks whether anything was asked about.
    subject: str = ""

    @property
    def answers(self) -> bool:
        """Whether it was asked for, and is there."""
        return self.is_called and bool(self.turns)


NOT_LOOKED_FOR = Recollection()


def reachable(session: Session, on_documents: OnDocuments | None = None) -> SessionQuerySet:
    """Return the sessions that the session may draw on, which are none without consent."""
    if not session.recalls:
        return Session.objects.none()
    rows = Session.objects.owned(session.owner).recallable().exclude(pk=session.pk)
    rows = rows.filter(consent.allowed(Purpose.RECALL))
    if session.reach == Reach.DOCUMENTS:
        return on_documents(rows) if on_documents else rows.none()
    return rows


def find_earlier(
    session: Session, asked: Embedded, on_documents: OnDocuments | None = None
) -> Recollection:
    """Return the turns of other sessions that the question calls for, or is plainly about."""
    if not session.recalls or not consent.allows(session.owner_id, Purpose.RECALL):
        return NOT_LOOKED_FOR
    is_called = calls_for_earlier(asked.text)
    found = ranked(session.owner, asked, reachable(session, on_documents))
    if not found.turns or not (is_called or found.confidence >= settings.RECALL_CONFIDENCE):
        return Recollection((), found.confidence, is_called)
    least = found.turns[0].score * NEAR_THE_BEST
    best = [each for each in found.turns if each.score >= least]
    scores = {
        each.turn_id: each.score for each in best[: MOST_CALLED if is_called else MOST_OFFERED]
    }
    kept = _look_up(session.owner, scores, reachable(session, on_documents))
    return Recollection(kept, found.confidence, is_called)


def recollected(owner: User, words: str, *, limit: int) -> Recollection:
    """Return the turns of all of the person's sessions that words are about; or ConsentNeeded."""
    consent.require(owner.pk, Purpose.RECALL)
    sessions = Session.objects.owned(owner).recallable()
    found = ranked(owner, Embedded(words), sessions)
    scores = {each.turn_id: each.score for each in found.turns[:limit]}
    allowed = sessions.filter(consent.allowed(Purpose.RECALL))
    return Recollection(_look_up(owner, scores, allowed), found.confidence, is_called=True)


def _look_up(
    owner: User, scores: Mapping[UUID, float], sessions: SessionQuerySet
) -> list[EarlierTurn]:
    """Return those of the turns that are there and allowed now, as they were ranked."""
    rows = Turn.objects.remembered().filter(pk__in=scores, owner=owner)
    rows = rows.filter(session__in=sessions.values("pk")).select_related("session")
    turns = {turn.pk: turn for turn in rows}
    return [EarlierTurn(turns[pk], score) for pk, score in scores.items() if pk in turns]
