"""Numbering: the numbers that Word and LibreOffice draw before items and headings."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from citations.formats.blocks import BULLET

PLACE = re.compile(r"%([1-9])")
LONGEST = 40
WORTHS = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
ROMAN = "m cm d cd c xc l xl x ix v iv i".split()


class ListLevel(NamedTuple):
    """The numbering of a list's level; "%1.%2" refers to the counts of two levels."""

    form: str
    text: str
    start: int = 1


class ListCounts:
    """The counts of lists that are numbered together."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}

    def begin(self, level: int) -> None:
        """Restart the level, and those below it."""
        self._counts = {each: count for each, count in self._counts.items() if each < level}

    def mark(self, levels: Mapping[int, ListLevel], level: int, count: int | None = None) -> str:
        """Return the number of the next paragraph, or a bullet if it has none."""
        known = levels.get(level, ListLevel("", ""))
        self.begin(level + 1)
        self._counts[level] = (
            self._counts.get(level, known.start - 1) + 1 if count is None else count
        )
        if known.form in ("", "bullet", "none"):
            return BULLET

        def shown(found: re.Match[str]) -> str:
            at = int(found[1])
            form, _, start = levels.get(at, ListLevel("decimal", ""))
            return write_count(form, self._counts.get(at, start))

        mark = PLACE.sub(shown, known.text[:LONGEST]).strip()
        return f"{mark} " if mark else BULLET


def write_count(form: str, count: int) -> str:
    """Return the number in letters, Roman numerals or digits."""
    text = ""
    if form.endswith("Letter") and count > 0:
        # After z comes aa.
        text = chr(ord("a") + (count - 1) % 26) * min((count - 1) // 26 + 1, 10)
    elif form.endswith("Roman") and 0 < count < 4000:
        for worth, sign in zip(WORTHS, ROMAN, strict=True):
            text += sign * (count // worth)
            count %= worth
    if text:
        return text.upper() if form.startswith("upper") else text
    return f"{count:02}" if form == "decimalZero" else str(count)
