"""Entries: what a list of terms says of each, held back until the list ends.

Where most entries go on over paragraphs, each is a heading: what stands far below is of its term.
"""

from collections.abc import Callable

from citations.formats.blocks import BULLET
from citations.formats.plain.manual import MANY, TERM_LEVEL
from citations.formats.sections import Sections


class Entries:
    """Gives the entries of the open list to the sections as soon as it ends."""

    def __init__(self, sections: Sections) -> None:
        self._sections = sections
        # Of each its term, and what adds the blocks that tell of it.
        self._entries: list[tuple[str, list[Callable[[], None]]]] = []

    def begin(self, term: str, text: str, level: int) -> None:
        """Begin an entry, or add one to what the open entry says, if it stands further in."""
        said = f"{term.rstrip(':')}: {text}" if text else term
        if level == 0:
            self._entries.append((term, []))
        self.add(lambda: self._sections.item(said, BULLET, level))

    def add(self, block: Callable[[], None]) -> None:
        """Add a block to the open entry, or at once."""
        if self._entries:
            self._entries[-1][1].append(block)
        else:
            block()

    def end(self) -> None:
        """End the list: what comes is of none of its terms."""
        entries, self._entries = self._entries, []
        long = sum(len(blocks) > 1 for _, blocks in entries)
        are_headings = long >= MANY and 2 * long >= len(entries)
        for term, blocks in entries:
            if are_headings:
                self._sections.heading(TERM_LEVEL, term.rstrip(":"))
            for block in blocks:
                block()
        if are_headings:
            self._sections.leave(TERM_LEVEL)
