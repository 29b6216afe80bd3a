"""A turn as events, from its rows or from the process that is answering.

Every event has the id `attempt:offset`. The offset is the event's place in the attempt's full
record:

    0 turn   1 to 6 step   7 rewrite   8 passages
    8+n delta that ends with the answer's n-th character
    999999997 delta of footnotes   999999998 and 999999999 step   1000000000 citations
    1000000001 done or error

Characters are counted as they are stored, whatever the citation style. The event `citations` has
the citations, their claims, and the number of supported claims. Numbers that the product added are
in it, and not in the text. The event `structure` has the new rows of a structured answer, and the
id of the event before it. So a reader with Last-Event-ID gets the rest, without gap or repeat, from
this process or another. A `turn` event begins an attempt: earlier text is void. A waiting turn
sends `waiting`, with the id of `turn`, whenever the number of answers before it changes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from chat.shapes.citation_styles import restyle_text
from chat.shapes.resources.events import opening_shape
from chat.shapes.resources.turns import list_source_positions, load_citations, turn_shape
from chat.shapes.resources.vocabulary import as_json
from chat.turns.live import Live
from citations.session_focus.document_scope import count_reachable_documents, get_scope
from memory.errors import NotFound
from memory.models import Attempt, Turn
from memory.models.conversations import CitationStyle
from memory.models.rows import get_row_or_none
from memory.recall.rewriting.exchanges import Rewrite

TURN, REWRITE, PASSAGES, TEXT = 0, 7, 8, 8
NOTES, STEPS, CITATIONS, END = 999_999_997, 999_999_998, 1_000_000_000, 1_000_000_001
# Steps that come with the end of an answer.
ENDING_STEPS = ("written", "checked")
REWRITTEN = ("standalone_query", "changed", "reason", "confidence", "drawn_from")
Shape = Mapping[str, Any]


@dataclass(frozen=True)
class Event:
    """One event of a stream."""

    name: str
    id: str
    data: Shape

    def encoded(self) -> bytes:
        place = f"id: {self.id}\n" if self.id else ""
        return f"{place}event: {self.name}\ndata: {as_json(self.data)}\n\n".encode()


@dataclass(frozen=True)
class Cursor:
    """The attempt and the offset of the last event that a reader has."""

    attempt: int = 0
    offset: int = -1

    @classmethod
    def parse(cls, event_id: str) -> "Cursor":
        """Return the cursor of an event id; a foreign id is the beginning."""
        attempt, _, offset = event_id.partition(":")
        if not (attempt.isascii() and attempt.isdigit() and offset.isascii() and offset.isdigit()):
            return cls()
        return cls(int(attempt[:10]), int(offset[:10]))


NOTHING = Cursor()


@dataclass(frozen=True)
class Snapshot:
    """The state of an attempt at one moment."""

    attempt: int
    turn: Shape
    opening: Shape = field(default_factory=dict)
    text: str = ""
    style: str = CitationStyle.INLINE
    # The written part of a structured answer.
    table: Shape | None = None
    # The finished turn, once it has ended.
    ended: Shape | None = None
    # The number of answers before it in this process's queue, while it waits.
    before: int | None = None
    # Whether the answering process is dead.
    lapsed: bool = False


def list_new_events(snapshot: Snapshot, cursor: Cursor, rows: int = 0) -> Iterator[Event]:
    """Yield the snapshot's events after the cursor, skipping the table's known rows."""
    seen, end = _find_seen(snapshot, cursor), TEXT + len(snapshot.text)

    def event(name: str, offset: int, data: Shape) -> Iterator[Event]:
        if offset > seen:
            yield Event(name, f"{snapshot.attempt}:{offset}", data)

    yield from event("turn", TURN, snapshot.turn)
    if (opening := snapshot.opening) and seen < PASSAGES:
        for at, step in enumerate(opening.get("steps", ()), TURN + 1):
            yield from event("step", at, step)
        rewrite = {key: opening[key] for key in REWRITTEN}
        yield from event("rewrite", REWRITE, rewrite)
        yield from event("passages", PASSAGES, {"passages": opening["passages"]})
    if fresh := restyle_text(snapshot.text, snapshot.style, after=max(0, seen - TEXT)):
        yield from event("delta", end, {"text": fresh})
    if seen < NOTES:
        yield from list_table_events(snapshot.table, rows, f"{snapshot.attempt}:{end}")
    if snapshot.ended is not None:
        for name, offset, data in list_closing_events(
            snapshot.ended, snapshot.text, snapshot.style
        ):
            yield from event(name, offset, data)


def list_table_events(table: Shape | None, known: int, event_id: str = "") -> Iterator[Event]:
    """Yield the event with the table's new rows, if there are any."""
    if table and len(table["rows"]) > known:
        yield Event("structure", event_id, {**table, "first": known, "rows": table["rows"][known:]})


def read_table(turn: Shape) -> Shape | None:
    """Return the table of a finished turn as streamed while it was written."""
    if (content := turn.get("structured_output")) is None:
        return None
    named = {name: content[name] for name in ("structure", "version", "columns")}
    return {**named, "rows": [[cell["text"] for cell in row] for row in content["rows"]]}


def list_closing_events(turn: Shape, text: str, style: str) -> Iterator[tuple[str, int, Shape]]:
    """Yield the last events of a turn's answer, each by name, offset and data."""
    if below := turn["response"][len(restyle_text(text, style)) :]:
        yield "delta", NOTES, {"text": below}
    steps = (each for each in turn.get("pipeline_steps", ()) if each["step"] in ENDING_STEPS)
    for at, step in enumerate(steps, STEPS):
        yield "step", at, step
    yield "citations", CITATIONS, {name: turn[name] for name in ("citations", "claims", "support")}
    if turn["status"] == Turn.Status.FAILED:
        yield "error", END, {**(turn["failure"] or {}), "turn": turn}
    else:
        yield "done", END, turn


def _find_seen(snapshot: Snapshot, cursor: Cursor) -> int:
    """Return the offset up to which the reader has the snapshot's attempt."""
    seen = cursor.offset if cursor.attempt == snapshot.attempt else -1
    # During writing a reader from another process may be ahead of the row.
    is_ahead = seen > TEXT + len(snapshot.text)
    is_other = snapshot.ended is not None and (is_ahead or _is_rescued(snapshot))
    # If the stored text differs from the reader's, it is sent from the beginning.
    return -1 if TEXT < seen < NOTES and is_other else seen


def make_end_event(cursor: Cursor) -> Event:
    """Return the event that ends a stream after the cursor without the reader's turn."""
    missing = NotFound()
    data = {"code": missing.code, "message": missing.message, "turn": None}
    return Event("error", f"{cursor.attempt}:{END}", data)


def make_waiting_event(snapshot: Snapshot) -> Event:
    """Return the event with the number of answers before it; it has the `turn` event's id."""
    return Event("waiting", f"{snapshot.attempt}:{TURN}", {"before": snapshot.before})


def _is_rescued(snapshot: Snapshot) -> bool:
    """Return whether the text was taken over from a process that couldn't record it."""
    failure = (snapshot.ended or {}).get("failure") or {}
    return failure.get("code") in ("server_restarted", "internal_error")


def take_live_snapshot(live: Live, stored: Snapshot) -> Snapshot:
    """Return the stored attempt with the text that this process has written so far."""
    before = None if live.opening else live.before
    return replace(
        stored, opening=live.opening, text=live.text, table=live.table, before=before, lapsed=False
    )


def read_snapshot(asked: Turn, style: str = "", seen: Cursor = NOTHING) -> Snapshot | None:
    """Return the snapshot of the turn's newest attempt from its rows; None if the turn is gone.

    The answer is in the style, or else the turn's own. Data of the `turn` event alone is left out
    for a reader who has it.
    """
    attempt = Attempt.objects.filter(turn=asked).order_by("-number").first()
    if attempt is None:
        return None
    # Read after its attempt: the turn of an ended attempt has its answer already, and an open
    # attempt has no citations to load.
    rows = Turn.objects.filter(pk=asked.pk, owner=asked.owner_id)
    turn = get_row_or_none(
        load_citations(rows) if attempt.finished_at else rows.select_related("session")
    )
    if turn is None:
        return None
    if attempt.finished_at and turn.is_open:  # a retry began between the two queries
        return read_snapshot(turn, style, seen)
    begun = _turn_data(turn, attempt, with_documents=seen.attempt != attempt.number)
    style = style or turn.style
    if attempt.finished_at is None:
        lapsed = Attempt.objects.filter(turn=asked).lapsed().filter(pk=attempt.pk).exists()
        opening = attempt.opening or {}
        return Snapshot(attempt.number, begun, opening, attempt.partial, style, lapsed=lapsed)
    shape = turn_shape(turn, style)
    table = read_table(shape)
    ended = Snapshot(attempt.number, begun, {}, turn.response, style, table, ended=shape)
    if _find_seen(ended, seen) >= PASSAGES:
        return ended
    opening = _read_opening(turn, attempt)
    before = [each for each in ended.ended["pipeline_steps"] if each["step"] not in ENDING_STEPS]  # type: ignore[index]
    return replace(ended, opening={**opening, "steps": before} if opening else {})


def make_first_snapshot(attempt: Attempt, style: str = "") -> Snapshot:
    """Return the snapshot of a turn's first attempt that has just been stored."""
    begun = _turn_data(attempt.turn, attempt, with_documents=True)
    return Snapshot(attempt.number, begun, style=style or attempt.turn.style)


def _turn_data(turn: Turn, attempt: Attempt, *, with_documents: bool) -> Shape:
    """Return the data of the `turn` event."""
    documents = (
        count_reachable_documents(turn.owner_id, get_scope(turn)) if with_documents else None
    )
    return {
        "turn_id": str(turn.pk),
        "session_id": str(turn.session_id),
        "position": turn.position,
        "attempt": attempt.number,
        "resumed": attempt.resumes,
        "status": turn.status,
        "query": turn.query,
        "documents": documents,
    }


def _read_opening(turn: Turn, attempt: Attempt) -> Shape:
    """Return the attempt's opening from its context record."""
    record = get_row_or_none(turn.context_records.filter(attempt=attempt.number))
    if record is None or turn.standalone_query is None:
        return {}
    confidence = 1.0 if turn.rewrite_confidence is None else turn.rewrite_confidence
    found = record.passages.exclude(passage=None).order_by("rank")
    found = found.select_related("passage__document")
    return opening_shape(
        Rewrite(
            turn.standalone_query,
            record.rewrite_reason,
            tuple(list_source_positions(turn)),
            confidence,
        ),
        turn.query,
        found.defer("passage__text", "passage__layout"),
    )
