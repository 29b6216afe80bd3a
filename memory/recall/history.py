"""Choice of the earlier turns for the window: pure functions of positions, tokens and scores.

Each strategy orders the turns by priority; `fit` takes whole turns in that order while they fit.
The newest turn and then the first of the session have the highest priority, so they are kept
longest.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from memory.models.conversations import Strategy
from memory.recall.rewriting.questions import ReadQuestion
from memory.text.token_counting import count_tokens

FEW_TURNS = 3
EARLIER = re.compile(
    r"\b(earlier|before|previously|at the (start|beginning)|first question|you said|"
    r"we (discussed|talked)|mentioned|again)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Route:
    """A strategy and the reason it was chosen."""

    strategy: Strategy
    reason: str


def route(question: ReadQuestion, *, turns: int, all_fit: bool, asked_for: str) -> Route:
    """Choose a strategy; the session's own has priority over the question."""
    if asked_for != Strategy.AUTO:
        return Route(Strategy(asked_for), "chosen_by_session")
    if turns < FEW_TURNS:
        return Route(Strategy.SEQUENTIAL, "few_turns")
    if all_fit:
        return Route(Strategy.SEQUENTIAL, "all_turns_fit")
    if EARLIER.search(question.text):
        return Route(Strategy.RELEVANCE, "points_at_earlier_turns")
    if question.leans_back:
        return Route(Strategy.HYBRID, "follow_up")
    return Route(Strategy.HYBRID, "long_session")


RECENT = 3
MARKER_TOKENS = 48
SUMMARISED, UNANSWERED = "summarised", "unanswered"


@dataclass(frozen=True)
class Gap:
    """A range of positions that was left out, and the reason."""

    first: int
    last: int
    reason: str


@dataclass(frozen=True)
class Selection:
    """The chosen positions, in order, their tokens, and the gaps."""

    positions: tuple[int, ...]
    tokens: int
    gaps: tuple[Gap, ...]


def order_positions(
    strategy: Strategy,
    positions: Iterable[int],
    scores: Mapping[int, float] | None = None,
    *,
    minimum: float = 0.0,
) -> list[int]:
    """Return the positions in the order in which the strategy wants them.

    sequential: newest first. relevance: by score, at least `minimum`. hybrid: the last three,
    then by score. A turn without a score can't be relevant.
    """
    newest_first = sorted(positions, reverse=True)
    known = scores or {}
    scored = [position for position in newest_first if known.get(position, -1.0) >= minimum]
    relevant = sorted(scored, key=lambda position: known[position], reverse=True)
    ranked = {
        Strategy.SEQUENTIAL: newest_first,
        Strategy.RELEVANCE: relevant,
        Strategy.HYBRID: newest_first[:RECENT] + relevant,
    }[strategy]
    ends = newest_first[:1] + newest_first[-1:]
    return list(dict.fromkeys([*ends, *ranked]))


def fit(
    order: Sequence[int],
    tokens: Mapping[int, int],
    *,
    allowance: int,
    max_turns: int,
    last: int,
    contiguous: bool,
    unwanted: str = "not_relevant",
    unanswered: Set[int] = frozenset(),
) -> Selection:
    """Take whole turns in order of priority while they fit; `last` is the newest position.

    Where turns are left out, MARKER_TOKENS are reserved for the one line that names them. With
    `contiguous`, the first turn that doesn't fit ends the choice, except for the session's first.
    Other turns are left out for the reason `unwanted`, or as `unanswered`.
    """
    whole = sum(tokens[position] for position in order)
    complete = len(order) == last and last <= max_turns and whole <= allowance
    room = allowance if complete else allowance - MARKER_TOKENS
    chosen: list[int] = []
    first = min(order, default=0)
    stopped = ""
    for position in order:
        if len(chosen) == max_turns:
            stopped = "max_turns"
            break
        if tokens[position] <= room:
            chosen.append(position)
            room -= tokens[position]
        elif contiguous and position != first:
            break
    found = _find_gaps(sorted(chosen), last, sorted(order), stopped or "no_room", unwanted)
    gaps = tuple(_correct_gap_reason(gap, unanswered) for gap in found)
    return Selection(tuple(sorted(chosen)), sum(tokens[position] for position in chosen), gaps)


def _correct_gap_reason(gap: Gap, unanswered: Set[int]) -> Gap:
    """Return the gap with its true reason if none of its turns has a usable answer."""
    is_empty = all(position in unanswered for position in range(gap.first, gap.last + 1))
    return replace(gap, reason=UNANSWERED) if is_empty else gap


def _find_gaps(
    chosen: Sequence[int], last: int, candidates: Sequence[int], dropped: str, unwanted: str
) -> tuple[Gap, ...]:
    """Return the ranges of positions from 1 to `last` that are not chosen, each with its reason."""
    gaps, expected = [], 1
    for position in [*chosen, last + 1]:
        if position > expected:
            # Candidates are sorted, so a bisection shows whether a missing position is among them.
            wanted_one = bisect_left(candidates, expected) < bisect_left(candidates, position)
            gaps.append(Gap(expected, position - 1, dropped if wanted_one else unwanted))
        expected = position + 1
    return tuple(gaps)


def refine_gaps(
    gaps: Sequence[Gap], present: Iterable[int], summarised: Sequence[tuple[int, int]]
) -> tuple[Gap, ...]:
    """Return the gaps without the positions that are in the window after all.

    Turns covered by a summary in the window get that as their reason.
    """
    standing = set(present)
    edges = {edge for gap in gaps for edge in (gap.first, gap.last + 1)}
    edges |= {edge for at in standing for edge in (at, at + 1)}
    edges |= {edge for first, last in summarised for edge in (first, last + 1)}
    found: list[Gap] = []
    # Between two edges all positions are alike: the cost doesn't grow with the session.
    for first, end in pairwise(sorted(edges)):
        reason = next((gap.reason for gap in gaps if gap.first <= first <= gap.last), None)
        if reason is None or first in standing:
            continue
        if any(since <= first <= last for since, last in summarised):
            reason = SUMMARISED
        if found and (found[-1].last, found[-1].reason) == (first - 1, reason):
            found[-1] = replace(found[-1], last=end - 1)
        else:
            found.append(Gap(first, end - 1, reason))
    return tuple(found)


def format_gap_marker(gaps: Sequence[Gap]) -> str:
    """Return the one line that names the turns left out, within MARKER_TOKENS."""
    count = sum(gap.last - gap.first + 1 for gap in gaps)
    for named in range(min(len(gaps), 6), -1, -1):
        ranges = [
            str(gap.first) if gap.first == gap.last else f"{gap.first}-{gap.last}"
            for gap in gaps[:named]
        ]
        more = ["others"] if named < len(gaps) else []
        line = f"[{count} earlier turns left out of this context: {', '.join(ranges + more)}]"
        if count_tokens(line) <= MARKER_TOKENS:
            return line
    return "[Earlier turns left out]"
