"""What was said in a span of time or in one earlier conversation, whatever it was about; and what
was asked about something, whenever.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from django.db.models import Count, Min, Q

from memory.models import Purpose, Session, Turn
from memory.models.turns import TurnQuerySet
from memory.people.display import get_local_midnight
from memory.personal_data import consent
from memory.recall.earlier.ranking import ranked
from memory.recall.earlier.recalling import (
    NOT_LOOKED_FOR,
    EarlierTurn,
    OnDocuments,
    Recollection,
    reachable,
)
from memory.recall.earlier.spans import Which
from memory.recall.earlier.stretch import Stretch
from memory.text.embedding import Embedded
from memory.text.words import terms

# So many questions of one conversation are told, and so many conversations.
MOST_TOLD, MOST_CONVERSATIONS = 6, 10
OF_NO_MATTER = Turn.Outcome.SMALL_TALK, Turn.Outcome.NOTED, Turn.Outcome.ABOUT_CONVERSATION
NOTHING_TOLD = replace(NOT_LOOKED_FOR, is_recount=True)


def recounted(
    session: Session, when: Stretch | Which, on_documents: OnDocuments | None = None
) -> Recollection:
    """Return what other sessions hold of then: of one conversation its first questions, of a span,
    or of all, the first of each conversation, the newest first; under the same conditions as what
    is recalled by meaning.
    """
    turns = _turns(session, when if isinstance(when, Stretch) else None, on_documents)
    if turns is None:
        return NOTHING_TOLD
    if when in (Which.FIRST, Which.LAST):
        told = _of_one(turns.order_by("asked_at" if when == Which.FIRST else "-asked_at"))
        return _told(told)
    by_session = turns.order_by().values("session")
    begun = by_session.annotate(
        first=Min("position"), begins=Min("asked_at"), questions=Count("pk")
    ).order_by("-begins", "-session")
    rows = list(begun[:MOST_CONVERSATIONS])
    there = Q(pk__in=())
    for row in rows:
        there |= Q(session=row["session"], position=row["first"])
    return replace(
        _told(turns.filter(there).order_by("-asked_at", "-id")),
        conversations=by_session.distinct().count(),
        questions={row["session"]: row["questions"] for row in rows},
    )


def asked_elsewhere(
    session: Session,
    subject: str,
    when: Stretch | None = None,
    on_documents: OnDocuments | None = None,
) -> Recollection:
    """Return the question of each other conversation that has a word of the subject, the newest
    first: of several in one the newest; under the same conditions.
    """
    turns = _turns(session, when, on_documents)
    if turns is None:
        return replace(NOT_LOOKED_FOR, subject=subject)
    wanted = set(terms(subject))
    found = ranked(session.owner, Embedded(subject), reachable(session, on_documents))
    near = turns.filter(pk__in=[each.turn_id for each in found.turns]).order_by("-asked_at", "-id")
    asked = [turn for turn in near if wanted & set(terms(turn.query))]
    newest: dict[UUID, Turn] = {}
    for turn in asked:
        newest.setdefault(turn.session_id, turn)
    return replace(
        _told(list(newest.values())[:MOST_CONVERSATIONS]),
        is_recount=False,
        conversations=len(newest),
        subject=subject,
    )


def _turns(
    session: Session, when: Stretch | None, on_documents: OnDocuments | None
) -> TurnQuerySet | None:
    """Return the questions of other sessions then that may be told here; None without consent."""
    if not session.recalls or not consent.allows(session.owner_id, Purpose.RECALL):
        return None
    there = reachable(session, on_documents).values("pk")
    turns = Turn.objects.remembered().filter(owner=session.owner_id, session__in=there)
    turns = turns.exclude(outcome__in=OF_NO_MATTER).select_related("session")
    if when is not None:
        begin = get_local_midnight(when.first, session.owner)
        end = get_local_midnight(when.last + timedelta(days=1), session.owner)
        turns = turns.filter(asked_at__gte=begin, asked_at__lt=end)
    return turns


def _told(turns: Iterable[Turn]) -> Recollection:
    return Recollection([EarlierTurn(turn, 1.0) for turn in turns], 1.0, True, is_recount=True)


def _of_one(turns: TurnQuerySet) -> list[Turn]:
    """Return the first questions of the conversation that the first of the turns is of."""
    one = turns.first()
    if one is None:
        return []
    return list(turns.filter(session=one.session_id).order_by("position")[:MOST_TOLD])
