"""A person's own conversations, latest first and by page; a search decrypts their titles.

There is no index of titles, so a search opens SCANNED of them at a time, the latest first. Its next
page continues from there.
"""

import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Q, QuerySet

from memory.errors import NotFound
from memory.models import Session, User
from memory.models.conversations import SessionQuerySet

PAGE = 30
SCANNED = 1000
MOST_PINNED = 50
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
Rows = TypeVar("Rows", bound=QuerySet[Any])
CURSOR = re.compile(r"([0-9]{1,18})\.([0-9a-f-]{36})")


@dataclass(frozen=True)
class Conversations:
    """One page of conversations, and the cursor of the next one, empty at the end.

    The first page begins with the pinned ones; the others keep their order.
    """

    sessions: list[Session]
    next: str = ""
    pinned: list[Session] = field(default_factory=list)
    # The last activity of the conversation before the page, except on the first one.
    since: datetime | None = None


def conversations(
    owner: User, *, words: str = "", after: str = "", archived: bool = False
) -> Conversations:
    """Return the page behind the cursor; with `words`, those whose titles contain all of them."""
    wanted = words.casefold().split()
    rows = Session.objects.visible(owner).latest_first()
    rows = get_following(rows, after, "last_activity").defer("metadata")
    if wanted:
        return _build_page(rows, wanted, SCANNED)
    rows = rows.filter(archived=archived)
    if archived:
        return _build_page(rows, [], PAGE + 1)
    page = _build_page(rows.filter(pinned=False), [], PAGE + 1)
    if after:
        return replace(page, since=place(after)[0])
    pinned = Session.objects.visible(owner).filter(pinned=True, archived=False)
    return replace(page, pinned=list(pinned.latest_first().defer("metadata")[:MOST_PINNED]))


def _build_page(rows: SessionQuerySet, wanted: list[str], window: int) -> Conversations:
    read = list(rows[:window])
    found = [row for row in read if all(word in row.title.casefold() for word in wanted)]
    last = found[PAGE - 1] if len(found) > PAGE else read[-1] if len(read) == window else None
    following = make_cursor(last.last_activity, last.pk) if last else ""
    return Conversations(found[:PAGE], following)


def get_following(rows: Rows, cursor: str, moment: str) -> Rows:
    """Return the rows after the cursor, newest first by the moment; raises NotFound."""
    if not cursor:
        return rows
    at, pk = place(cursor)
    return rows.filter(Q(**{f"{moment}__lt": at}) | Q(**{moment: at, "pk__lt": pk}))


def make_cursor(at: datetime, pk: UUID) -> str:
    """Return a position in the order: safe in an address, and exact."""
    return f"{(at - EPOCH) // MICROSECOND}.{pk}"


def place(cursor: str) -> tuple[datetime, UUID]:
    """Return the position in a cursor, or raise NotFound."""
    found = CURSOR.fullmatch(cursor)
    if found is None:
        raise NotFound
    try:
        return EPOCH + int(found[1]) * MICROSECOND, UUID(found[2])
    except (OverflowError, ValueError) as error:
        raise NotFound from error
