"""Search in a person's questions and answers, newest first, by words, time and conversation.

Their text is sealed, and there is no index of it. A search opens up to SCANNED turns, and its next
page continues from there. So a page may be short, even empty, without being the last.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from uuid import UUID

from django.utils import timezone

from memory.conversations.listing import get_following, make_cursor
from memory.models import Turn, User
from memory.text.citation_markers import strip_markers
from memory.text.highlighting import Snippet, has_all, make_snippet, split_query_words
from memory.text.plain import render_plain_text

SCANNED = 1000
BATCH = 100
# Days outside this range don't exist in every time zone.
FIRST_DAY, LAST_DAY = date(1970, 1, 2), date(9998, 12, 31)
READ = (
    "owner_id",
    "position",
    "asked_at",
    "query",
    "response",
    "outcome",
    "session__owner_id",
    "session__title",
    "session__last_position",
)


@dataclass(frozen=True)
class Wanted:
    """Conditions of a search; empty ones are ignored."""

    words: str = ""
    session: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class Hit:
    """A turn that was found, and the snippets to show."""

    turn: Turn
    query: Snippet
    response: Snippet


@dataclass(frozen=True)
class FoundMessages:
    """Some hits, and the cursor of the next page, empty at the end."""

    hits: list[Hit]
    next: str = ""


def search_messages(
    owner: User, wanted: Wanted, *, after: str = "", limit: int = 20
) -> FoundMessages:
    """Return the person's turns with all of the words, after the cursor, newest first."""
    words = split_query_words(wanted.words)
    hits: list[Hit] = []
    last, opened = None, 0
    rows = Turn.objects.visible(owner).select_related("session").only(*READ)
    if wanted.session:
        rows = rows.filter(session=wanted.session)
    if wanted.since:
        rows = rows.filter(asked_at__gte=wanted.since)
    if wanted.until:
        rows = rows.filter(asked_at__lt=wanted.until)
    rows = get_following(rows.order_by("-asked_at", "-id"), after, "asked_at")
    for turn in rows[: SCANNED + 1].iterator(chunk_size=BATCH):
        if len(hits) == limit or opened == SCANNED:
            return FoundMessages(hits, make_cursor(last.asked_at, last.pk) if last else "")
        last, opened = turn, opened + 1
        # Sentences for "no answer" are the product's words, so they are not searched.
        is_told = turn.outcome not in (Turn.Outcome.NOTHING_FOUND, Turn.Outcome.NOT_READ_YET)
        plain = render_plain_text(strip_markers(turn.response)) if is_told else ""
        if has_all(f"{turn.query}\n{plain}", words):
            hits.append(Hit(turn, make_snippet(turn.query, words), make_snippet(plain, words)))
    return FoundMessages(hits)


def get_day_start(day: date) -> datetime:
    """Return the beginning of the day in the person's time zone."""
    day = min(max(day, FIRST_DAY), LAST_DAY)
    return datetime.combine(day, time.min, tzinfo=timezone.get_current_timezone())


def get_day_end(day: date) -> datetime:
    """Return the end of the day in the person's time zone."""
    return get_day_start(min(day, LAST_DAY - timedelta(days=1)) + timedelta(days=1))
