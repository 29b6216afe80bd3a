"""Lists by page: each page begins behind a place in the order, so pages never shift."""

import re
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from chat.protocol.parsing import parsed_id
from chat.shapes.resources.turns import load_citations
from memory.conversations import listing
from memory.errors import NotFound
from memory.models import Session, Turn, User

Row = TypeVar("Row", bound=Model)

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
    rows = Session.objects.visible(owner).latest_first()
    rows = listing.get_following(rows, checked_cursor(cursor), "last_activity")
    sessions, last = one_page(rows.prefetch_related("limited_to"), limit)
    return SessionList(sessions, listing.make_cursor(last.last_activity, last.pk) if last else None)


def one_page(rows: "QuerySet[Row]", limit: int) -> tuple[list[Row], Row | None]:
    """Return the first rows, and the last of them if more follow; one query."""
    found = list(rows[: limit + 1])
    return found[:limit], found[limit - 1] if len(found) > limit else None


def checked_cursor(cursor: str) -> str:
    """Return the cursor, empty or one of ours; raises ValidationError for any other."""
    try:
        if cursor:
            listing.place(cursor)
    except NotFound as error:
        raise _foreign() from error
    return cursor


def parse_position(cursor: str, *, first: int) -> int:
    """Return the position that a cursor names, `first` without one; or raise ValidationError."""
    if cursor and not POSITION.fullmatch(cursor):
        raise _foreign()
    return int(cursor or first)


def parse_row_id(cursor: str) -> UUID | None:
    """Return the id that a cursor names, None without one; or raise ValidationError."""
    try:
        return parsed_id(cursor) if cursor else None
    except NotFound as error:
        raise _foreign() from error


def _foreign() -> ValidationError:
    return ValidationError({"cursor": [_("This isn't a cursor of this list.")]})


def turns_page(session: Session, *, cursor: str, limit: int) -> TurnList:
    """Return the session's turns behind the cursor, in order, with their citations."""
    rows = session.turns.filter(position__gt=parse_position(cursor, first=0)).order_by("position")
    turns, last = one_page(load_citations(rows), limit)
    return TurnList(turns, str(last.position) if last else None)
