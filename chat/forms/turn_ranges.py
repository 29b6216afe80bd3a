"""Ranges of a conversation's turns to export: `3`, `2-5`, `7-`, separated by commas."""

import re
from collections.abc import Iterable

from django.utils.translation import gettext as _

RANGE = re.compile(r"\s*(\d{1,6})\s*(?:(-)\s*(\d{1,6})?)?\s*")
MOST_RANGES = 50
LAST = 10**6
Ranges = list[tuple[int, int]]


def parse_turns(text: str) -> Ranges:
    """Parse ranges of turns; an empty text means all turns. Raises ValueError."""
    parts = text.split(",") if text.strip() else []
    if len(parts) > MOST_RANGES:
        raise ValueError(_("At most %d ranges of turns.") % MOST_RANGES)
    return [_parse_range(part) for part in parts]


def _parse_range(part: str) -> tuple[int, int]:
    found = RANGE.fullmatch(part)
    first = int(found[1]) if found else 0
    last = int(found[3] or LAST) if found and found[2] else first
    if not 0 < first <= last:
        raise ValueError(_("Give the numbers of turns as in 1-3,5."))
    return first, last


def is_selected(position: int, ranges: Ranges) -> bool:
    """Return whether the ranges contain the position; no ranges mean all."""
    return not ranges or any(first <= position <= last for first, last in ranges)


def find_bounds(ranges: Iterable[tuple[int, int]], last: int) -> tuple[int, int]:
    """Return the first and the last position of the ranges; open ones end at `last`."""
    chosen = list(ranges) or [(1, last)]
    return min(first for first, _ in chosen), min(last, max(end for _, end in chosen))


def count_selected(ranges: Ranges, last: int) -> int:
    """Return an upper bound of the selected positions, up to `last`."""
    return sum(max(min(end, last) - first + 1, 0) for first, end in ranges) if ranges else last
