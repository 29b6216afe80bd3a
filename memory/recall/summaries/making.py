"""Making of summaries: a job for each conversation that is long enough, a section at a time.

Nothing waits for it. Its turns may be deleted meanwhile: a summary is stored only if all its turns
still exist unchanged. A deletion enqueues the job again.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import transaction

from memory.holds import is_held
from memory.jobs import AuditClass, Lease, WorkClass, enqueue, job, register_kind
from memory.metrics.counting import count
from memory.models import Session, Summary, Turn
from memory.recall.summaries import condensing
from memory.recall.summaries.condensing import Kind
from memory.recall.summaries.levels import SECTION, SEGMENT, Range, complete
from memory.recall.titles import name_by_topics

CONDENSE = register_kind("condense_session", WorkClass.CONVERSATIONS, AuditClass.RECORDED)
READ = ("owner_id", "position", "query", "query_tokens", "response", "recalled_tokens", "outcome")
# The newest sections in the summary of the whole conversation.
MOST_SECTIONS = 200
# The most segments that it is made of instead, since they say more than sections.
MOST_SEGMENTS = 10
# Share of the window from which a conversation is condensed.
FULL = 0.95
# Called with a conversation whose summaries are made, in the transaction that ends their job.
Condensed = Callable[[Session], None]
_told: list[Condensed] = []


def when_condensed(function: Condensed) -> Condensed:
    """Register a function that continues with the summaries, by a language model."""
    _told.append(function)
    return function


def condense_later(session_id: UUID, owner: UUID | None = None) -> None:
    """Enqueue the missing summaries of the conversation, in the caller's transaction."""
    enqueue(CONDENSE, session_id, owner=owner)


def needs_condensing(session: Session, position: int) -> bool:
    """Return whether the turn that has just ended completes a segment to be condensed."""
    return position % SEGMENT == 0 and _is_due(session, position)


@job(CONDENSE)
def condense_session(lease: Lease) -> None:
    """Make the missing summaries of a conversation."""
    session = Session.objects.filter(pk=lease.subject).first()
    if session is None or not _is_due(session, session.last_position):
        with lease.finishing():
            return
    for at in find_incomplete_sections(session):
        turns, rows = _make_missing_summaries(session, at)
        with transaction.atomic():
            lease.pulse(progress=at.first, total=session.last_position)
            _store(session, turns, rows)
    whole = _make_whole_summary(session)
    with lease.finishing():
        if whole is not None:
            _store_whole(session, *whole)
        for tell in _told:
            tell(session)


def _is_due(session: Session, last_position: int) -> bool:
    """Return whether a conversation is so long that its older turns are condensed."""
    if not settings.ENABLE_COMPRESSION:
        return False
    is_full = session.context_tokens >= FULL * session.context_window
    return last_position >= settings.COMPRESSION_THRESHOLD or (is_full and last_position >= SEGMENT)


def _complete(session: Session) -> Range:
    """Return the range of the complete segments: none of their turns is open."""
    answering = session.turns.open().values_list("position", flat=True).first()
    return complete((answering or session.last_position + 1) - 1)


def find_incomplete_sections(session: Session) -> Iterator[Range]:
    """Yield the sections with a missing summary, the last one as far as it is complete."""
    whole = _complete(session)
    turns = session.turns.remembered().filter(position__lte=whole.last).order_by("position")
    there = list(turns.values_list("position", flat=True))
    made = set(session.summaries.values_list("kind", "first_position"))
    by_section: dict[int, list[int]] = {}
    for position in there:
        by_section.setdefault((position - 1) // SECTION, []).append(position)
    for number, positions in by_section.items():
        at = Range(number * SECTION + 1, min((number + 1) * SECTION, whole.last))
        if _list_wanted_summaries(at, positions) - made:
            yield at


def _list_wanted_summaries(at: Range, positions: Sequence[int]) -> set[tuple[str, int]]:
    """Return the summaries that a section needs, given its remaining turns."""
    wanted = {(str(Kind.TURN), position) for position in positions}
    if settings.COMPRESSION_STRATEGY == "hierarchical":
        firsts = {(position - 1) // SEGMENT * SEGMENT + 1 for position in positions}
        wanted |= {(str(Kind.SEGMENT), first) for first in firsts}
        if at.last - at.first + 1 == SECTION:
            wanted.add((str(Kind.SECTION), at.first))
    return wanted


def _make_missing_summaries(session: Session, at: Range) -> tuple[list[Turn], list[Summary]]:
    """Return the section's turns, and its missing summaries."""
    turns = _read(session, at)
    rows = session.summaries.filter(first_position__gte=at.first, last_position__lte=at.last)
    have = {(row.kind, row.first_position): row for row in rows}
    wanted = _list_wanted_summaries(at, [turn.position for turn in turns]) - set(have)
    made: list[Summary] = [
        condensing.summarise_turn(session, turn)
        for turn in turns
        if (Kind.TURN, turn.position) in wanted
    ]
    segments = []
    for part in at.parts(SEGMENT):
        if (Kind.SEGMENT, part.first) in wanted:
            within = [turn for turn in turns if turn.position in part]
            made.append(condensing.summarise_segment(session, within, part))
            segments.append(made[-1])
        elif (Kind.SEGMENT, part.first) in have:
            segments.append(have[Kind.SEGMENT, part.first])
    if (Kind.SECTION, at.first) in wanted:
        made.append(condensing.summarise_parts(session, Kind.SECTION, segments, at))
    return turns, made


def _read(session: Session, at: Range) -> list[Turn]:
    rows = session.turns.remembered().filter(position__range=(at.first, at.last))
    return list(rows.only(*READ, "finished_at").order_by("position"))


def _store(session: Session, turns: Sequence[Turn], rows: Sequence[Summary]) -> None:
    """Store the summaries of the turns, if these are unchanged."""
    if not Session.objects.select_for_update().filter(pk=session.pk).exists():
        return
    as_read = {(turn.pk, turn.finished_at) for turn in turns}
    ids = [turn.pk for turn in turns]
    now = set(Turn.objects.remembered().filter(pk__in=ids).values_list("pk", "finished_at"))
    if now == as_read:
        # Another worker may have stored them already.
        Summary.objects.bulk_create(rows, ignore_conflicts=True)
        transaction.on_commit(partial(_count, rows))


def _make_whole_summary(session: Session) -> tuple[list[Summary], Summary] | None:
    """Return the newest summary of the whole conversation, and its parts."""
    if settings.COMPRESSION_STRATEGY == "turn":
        return None
    is_rolling = settings.COMPRESSION_STRATEGY == "rolling"
    kind = Kind.ROLLING if is_rolling else Kind.SESSION
    before = session.summaries.filter(kind=kind).order_by("first_position").last()
    whole = _complete(session)
    if before is not None and (before.is_edited or before.last_position >= whole.last):
        return None  # an edited text stays until it is reverted
    if is_rolling:
        since = before.last_position if before else 0
        rows = session.summaries.filter(kind=Kind.TURN, first_position__gt=since)
        parts = list(rows.order_by("first_position"))
        read = [*([before] if before else []), *parts]
    else:
        read = parts = _read_parts(session)
    return (parts, condensing.summarise_parts(session, kind, read, whole)) if parts else None


def _read_parts(session: Session) -> list[Summary]:
    """Return the conversation's sections and later segments; of a short one all segments."""
    whole = session.summaries.filter(kind=Kind.SEGMENT).order_by("first_position")
    if len(few := list(whole[: MOST_SEGMENTS + 1])) <= MOST_SEGMENTS:
        return few
    sections = session.summaries.filter(kind=Kind.SECTION).order_by("-first_position")
    newest = list(sections[:MOST_SECTIONS])[::-1]
    since = newest[-1].last_position if newest else 0
    segments = session.summaries.filter(kind=Kind.SEGMENT, first_position__gt=since)
    return [*newest, *segments.order_by("first_position")]


def _store_whole(session: Session, parts: Sequence[Summary], row: Summary) -> None:
    """Replace the previous summary, if all the parts still exist."""
    current = Session.objects.select_for_update().filter(pk=session.pk).first()
    if current is None:
        return
    still = Summary.objects.filter(pk__in=[part.pk for part in parts]).count()
    rows = session.summaries.filter(kind=row.kind, first_position=row.first_position)
    before = rows.first()
    if still < len(parts) or (before and (before.is_edited or is_held(session))):
        return
    rows.delete()
    row.save(force_insert=True)
    transaction.on_commit(partial(_count, [row]))
    name_by_topics(current, row.topics)


def _count(rows: Sequence[Summary]) -> None:
    for row in rows:
        count("condensations_total", kind=row.kind)
        count("condensed_tokens_total", row.tokens_before, kind=row.kind, when="before")
        count("condensed_tokens_total", row.tokens_after, kind=row.kind, when="after")
