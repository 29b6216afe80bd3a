"""Lists by page: each page begins behind a place in the order, so pages never shift."""

import re
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from chat.protocol.parsing import parsed_id
from chat.shapes.resources.turns import with_citations
from memory.conversations import listing
from memory.errors import NotFound
from memory.models import Session, Turn, User

POSITION = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True)
class SessionList:
    """Some sessions, and the cursor of the next ones."""

    sessions: list[Session]
    next: str | None


@dataclass(frozen=True)
class TurnList:
    """Some turns, and the cursor of the next ones."""

    turns: list[Turn]
    next: str | None


def sessions_page(owner: User, *, cursor: str, limit: int) -> SessionList:
    """Return the person's sessions behind the cursor, by last activity; two queries."""
    rows = Session.objects.visible_to(owner).latest_first()
    if cursor:
        at, pk = _place(cursor)
        rows = rows.filter(Q(last_activity__lt=at) | Q(last_activity=at, pk__lt=pk))
    sessions = list(rows.prefetch_related("limited_to")[: limit + 1])
    more = len(sessions) > limit
    return SessionList(sessions[:limit], listing.cursor(sessions[limit - 1]) if more else None)


def checked_cursor(cursor: str) -> str:
    """Return the cursor, empty or one of ours; raises ValidationError for any other."""
    if cursor:
        _place(cursor)
    return cursor


def position_behind(cursor: str, *, first: int) -> int:
    """Return the position that a cursor names, `first` without one; or raise ValidationError."""
    if cursor and not POSITION.fullmatch(cursor):
        raise _foreign()
    return int(cursor or first)


def id_behind(cursor: str) -> UUID | None:
    """Return the id that a cursor names, None without one; or raise ValidationError."""
    try:
        return parsed_id(cursor) if cursor else None
    except NotFound as error:
        raise _foreign() from error


def _place(cursor: str) -> tuple[datetime, UUID]:
    try:
        return listing.place(cursor)
    except NotFound as error:
        raise _foreign() from error


def _foreign() -> ValidationError:
    return ValidationError({"cursor": [_("This isn't a cursor of this list.")]})


def turns_page(session: Session, *, cursor: str, limit: int) -> TurnList:
    """Return the session's turns behind the cursor, in order, with their citations."""
    rows = session.turns.filter(position__gt=position_behind(cursor, first=0)).order_by("position")
    turns = list(with_citations(rows)[: limit + 1])
    more = len(turns) > limit
    return TurnList(turns[:limit], str(turns[limit - 1].position) if more else None)
