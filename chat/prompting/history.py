"""Earlier turns in a prompt: which stand as messages of their own, and what their markers name.

A server keeps what it has read of a prompt as long as the next one begins alike. So the newest
turns stand in a row that grows at its end, and loses its oldest turns a block at a time; older
ones, which are chosen anew for each question, stand with the question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.attribution.citing import Offer
from citations.models import Citation
from memory.models import Turn
from memory.models.conversations import Strategy
from memory.recall import Recalled, RecalledTurn
from memory.recall.budget import Limits
from memory.recall.history import RECENT, Selection, fit
from memory.text.citation_markers import stored_markers, without_markers

BLOCK = 4
# Of an answer's citations so many are looked at.
MOST_CITED = 200


@dataclass(frozen=True)
class Earlier:
    """The turns that go in, and the position from which they stand in the row."""

    selection: Selection
    begin: int

    def is_apart(self, position: int) -> bool:
        """Return whether the turn stands with the question: neither the first nor in the row."""
        return 1 < position < self.begin


def select(recalled: Recalled, allowance: int, limits: Limits, *, in_blocks: bool) -> Earlier:
    """Return the turns that fit; with `in_blocks`, the row of the newest begins with a block."""
    strategy, order = recalled.route.strategy, recalled.order
    if not in_blocks or not order:
        return Earlier(_fitting(order, recalled, allowance, limits), 0)
    if strategy == Strategy.SEQUENTIAL:
        selection = _fitting(order, recalled, allowance, limits)
        has_all = len(selection.positions) == len(recalled.turns)
        if has_all and recalled.last_position <= limits.history_turns:
            return Earlier(selection, 0)
        begin = _beginning([at for at in selection.positions if at > 1] or [1])
        kept = [at for at in order if at == 1 or at >= begin]
        return Earlier(_fitting(kept, recalled, allowance, limits), begin)
    row = _row(recalled, min(allowance, limits.history), limits)
    begin = _beginning(row) if strategy == Strategy.HYBRID else row[-1]
    wanted = [*order[:2], *(at for at in reversed(row) if at >= begin), *order]
    selection = _fitting(list(dict.fromkeys(wanted)), recalled, allowance, limits)
    return Earlier(selection, begin)


def _row(recalled: Recalled, allowance: int, limits: Limits) -> list[int]:
    """Return the newest turns that fit in what history has in any case, oldest first."""
    since = recalled.last_position + 1 - limits.history_turns
    row: list[int] = []
    for position in sorted(recalled.turns, reverse=True):
        allowance -= recalled.turns[position].tokens
        if row and (allowance < 0 or position < since):
            break
        row.append(position)
    return row[::-1]


def _beginning(row: Sequence[int]) -> int:
    """Return where the row begins: with a block, unless too little of it were left."""
    block = -(-(row[0] - 1) // BLOCK) * BLOCK + 1
    return block if row[-1] - block + 1 >= RECENT else row[0]


def _fitting(order: Sequence[int], recalled: Recalled, allowance: int, limits: Limits) -> Selection:
    return fit(
        order,
        {position: turn.tokens for position, turn in recalled.turns.items()},
        allowance=allowance,
        max_turns=limits.history_turns,
        last=recalled.last_position,
        contiguous=recalled.route.strategy == Strategy.SEQUENTIAL,
        unwanted=recalled.unwanted,
        unanswered=recalled.unanswered,
    )


# --- Markers of earlier answers -------------------------------------------------------------------


@dataclass(frozen=True)
class NamedMarkers:
    """What the markers of an earlier answer name, by where they stand in it."""

    position: int
    passages: Mapping[int, tuple[int | None, UUID | None]]


def cited_last(recalled: Recalled) -> NamedMarkers | None:
    """Return what the newest answer cites, by one query; None if it cites nothing.

    Older answers go without their markers, so that they read alike in every prompt.
    """
    turn = recalled.turns[max(recalled.turns)] if recalled.turns else None
    if turn is None or turn.shortened or not isinstance(turn.row, Turn):
        return None
    if "[" not in turn.row.response:
        return None
    rows = Citation.objects.filter(turn=turn.row, is_added=False).order_by("start")
    named = rows.values_list("start", "passage_id", "source__document_id")[:MOST_CITED]
    return NamedMarkers(
        turn.position, {start: (passage, document) for start, passage, document in named}
    )


def relabelled(turn: RecalledTurn, cited: NamedMarkers, offers: Sequence[Offer]) -> str:
    """Return the answer with markers where what they name is offered now, by its new label.

    What is not offered loses its marker: its old number would name something else.
    """
    by_passage = {offer.passage.pk: offer.label for offer in offers}
    by_document = {offer.document_id: offer.label for offer in reversed(offers)}
    text, pieces, at = turn.row.response, [], 0
    for marker in stored_markers(text):
        passage, document = cited.passages.get(marker.start(1) - 1, (None, None))
        label = by_passage.get(passage or 0) or (by_document.get(document) if document else None)
        pieces += [without_markers(text[at : marker.start()]), f" [{label}]" if label else ""]
        at = marker.end()
    return "".join([*pieces, without_markers(text[at:])])
