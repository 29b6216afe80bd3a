"""Summaries and shortened turns that represent older turns in a window, from rows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from uuid import UUID

from django.conf import settings
from django.db.models import Q

from memory.fields import SealedTextField
from memory.models import Session, Summary
from memory.models.summaries import SummaryQuerySet
from memory.recall.summaries.levels import SECTION

Kind = Summary.Kind
# Tokens of the introduction of each in a prompt.
LEAD = 10
# Most sections read, the newest; older ones are in the summary of the whole.
MOST_SECTIONS = 12


COLUMNS = (
    "kind",
    "first_position",
    "last_position",
    "tokens_after",
    "turn_id",
    "pk",
    "owner_id",
    "text",
)


@dataclass(frozen=True)
class Brief:
    """Some turns in few words, and their tokens in a prompt; decrypted only if they fit."""

    kind: str
    first: int
    last: int
    # Of its text and its introduction.
    tokens: int
    # The turn of a single turn's summary.
    turn_id: UUID | None
    row_id: UUID
    owner_id: UUID
    sealed: bytes

    @cached_property
    def text(self) -> str:
        field: SealedTextField = Summary._meta.get_field("text")
        return str(field.open_value(self.sealed, owner=self.owner_id, identity=self.row_id))


def _read_briefs(rows: SummaryQuerySet) -> list[Brief]:
    """Return the rows as briefs; unused rows get no object."""
    return [
        Brief(kind, first, last, tokens + LEAD, *others)
        for kind, first, last, tokens, *others in rows.values_list(*COLUMNS)
    ]


@dataclass(frozen=True)
class Summaries:
    """Short versions of turns by their position, and summaries of older ones, in order."""

    turns: Mapping[int, Brief] = field(default_factory=dict)
    levels: tuple[Brief, ...] = ()


def read_summaries(
    session: Session, positions: Collection[int], *, before: int, room: int
) -> Summaries:
    """Read the summaries of single turns, and those before a position that fit into `room` tokens.

    These are the newest segments and sections, and the whole for older ones: one query, of a
    bounded size. Its result changes with a segment, not with a turn.
    """
    wanted = Q(kind=Kind.TURN, first_position__in=positions)
    if settings.ENABLE_COMPRESSION and before > SECTION // 5:
        wanted |= _build_older_filter(before)
    elif not positions:
        return Summaries()
    briefs = _read_briefs(Summary.objects.filter(wanted, session=session))
    turns = {brief.first: brief for brief in briefs if brief.kind == Kind.TURN}
    return Summaries(turns, _fit_briefs(briefs, room))


def _build_older_filter(before: int) -> Q:
    recent = before - MOST_SECTIONS * SECTION
    kinds = (
        Q(kind__in=[Kind.SESSION, Kind.ROLLING])
        | Q(kind=Kind.SECTION, last_position__gte=recent)
        | Q(kind=Kind.SEGMENT, last_position__gte=before - 2 * SECTION)
    )
    return Q(kinds, last_position__lt=before)


def _fit_briefs(briefs: Sequence[Brief], room: int) -> tuple[Brief, ...]:
    sections, segments = _list_by_kind(briefs, Kind.SECTION), _list_by_kind(briefs, Kind.SEGMENT)
    since = sections[-1].last if sections else 0
    parts = [*sections, *(brief for brief in segments if brief.first > since)]
    wholes = [*_list_by_kind(briefs, Kind.ROLLING), *_list_by_kind(briefs, Kind.SESSION)][-1:]
    has_all = bool(parts) and parts[0].first == 1
    if has_all and sum(brief.tokens for brief in parts) <= room:
        return tuple(parts)
    chosen = [brief for brief in wholes if brief.tokens <= room]
    room -= sum(brief.tokens for brief in chosen)
    newest = []
    for brief in reversed(parts):
        room -= brief.tokens
        if room < 0:
            break
        newest.append(brief)
    return (*chosen, *reversed(newest))


def _list_by_kind(briefs: Sequence[Brief], kind: str) -> list[Brief]:
    return sorted((brief for brief in briefs if brief.kind == kind), key=lambda each: each.first)
