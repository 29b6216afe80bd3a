"""A person's own conversations, latest first and by page; titles are searched by opening them.

There is no index of titles, so a search opens SCANNED of them at a time, the latest first, and its
next page goes on where it stopped.
"""

import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.db.models import Q

from memory.errors import NotFound
from memory.models import Session, User
from memory.models.conversations import SessionQuerySet

PAGE = 30
SCANNED = 1000
MOST_PINNED = 50
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
CURSOR = re.compile(r"([0-9]{1,18})\.([0-9a-f-]{36})")


@dataclass(frozen=True)
class Conversations:
    """One page of conversations, and the cursor of the next one, empty at the end.

    The first page begins with those that are pinned; the others stand in their order.
    """

    sessions: list[Session]
    next: str = ""
    pinned: list[Session] = field(default_factory=list)
    # The last activity of the conversation before the page, if it isn't the first one.
    since: datetime | None = None


def conversations(
    owner: User, *, words: str = "", after: str = "", archived: bool = False
) -> Conversations:
    """Return the page behind the cursor; with `words`, all whose titles have all of them."""
    wanted = words.casefold().split()
    rows = _behind(owner, after).defer("metadata")
    if wanted:
        return _page(rows, wanted, SCANNED)
    rows = rows.filter(archived=archived)
    if archived:
        return _page(rows, [], PAGE + 1)
    page = _page(rows.filter(pinned=False), [], PAGE + 1)
    if after:
        return replace(page, since=place(after)[0])
    pinned = Session.objects.visible_to(owner).filter(pinned=True, archived=False)
    return replace(page, pinned=list(pinned.latest_first().defer("metadata")[:MOST_PINNED]))


def _page(rows: SessionQuerySet, wanted: list[str], window: int) -> Conversations:
    read = list(rows[:window])
    found = [row for row in read if _has(row.title, wanted)]
    if len(found) > PAGE:
        return Conversations(found[:PAGE], cursor(found[PAGE - 1]))
    return Conversations(found, cursor(read[-1]) if len(read) == window else "")


def _has(title: str, wanted: list[str]) -> bool:
    folded = title.casefold()
    return all(word in folded for word in wanted)


def _behind(owner: User, after: str) -> SessionQuerySet:
    rows = Session.objects.visible_to(owner).latest_first()
    if not after:
        return rows
    at, pk = place(after)
    return rows.filter(Q(last_activity__lt=at) | Q(last_activity=at, pk__lt=pk))


def cursor(session: Session) -> str:
    """Return the session's place in the order: safe in an address, and exact."""
    return f"{(session.last_activity - EPOCH) // MICROSECOND}.{session.pk}"


def place(cursor: str) -> tuple[datetime, UUID]:
    """Return the place that a cursor names, or raise NotFound."""
    found = CURSOR.fullmatch(cursor)
    if found is None:
        raise NotFound
    try:
        return EPOCH + int(found[1]) * MICROSECOND, UUID(found[2])
    except (OverflowError, ValueError) as error:
        raise NotFound from error
