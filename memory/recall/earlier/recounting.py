"""What was said in a span of time or in one earlier conversation, whatever it was about."""

from dataclasses import replace
from datetime import timedelta

from memory.models import Purpose, Session, Turn
from memory.models.turns import TurnQuerySet
from memory.people.display import start_of
from memory.personal_data import consent
from memory.recall.earlier.recalling import (
    NOT_LOOKED_FOR,
    EarlierTurn,
    OnDocuments,
    Recollection,
    reachable,
)
from memory.recall.earlier.spans import Which
from memory.recall.rewriting.dates import Stretch

# So many questions are told, and so many looked through for those of different conversations.
MOST_TOLD, LOOKED_THROUGH = 6, 200
OF_NO_MATTER = Turn.Outcome.SMALL_TALK, Turn.Outcome.NOTED, Turn.Outcome.ABOUT_CONVERSATION


def recounted(
    session: Session, when: Stretch | Which, on_documents: OnDocuments | None = None
) -> Recollection:
    """Return what other sessions hold of then, in its order: of a span, or the newest, each one's
    first question, of one conversation its first ones; under the same conditions as what is
    recalled by meaning.
    """
    if not session.recalls or not consent.allows(session.owner_id, Purpose.RECALL):
        return replace(NOT_LOOKED_FOR, is_recount=True)
    there = reachable(session, on_documents).values("pk")
    turns = Turn.objects.remembered().filter(owner=session.owner_id, session__in=there)
    turns = turns.exclude(outcome__in=OF_NO_MATTER).select_related("session")
    if isinstance(when, Stretch):
        begin = start_of(when.first, session.owner)
        end = start_of(when.last + timedelta(days=1), session.owner)
        turns = turns.filter(asked_at__gte=begin, asked_at__lt=end)
    if when in (Which.FIRST, Which.LAST):
        told = _of_one(turns.order_by("asked_at" if when == Which.FIRST else "-asked_at"))
    else:
        told = _first_of_each(turns)
    return Recollection([EarlierTurn(turn, 1.0) for turn in told], 1.0, True, is_recount=True)


def _of_one(turns: TurnQuerySet) -> list[Turn]:
    """Return the first questions of the conversation that the first of the turns is of."""
    one = turns.first()
    if one is None:
        return []
    return list(turns.filter(session=one.session_id).order_by("position")[:MOST_TOLD])


def _first_of_each(turns: TurnQuerySet) -> list[Turn]:
    """Return the first questions of the newest conversations that the turns are of."""
    newest = turns.order_by("-asked_at", "-id")[:LOOKED_THROUGH]
    begun = {turn.session_id: turn for turn in newest}  # the oldest of each is the last here
    return sorted(begun.values(), key=lambda turn: turn.asked_at)[-MOST_TOLD:]
