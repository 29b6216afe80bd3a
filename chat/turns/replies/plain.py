"""A reply without a search, and the formatting of its lines."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.text.plain import join_lines

# Most listed questions, documents or quotations (the newest), and the characters of each.
MOST_LISTED, LONGEST_SHOWN = 40, 300


@dataclass(frozen=True)
class PlainReply:
    """A reply without a search; an empty text if a search has to answer."""

    text: str = ""
    # The turns that it repeats, as runs with first and last position.
    told: Sequence[tuple[int, int]] = ()
    # The person's own documents that it names.
    names: Collection[UUID] = ()


def make_runs(positions: Iterable[int]) -> list[tuple[int, int]]:
    """Return a run of length one for each position."""
    return [(position, position) for position in positions]


def shorten_text(text: str) -> str:
    """Return the text on one line, shortened."""
    return join_lines(text, LONGEST_SHOWN)


def format_list(lines: Iterable[str]) -> str:
    """Return the lines as a list in Markdown."""
    return "\n".join(f"- {line}" for line in lines)
