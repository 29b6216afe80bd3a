"""Ranges of positions that are condensed together: pure functions of positions.

Positions are never reused, so a range means the same turns for good. Ranges begin at fixed
positions: a condensed range doesn't change while the conversation goes on.
"""

from collections.abc import Iterator
from dataclasses import dataclass

SEGMENT, SECTION = 5, 25


@dataclass(frozen=True)
class Range:
    """Positions from the first to the last."""

    first: int
    last: int

    def __contains__(self, position: object) -> bool:
        return isinstance(position, int) and self.first <= position <= self.last

    def parts(self, size: int) -> Iterator["Range"]:
        """Yield the ranges of `size` positions in it."""
        for first in range(self.first, self.last + 1, size):
            yield Range(first, min(first + size - 1, self.last))


def complete(last_position: int) -> Range:
    """Return the range of the complete segments."""
    return Range(1, last_position // SEGMENT * SEGMENT)
