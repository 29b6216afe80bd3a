"""Blocks: the elements of a document, and how they are joined into plain text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple


class BlockKind(StrEnum):
    """The kind of a block."""

    HEADING = "heading"  # only in a passage of several small sections, or of one without text
    PARAGRAPH = "paragraph"
    ITEM = "item"  # of a list, with its number or bullet
    CODE = "code"  # its line breaks and indentation are kept
    CAPTION = "caption"  # of a table or figure
    HEADER = "header"  # a row of column names
    ROW = "row"
    TOTAL = "total"  # a row of sums, or a balance
    FORMULA = "formula"
    FOOTNOTE = "footnote"


KINDS = frozenset(kind.value for kind in BlockKind)
BULLET = "- "
INDENTATION = "  "  # of an item in an inner list
DEEPEST = 4
CELLS = " | "
# The last cell of a row that is shown without some of its cells.
LEFT_OUT = "…"
BODY_ROWS = (BlockKind.ROW, BlockKind.TOTAL)
ROWS = (BlockKind.HEADER, *BODY_ROWS)


class Block(NamedTuple):
    """A stretch of text of one kind."""

    kind: BlockKind
    text: str


class Span(NamedTuple):
    """The place of a block in a text, in characters, and its kind."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True)
class Text:
    """Blocks as one plain text, with their spans."""

    text: str
    layout: list[Span]


def choose_gap(before: BlockKind, kind: BlockKind) -> str:
    """Return the separator of two blocks; items and rows are on consecutive lines."""
    together = before == kind == BlockKind.ITEM or (before in ROWS and kind in BODY_ROWS)
    return "\n" if together or before == kind == BlockKind.HEADER else "\n\n"


def join_blocks(blocks: Iterable[Block]) -> Text:
    """Return the blocks as one text."""
    parts: list[str] = []
    layout: list[Span] = []
    at, before = 0, None
    for kind, text in blocks:
        if before is not None:
            parts.append(choose_gap(before, kind))
            at += len(parts[-1])
        parts.append(text)
        layout.append(Span(at, at + len(text), kind))
        at, before = at + len(text), kind
    return Text("".join(parts), layout)


def join_cells(cells: Sequence[str]) -> str:
    """Return cells as a row: empty ones keep their place, except at the end."""
    filled = [cell.replace(CELLS, "|") for cell in cells]  # a bar in a cell is no separator
    while filled and not filled[-1]:
        filled.pop()
    return CELLS.join(filled)


def format_item(text: str, mark: str = BULLET, level: int = 0) -> str:
    """Return an item with its mark, indented by its level."""
    return INDENTATION * min(level, DEEPEST) + mark + text


def find_table_spans(blocks: Sequence[Block]) -> Iterator[range]:
    """Yield the range of each table's rows, with its caption and its header rows."""
    first: int | None = None
    for at, (kind, _) in enumerate(blocks):
        begins = kind in (BlockKind.CAPTION, BlockKind.HEADER) and (
            first is None or blocks[at - 1].kind not in (BlockKind.CAPTION, BlockKind.HEADER)
        )
        if first is not None and (begins or kind not in (*ROWS, BlockKind.CAPTION)):
            yield range(first, at)
            first = None
        if first is None and kind in (*ROWS, BlockKind.CAPTION):
            first = at
    if first is not None:
        yield range(first, len(blocks))


def load_spans(text: str, layout: Sequence[Any]) -> list[Span]:
    """Return the valid spans of a stored layout; a restored package may contain anything."""
    found: list[Span] = []
    at = 0
    for part in layout:
        match part:
            case [int(start), int(end), str(kind)] if at <= start < end <= len(text):
                if kind in KINDS:
                    found.append(Span(start, end, kind))
                    at = end
    return found
