"""Questions and answers of a span of time, of one earlier conversation, or about a subject."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from memory.models import Purpose, Session, Turn
from memory.models.turns import TurnQuerySet
from memory.people.display import get_local_midnight
from memory.personal_data import consent
from memory.recall.earlier.calling import Span, Which
from memory.recall.earlier.recalling import (
    NOT_LOOKED_FOR,
    EarlierTurn,
    OnDocuments,
    Recollection,
    rank_earlier_turns,
    select_reachable_sessions,
)
from memory.text.embedding import Embedded
from memory.text.words import extract_terms

# Most questions listed of a conversation, most conversations, and most turns read.
MOST_TOLD, MOST_CONVERSATIONS, MOST_READ = 6, 10, 500
NO_CONTENT = Turn.Outcome.SMALL_TALK, Turn.Outcome.NOTED, Turn.Outcome.ABOUT_CONVERSATION


def recount_questions(
    session: Session, when: Span | Which, on_documents: OnDocuments | None = None
) -> Recollection:
    """Return the first questions of one conversation, or the first of each in the span."""
    turns = _select_questions(session, on_documents).order_by("-asked_at", "-id")
    if isinstance(when, Span):
        begin = get_local_midnight(when.first, session.owner)
        end = get_local_midnight(when.last + timedelta(days=1), session.owner)
        turns = turns.filter(asked_at__gte=begin, asked_at__lt=end)
    if when in (Which.FIRST, Which.LAST):
        one = turns.last() if when == Which.FIRST else turns.first()
        own = turns.filter(session=one.session_id) if one else turns.none()
        return replace(_make_recollection(own.order_by("position")[:MOST_TOLD]), is_recount=True)
    first = {turn.session_id: turn for turn in turns[:MOST_READ]}
    return replace(_make_newest_recollection(first), is_recount=True)


def find_questions_elsewhere(
    session: Session, subject: str, on_documents: OnDocuments | None = None
) -> Recollection:
    """Return the newest question of each other conversation with a word of the subject."""
    turns = _select_questions(session, on_documents)
    found = rank_earlier_turns(
        session.owner, Embedded(subject), select_reachable_sessions(session, on_documents)
    )
    near = turns.filter(pk__in=[each.turn.pk for each in found.turns]).order_by("-asked_at", "-id")
    newest: dict[UUID, Turn] = {}
    for turn in near:
        if set(extract_terms(subject)) & set(extract_terms(turn.query)):
            newest.setdefault(turn.session_id, turn)
    return replace(_make_newest_recollection(newest), subject=subject)


def _select_questions(session: Session, on_documents: OnDocuments | None) -> TurnQuerySet:
    """Return the questions of other sessions that may be shown here: none without consent."""
    is_allowed = session.recalls and consent.allows(session.owner_id, Purpose.RECALL)
    turns = Turn.objects.remembered() if is_allowed else Turn.objects.none()
    there = select_reachable_sessions(session, on_documents).values("pk")
    turns = turns.filter(owner=session.owner_id, session__in=there)
    return turns.exclude(outcome__in=NO_CONTENT).select_related("session")


def _make_newest_recollection(turns: dict[UUID, Turn]) -> Recollection:
    newest = sorted(turns.values(), key=lambda turn: turn.asked_at, reverse=True)
    return replace(_make_recollection(newest[:MOST_CONVERSATIONS]), conversations=len(turns))


def _make_recollection(turns: Iterable[Turn]) -> Recollection:
    found = [EarlierTurn(turn, 1.0) for turn in turns]
    return replace(NOT_LOOKED_FOR, turns=found, confidence=1.0, is_called=True)
