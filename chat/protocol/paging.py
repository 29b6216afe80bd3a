"""Lists by page: each page begins behind a place in the order, so pages never shift."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from chat.shapes.resources import with_citations
from memory.conversations import listing
from memory.errors import NotFound
from memory.models import Session, Turn, User


@dataclass(frozen=True)
class SessionList:
    """Some sessions, and the cursor of the next ones."""

    sessions: list[Session]
    next: str | None


@dataclass(frozen=True)
class TurnList:
    """Some turns, and the position behind which the next ones are."""

    turns: list[Turn]
    next: int | None


def sessions_page(owner: User, *, cursor: str, limit: int) -> SessionList:
    """Return the person's sessions behind the cursor, by last activity; two queries."""
    rows = Session.objects.visible_to(owner).latest_first()
    if cursor:
        at, pk = _place(cursor)
        rows = rows.filter(Q(last_activity__lt=at) | Q(last_activity=at, pk__lt=pk))
    sessions = list(rows.prefetch_related("limited_to")[: limit + 1])
    more = len(sessions) > limit
    return SessionList(sessions[:limit], listing.cursor(sessions[limit - 1]) if more else None)


def _place(cursor: str) -> tuple[datetime, UUID]:
    try:
        return listing.place(cursor)
    except NotFound as error:
        message = _("This isn't a cursor of this list.")
        raise ValidationError({"cursor": [message]}) from error


def checked_cursor(cursor: str) -> str:
    """Return the cursor, empty or one of ours; raises ValidationError for any other."""
    if cursor:
        _place(cursor)
    return cursor


def turns_page(session: Session, *, after: int, limit: int) -> TurnList:
    """Return the session's turns behind the position, in order, with their citations."""
    rows = session.turns.filter(position__gt=after).order_by("position")
    turns = list(with_citations(rows)[: limit + 1])
    more = len(turns) > limit
    return TurnList(turns[:limit], turns[limit - 1].position if more else None)
