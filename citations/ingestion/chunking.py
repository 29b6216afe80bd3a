"""Chunking: sections become passages that fit the embedder in full.

A passage holds whole blocks where it can; otherwise it ends between rows, items, sentences or
lines. Context is repeated above each further piece: the caption and header rows of a table, the
short lead of a list, and the sentence before the rest of a paragraph. A passage is of one page,
except for blocks that belong together, as a lead and its list. The layout gives the kind of each
part.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from citations.formats.blocks import (
    BODY_ROWS,
    CELLS,
    ROWS,
    Block,
    BlockKind,
    Span,
    Text,
    find_table_spans,
    join_blocks,
)
from citations.formats.reading import Section
from citations.index.full_text import add_headings
from citations.ingestion.small_sections import merge_small
from citations.ingestion.units import BlockUnit, Measure, split_block, split_unit
from citations.models.passages import SEPARATOR
from memory.text.words import find_sentences

OVERLAP_CHARACTERS = 300
# Shares of a passage: repeated rows, a lead, and a text too short to stand alone.
MOST_REPEATED, LONGEST_LEAD, LITTLE = 1 / 2, 1 / 5, 1 / 3
# Quality of a passage's end before a unit, from worst to best.
APART, IN_BLOCK, BETWEEN_LINES, BETWEEN_BLOCKS = range(4)

Stretch = tuple[int, int, int]  # block, start and end in its text


@dataclass(frozen=True)
class Piece:
    """A passage that is not stored yet."""

    heading: str
    text: str
    page: int | None
    layout: Sequence[Span] = ()


def chunk_sections(
    sections: Iterable[Section], *, title: str, measure: Measure | None = None
) -> Iterator[Piece]:
    """Yield the pieces of a document in order; each fits the measure in full."""
    measure = measure or Measure.read_embedder()
    for headings, parts in groupby(merge_small(sections), key=lambda section: section.headings):
        heading = SEPARATOR.join(headings)
        below = measure.reduce_by_head(add_headings(title, heading, ""))
        for found, page in Stream.read(parts, below).pieces():
            yield Piece(heading, found.text, page, found.layout)


@dataclass(frozen=True)
class Stream:
    """The blocks under one heading, the page of each, and the units that passages are made of."""

    blocks: Sequence[Block]
    pages: Sequence[int | None]
    units: list[BlockUnit]
    measure: Measure

    @classmethod
    def read(cls, sections: Iterable[Section], measure: Measure) -> "Stream":
        pairs = [(block, section.page) for section in sections for block in section.blocks]
        blocks = [block for block, _ in pairs]
        units = [
            unit for at, block in enumerate(blocks) for unit in split_block(at, block, measure)
        ]
        return cls(blocks, [page for _, page in pairs], units, measure)

    def pieces(self) -> Iterator[tuple[Text, int | None]]:
        first = 0
        while first < len(self.units):
            above = self._repeated(first)
            after = self._end(first, self._filled(first, above))
            text = self._text(above, first, after)
            while not self.measure.fits(text.text) and (after > first + 1 or above):
                after, above = (after - 1, above) if after > first + 1 else (after, [])
                text = self._text(above, first, after)
            yield text, self.pages[self.units[first].block]
            first = after

    # --- Filling ----------------------------------------------------------------------------------

    def _filled(self, first: int, above: Sequence[Stretch]) -> int:
        """Return the end of the units, from the first on, that fit below the repeated stretches."""
        room = self.measure.most - sum(map(self._count, above))
        size = self.units[first].pieces
        length = self.units[first].end - self.units[first].start
        # The repeated column names of the rest of a row don't fit the next row.
        is_rest, after = self.units[first].start > 0 and self._kind(first) in BODY_ROWS, first + 1
        while after < len(self.units):
            unit = self.units[after]
            is_little = size < self.measure.most * LITTLE
            if self._page(after) != self._page(first) and not self._goes_on(after, room - size):
                break
            if is_rest and unit.block != self.units[first].block:
                break
            length += unit.end - unit.start
            if size + unit.pieces > room or length > self.measure.characters:
                if not (is_little and self._open(after)):
                    break
                length -= unit.end - unit.start
                continue
            size += unit.pieces
            after += 1
        return after

    def _goes_on(self, at: int, room: int) -> bool:
        """Return whether the unit belongs to the one above it on an earlier page."""
        before, here = self.units[at - 1].block, self.units[at].block
        if before == here or self._strength(at) == APART:
            return True
        kinds = self.blocks[before].kind, self.blocks[here].kind
        is_list = kinds == (BlockKind.ITEM, BlockKind.ITEM)
        if not is_list and not all(kind in BODY_ROWS for kind in kinds):
            return False
        is_over = self._page(at) != self._page(at - 1)
        return not is_over or (is_list and self._has_room(at, room))

    def _has_room(self, at: int, room: int) -> bool:
        """Return whether the rest of a list fits."""
        while at < len(self.units) and self._kind(at) == BlockKind.ITEM:
            room -= self.units[at].pieces
            if room < 0:
                return False
            at += 1
        return True

    def _open(self, at: int) -> bool:
        """Replace a paragraph by its sentences, so that some can join a short text."""
        unit = self.units[at]
        block = self.blocks[unit.block]
        parts = split_unit(unit, block, self.measure) if block.kind == BlockKind.PARAGRAPH else []
        if len(parts) > 1:
            self.units[at : at + 1] = parts
        return len(parts) > 1

    def _end(self, first: int, after: int) -> int:
        """Move the end back to a better place, if at least half of the piece is left."""
        if after == len(self.units):
            return after
        sizes = [unit.pieces for unit in self.units[first:after]]
        half, size = sum(sizes) / 2, sum(sizes)
        best, strength = after, self._strength(after)
        at_any_price = strength == APART
        for end in range(after - 1, first, -1):
            size -= sizes[end - first]
            if size < half and not at_any_price:
                break
            if self._strength(end) > strength:
                best, strength = end, self._strength(end)
                at_any_price = False
        return best

    def _strength(self, at: int) -> int:
        """Return the quality of a piece's end before the unit."""
        before, here = self.units[at - 1], self.units[at]
        if before.block == here.block:
            return IN_BLOCK
        kinds = self.blocks[before.block].kind, self.blocks[here.block].kind
        if kinds[0] == BlockKind.HEADING or here.block in self._begun or self._leads(here.block):
            return APART
        is_line = kinds == (BlockKind.ITEM,) * 2 or all(kind in BODY_ROWS for kind in kinds)
        return BETWEEN_LINES if is_line else BETWEEN_BLOCKS

    @cached_property
    def _begun(self) -> frozenset[int]:
        """The blocks of tables that belong to the block above: up to the first row."""
        found: set[int] = set()
        for table in find_table_spans(self.blocks):
            for at in table[1:]:
                found.add(at)
                if self.blocks[at].kind in BODY_ROWS:
                    break
        return frozenset(found)

    def _leads(self, block: int) -> bool:
        """Return whether a paragraph above introduces the block, or the block under its caption."""
        is_title = self.blocks[block].kind == BlockKind.CAPTION and block + 1 < len(self.blocks)
        return self._find_lead(block + is_title) < block

    def _find_lead(self, block: int) -> int:
        """Return the paragraph that introduces the block, above a caption if any, or the block."""
        kinds = (BlockKind.ITEM, BlockKind.CODE, BlockKind.FORMULA, *ROWS)
        above = block - 1
        if above > 0 and self.blocks[above].kind == BlockKind.CAPTION:
            above -= 1
        if above < 0 or self.blocks[block].kind not in kinds:
            return block
        lead = self.blocks[above]
        # Before a command, sentences often lack punctuation: "To update, run".
        is_open = self.blocks[block].kind == BlockKind.CODE and lead.text[-1:].isalnum()
        is_lead = lead.kind == BlockKind.PARAGRAPH and (lead.text.endswith((":", "：")) or is_open)
        return above if is_lead else block

    # --- Repeated context -------------------------------------------------------------------------

    def _repeated(self, first: int) -> list[Stretch]:
        """Return the stretches repeated above a piece that begins with the unit."""
        unit = self.units[first]
        kind = self.blocks[unit.block].kind
        if first == 0:
            return []
        if kind in BODY_ROWS:
            return self._find_names(unit) or self._lead(unit.block)
        if kind in (BlockKind.ITEM, BlockKind.CODE):
            begin = unit.block
            while (
                begin and self.blocks[begin].kind == self.blocks[begin - 1].kind == BlockKind.ITEM
            ):
                begin -= 1
            return self._lead(begin)
        before = self.units[first - 1]
        is_short = before.end - before.start <= OVERLAP_CHARACTERS
        if before.block == unit.block and is_short:
            return [(before.block, before.start, before.end)]
        return []

    @cached_property
    def _tables(self) -> dict[int, range]:
        return {at: table for table in find_table_spans(self.blocks) for at in table}

    def _find_names(self, unit: BlockUnit) -> list[Stretch]:
        """Return the head of a table; above the rest of a row, only the names of its columns."""
        head = self._table_head(unit.block)
        count = self.blocks[unit.block].text.count(CELLS, 0, unit.start)
        for at, (block, _, end) in enumerate(head):
            cells = self.blocks[block].text.split(CELLS)
            if count and self.blocks[block].kind == BlockKind.HEADER and len(cells) > count:
                head[at] = block, end - len(CELLS.join(cells[count:])), end
        return head

    def _table_head(self, block: int) -> list[Stretch]:
        """Return the head above the table's rows.

        If it is too long, the header rows with most text, and the last.
        """
        table = self._tables[block]
        heads = [at for at in table if self.blocks[at].kind not in BODY_ROWS and at < block]
        if not self._is_repeatable(heads):
            heads = [at for at in heads if self.blocks[at].kind == BlockKind.HEADER]
        while len(heads) > 1 and not self._is_repeatable(heads):
            heads.remove(min(heads[:-1], key=self._said))
        return self._whole(heads) if self._is_repeatable(heads) else []

    def _is_repeatable(self, blocks: Sequence[int]) -> bool:
        length = sum(map(self._count, self._whole(blocks)))
        return length <= self.measure.most * MOST_REPEATED

    def _whole(self, blocks: Sequence[int]) -> list[Stretch]:
        return [(at, 0, len(self.blocks[at].text)) for at in blocks]

    def _said(self, block: int) -> int:
        """Return the number of letters and digits in the block."""
        return sum(map(str.isalnum, self.blocks[block].text))

    def _lead(self, block: int) -> list[Stretch]:
        """Return the sentence that introduces the block, if there is a short one."""
        above = self._find_lead(block)
        if above == block:
            return []
        start, end = find_sentences(self.blocks[above].text)[-1]
        lead = [(above, start, end), *self._whole(range(above + 1, block))]
        return lead if sum(map(self._count, lead)) <= self.measure.most * LONGEST_LEAD else []

    # --- Text -------------------------------------------------------------------------------------

    def _text(self, above: Sequence[Stretch], first: int, after: int) -> Text:
        stretches = list(above)
        for unit in self.units[first:after]:
            if stretches and stretches[-1][0] == unit.block:
                stretches[-1] = (unit.block, stretches[-1][1], unit.end)
            else:
                stretches.append((unit.block, unit.start, unit.end))
        return join_blocks(
            Block(self.blocks[block].kind, self.blocks[block].text[start:end])
            for block, start, end in stretches
        )

    def _count(self, stretch: Stretch) -> int:
        block, start, end = stretch
        return self.measure.count(self.blocks[block].text[start:end])

    def _kind(self, at: int) -> BlockKind:
        return self.blocks[self.units[at].block].kind

    def _page(self, at: int) -> int | None:
        return self.pages[self.units[at].block]
