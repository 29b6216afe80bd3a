"""Earlier turns in a prompt: selected ones, and recent ones that fill the window.

A server's prefix cache holds as long as prompts begin alike. So the newest turns are messages in a
block that grows at its end and drops its oldest turns several at a time. Older turns, which are
selected again for each question, are in the question's message.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.models.conversations import Strategy
from memory.recall import Brief, Recalled, RecalledTurn
from memory.recall.budget import Limits, compute_fill_limit
from memory.recall.history import MARKER_TOKENS, RECENT, Selection, fit, refine_gaps

BLOCK = 4


@dataclass(frozen=True)
class Earlier:
    """The selected turns, and the position at which the recent block begins."""

    selection: Selection
    begin: int

    def is_apart(self, position: int) -> bool:
        """Return whether the turn is in the question's message: not the first, nor a recent one."""
        return 1 < position < self.begin


def select(recalled: Recalled, allowance: int, limits: Limits) -> Earlier:
    """Return the turns that fit, with the beginning of the recent block."""
    strategy, order = recalled.route.strategy, recalled.order
    if not order:
        return Earlier(_fit_turns(order, recalled, allowance, limits), 0)
    if strategy == Strategy.SEQUENTIAL:
        selection = _fit_turns(order, recalled, allowance, limits)
        has_all = len(selection.positions) == len(recalled.turns)
        if has_all and recalled.last_position <= limits.history_turns:
            return Earlier(selection, 0)
        begin = _find_beginning([at for at in selection.positions if at > 1] or [1])
        kept = [at for at in order if at == 1 or at >= begin]
        return Earlier(_fit_turns(kept, recalled, allowance, limits), begin)
    row = _select_row(recalled, min(allowance, limits.history), limits)
    begin = _find_beginning(row) if strategy == Strategy.HYBRID else row[-1]
    wanted = [*order[:2], *(at for at in reversed(row) if at >= begin), *order]
    selection = _fit_turns(list(dict.fromkeys(wanted)), recalled, allowance, limits)
    return Earlier(selection, begin)


def _select_row(recalled: Recalled, allowance: int, limits: Limits) -> list[int]:
    """Return the newest turns that fit into history's own share, oldest first."""
    since = recalled.last_position + 1 - limits.history_turns
    row: list[int] = []
    for position in sorted(recalled.turns, reverse=True):
        allowance -= recalled.turns[position].tokens
        if row and (allowance < 0 or position < since):
            break
        row.append(position)
    return row[::-1]


def _find_beginning(row: Sequence[int]) -> int:
    """Return the first position, rounded up to a multiple of BLOCK unless too few turns remain."""
    block = -(-(row[0] - 1) // BLOCK) * BLOCK + 1
    return block if row[-1] - block + 1 >= RECENT else row[0]


def _fit_turns(
    order: Sequence[int], recalled: Recalled, allowance: int, limits: Limits
) -> Selection:
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


Spare = RecalledTurn | Brief
# Share of history for whole turns beside summaries, which hold more per token.
WHOLE_SHARE = 2 / 3


@dataclass(frozen=True)
class Filling:
    """Additional history beside the selected turns, the most useful spare turns first."""

    summaries: tuple[Brief, ...] = ()
    spare: tuple[Spare, ...] = ()

    @property
    def turns(self) -> list[RecalledTurn]:
        """The whole turns, in order."""
        whole = (each for each in self.spare if isinstance(each, RecalledTurn))
        return sorted(whole, key=lambda turn: turn.position)

    @property
    def briefs(self) -> list[Brief]:
        """The summarised turns, in order."""
        short = (each for each in self.spare if isinstance(each, Brief))
        return sorted(short, key=lambda brief: brief.first)

    @property
    def summary_tokens(self) -> int:
        return sum(brief.tokens for brief in self.summaries)

    @property
    def spare_tokens(self) -> int:
        return sum(each.tokens for each in self.spare)

    def smaller(self) -> "Filling":
        """Drop the least useful spare turn, and at last the oldest summary."""
        if self.spare:
            return replace(self, spare=self.spare[:-1])
        return replace(self, summaries=self.summaries[1:])

    def extend(self, selection: Selection) -> Selection:
        """Return the selection together with the additional history."""
        present = [get_position(each) for each in self.spare]
        summarised = [(brief.first, brief.last) for brief in self.summaries]
        return Selection(
            tuple(sorted([*selection.positions, *present])),
            selection.tokens + self.spare_tokens,
            refine_gaps(selection.gaps, present, summarised),
        )


def get_position(each: Spare) -> int:
    """Return the position of a turn, whole or summarised."""
    return each.first if isinstance(each, Brief) else each.position


def compute_demand(recalled: Recalled, limits: Limits) -> int:
    """Return the tokens that selected turns and summaries need, at most history's share."""
    wanted = sum(turn.tokens for turn in recalled.turns.values()) + MARKER_TOKENS
    summaries = sum(brief.tokens for brief in recalled.summaries)
    return min(wanted, int(limits.history * WHOLE_SHARE)) + summaries if summaries else wanted


def turn_allowance(recalled: Recalled, allowance: int) -> int:
    """Return the tokens that summaries leave to whole turns."""
    summaries = sum(brief.tokens for brief in recalled.summaries)
    return allowance - min(summaries, int(allowance * (1 - WHOLE_SHARE)))


def fill_room(recalled: Recalled, selection: Selection, limits: Limits, *, room: int) -> Filling:
    """Fill the remaining tokens with summaries and spare turns, up to half a window of history.

    Summaries of turns that are in the window are left out.
    """
    room = min(room, compute_fill_limit(limits) - selection.tokens)
    chosen = set(selection.positions)
    summaries = _select_summaries(recalled.summaries, chosen, recalled.last_position, room)
    room -= sum(brief.tokens for brief in summaries)
    spare = []
    for each in recalled.spare:
        if get_position(each) not in chosen and each.tokens <= room:
            spare.append(each)
            room -= each.tokens
    return Filling(summaries, tuple(spare))


def _select_summaries(
    summaries: Sequence[Brief], chosen: set[int], last: int, room: int
) -> tuple[Brief, ...]:
    begin = last + 1
    while begin - 1 in chosen:
        begin -= 1
    kept = [brief for brief in summaries if brief.first < begin]
    while kept and sum(brief.tokens for brief in kept) > room:
        kept = kept[1:]
    return tuple(kept)
