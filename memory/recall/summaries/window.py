"""What stands in a window for older turns: their summaries, and turns in few words, from rows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db.models import Q

from memory.models import Session, Summary
from memory.recall.summaries.levels import SECTION

Kind = Summary.Kind
# What introduces each of them in a prompt, in tokens.
LEAD = 10
# So many sections are looked at, the newest; what is older is in the summary of the whole.
MOST_SECTIONS = 12


@dataclass(frozen=True)
class Brief:
    """Some turns in few words, and what they cost in a prompt."""

    kind: str
    first: int
    last: int
    text: str
    tokens: int
    # Of a single turn's: the turn.
    turn_id: UUID | None = None

    @classmethod
    def of(cls, row: Summary) -> "Brief":
        tokens = row.tokens_after + LEAD
        return cls(row.kind, row.first_position, row.last_position, row.text, tokens, row.turn_id)


def briefs_of(session: Session, positions: Collection[int]) -> Mapping[int, Brief]:
    """Return those of the turns that have a summary of their own: one query."""
    rows = session.summaries.filter(kind=Kind.TURN, first_position__in=positions)
    return {row.first_position: Brief.of(row) for row in rows.defer("made_text", "topics")}


def ladder(session: Session, *, before: int, room: int) -> tuple[Brief, ...]:
    """Return summaries of the turns before a position, in order, that cost at most so much.

    The newest segments and sections, and the whole in the place of what is older: one query, and
    as much however long the conversation is. What it says changes with a segment, not with a turn.
    """
    if not settings.ENABLE_COMPRESSION or before <= SECTION // 5:
        return ()
    recent = before - MOST_SECTIONS * SECTION
    wanted = (
        Q(kind__in=[Kind.SESSION, Kind.ROLLING])
        | Q(kind=Kind.SECTION, last_position__gte=recent)
        | Q(kind=Kind.SEGMENT, last_position__gte=before - 2 * SECTION)
    )
    rows = session.summaries.filter(wanted, last_position__lt=before)
    return _fitting(list(rows.defer("made_text", "topics")), room)


def _fitting(rows: Sequence[Summary], room: int) -> tuple[Brief, ...]:
    by_kind = {kind: _sorted(rows, kind) for kind in Kind}
    sections, segments = by_kind[Kind.SECTION], by_kind[Kind.SEGMENT]
    since = sections[-1].last_position if sections else 0
    parts = [*sections, *(row for row in segments if row.first_position > since)]
    wholes = [*by_kind[Kind.ROLLING], *by_kind[Kind.SESSION]][-1:]
    has_all = bool(parts) and parts[0].first_position == 1
    if has_all and sum(row.tokens_after + LEAD for row in parts) <= room:
        return tuple(map(Brief.of, parts))
    chosen = [row for row in wholes if row.tokens_after + LEAD <= room]
    room -= sum(row.tokens_after + LEAD for row in chosen)
    newest = []
    for row in reversed(parts):
        room -= row.tokens_after + LEAD
        if room < 0:
            break
        newest.append(row)
    return tuple(map(Brief.of, [*chosen, *reversed(newest)]))


def _sorted(rows: Sequence[Summary], kind: str) -> list[Summary]:
    return sorted((row for row in rows if row.kind == kind), key=lambda row: row.first_position)
