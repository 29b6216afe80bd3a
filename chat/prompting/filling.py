"""The rest of a window, filled with summaries of older turns and with spare turns.

Summaries stand where turns were left out, and stay the same from question to question; the others
are chosen anew for each, and stand with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.recall import Brief, Recalled, RecalledTurn
from memory.recall.budget import Limits, filled_most
from memory.recall.history import MARKER_TOKENS, Selection, explained

Spare = RecalledTurn | Brief
# Share of history for whole turns beside summaries, which keep more for their tokens.
WHOLE_SHARE = 2 / 3


@dataclass(frozen=True)
class Filling:
    """What goes in beside the turns that were chosen; of the spare ones the most wanted first."""

    ladder: tuple[Brief, ...] = ()
    spare: tuple[Spare, ...] = ()

    @property
    def turns(self) -> list[RecalledTurn]:
        """Those that go in as they are, in order."""
        whole = (each for each in self.spare if isinstance(each, RecalledTurn))
        return sorted(whole, key=lambda turn: turn.position)

    @property
    def briefs(self) -> list[Brief]:
        """Those that go in in few words, in order."""
        short = (each for each in self.spare if isinstance(each, Brief))
        return sorted(short, key=lambda brief: brief.first)

    @property
    def ladder_tokens(self) -> int:
        return sum(brief.tokens for brief in self.ladder)

    @property
    def spare_tokens(self) -> int:
        return sum(each.tokens for each in self.spare)

    def smaller(self) -> "Filling":
        """Give up the least wanted, and at last the oldest summary."""
        if self.spare:
            return replace(self, spare=self.spare[:-1])
        return replace(self, ladder=self.ladder[1:])

    def extend(self, selection: Selection) -> Selection:
        """Return the selection with what is in the window beside it."""
        present = [position(each) for each in self.spare]
        summarised = [(brief.first, brief.last) for brief in self.ladder]
        return Selection(
            tuple(sorted([*selection.positions, *present])),
            selection.tokens + self.spare_tokens,
            explained(selection.gaps, present, summarised),
        )


def position(each: Spare) -> int:
    """Return the position of a turn, as it is or in few words."""
    return each.first if isinstance(each, Brief) else each.position


def history_demand(recalled: Recalled, limits: Limits) -> int:
    """Return the tokens that chosen turns and summaries want, at most history's share."""
    wanted = sum(turn.tokens for turn in recalled.turns.values()) + MARKER_TOKENS
    summaries = sum(brief.tokens for brief in recalled.ladder)
    return min(wanted, int(limits.history * WHOLE_SHARE)) + summaries if summaries else wanted


def turn_allowance(recalled: Recalled, allowance: int) -> int:
    """Return the tokens that summaries leave to whole turns."""
    summaries = sum(brief.tokens for brief in recalled.ladder)
    return allowance - min(summaries, int(allowance * (1 - WHOLE_SHARE)))


def fill_room(recalled: Recalled, selection: Selection, limits: Limits, *, room: int) -> Filling:
    """Fill the room with summaries and spare turns; history may have half a window in all.

    Summaries of what stands in the window as it is are left out.
    """
    room = min(room, filled_most(limits) - selection.tokens)
    chosen = set(selection.positions)
    ladder = _ladder(recalled.ladder, chosen, recalled.last_position, room)
    room -= sum(brief.tokens for brief in ladder)
    spare = []
    for each in recalled.spare:
        if position(each) not in chosen and each.tokens <= room:
            spare.append(each)
            room -= each.tokens
    return Filling(ladder, tuple(spare))


def _ladder(ladder: Sequence[Brief], chosen: set[int], last: int, room: int) -> tuple[Brief, ...]:
    begin = last + 1
    while begin - 1 in chosen:
        begin -= 1
    kept = [brief for brief in ladder if brief.first < begin]
    while kept and sum(brief.tokens for brief in kept) > room:
        kept = kept[1:]
    return tuple(kept)
