"""Earlier turns in a prompt, and those of them that stand as messages of their own.

A server's prefix cache holds as long as prompts begin alike. So the newest turns stand in a row
that grows at its end, and loses its oldest turns a block at a time; older ones, which are chosen
anew for each question, stand with the question.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.models.conversations import Strategy
from memory.recall import Recalled
from memory.recall.budget import Limits
from memory.recall.history import RECENT, Selection, fit

BLOCK = 4


@dataclass(frozen=True)
class Earlier:
    """The turns that go in, and the position from which they stand in the row."""

    selection: Selection
    begin: int

    def is_apart(self, position: int) -> bool:
        """Return whether the turn stands with the question: neither the first nor in the row."""
        return 1 < position < self.begin


def select(recalled: Recalled, allowance: int, limits: Limits) -> Earlier:
    """Return the turns that fit; the row of the newest begins with a block."""
    strategy, order = recalled.route.strategy, recalled.order
    if not order:
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
