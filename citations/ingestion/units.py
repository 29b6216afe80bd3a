"""Units: text that is not cut if it fits: a block, or a sentence, line or word of a longer one."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from citations.formats.blocks import CELLS, ROWS, Block, BlockKind
from memory.text.embedding import count_pieces, get_embedder
from memory.text.words import find_sentences

MOST_WITHOUT = 230  # word pieces, without an embedder


@dataclass(frozen=True)
class Measure:
    """The length of a text in the embedder's pieces, and a passage's limits."""

    count: Callable[[str], int]
    most: int
    # Limits characters as well, since any unbroken run of letters may be one word piece.
    characters: int = 2400

    @classmethod
    def read_embedder(cls) -> "Measure":
        """Return the measure of the present embedder."""
        engine = get_embedder()
        return cls(count_pieces, engine.most if engine else MOST_WITHOUT)

    def reduce_by_head(self, head: str) -> "Measure":
        """Return the measure that is left under the title and the headings."""
        return Measure(self.count, self.most - self.count(head), self.characters)

    def fits(self, text: str) -> bool:
        return len(text) <= self.characters and self.count(text) <= self.most


@dataclass(frozen=True)
class BlockUnit:
    """A stretch of a block, and its length in word pieces."""

    block: int
    start: int
    end: int
    pieces: int


def split_block(at: int, block: Block, measure: Measure) -> list[BlockUnit]:
    """Return the block as one unit, or its parts in order if it is too long."""
    text = block.text
    if not text.strip():
        return []
    if len(text) <= measure.characters and (count := measure.count(text)) <= measure.most:
        return [BlockUnit(at, 0, len(text), count)]
    parts = (
        piece
        for part in find_natural_parts(block)
        for piece in split_in_halves(text, *part, measure)
        if text[slice(*piece)].strip()
    )
    return [BlockUnit(at, start, end, measure.count(text[start:end])) for start, end in parts]


def split_unit(unit: BlockUnit, block: Block, measure: Measure) -> list[BlockUnit]:
    """Return the sentences of a unit that may be split after all."""
    text = block.text[unit.start : unit.end]
    return [
        BlockUnit(unit.block, unit.start + start, unit.start + end, measure.count(text[start:end]))
        for start, end in find_sentences(text)
    ]


def find_natural_parts(block: Block) -> Iterable[tuple[int, int]]:
    """Return the spans of code's lines, of a row's cells or of a text's sentences."""
    if block.kind == BlockKind.CODE:
        return split_by_separator(block.text, "\n")
    if block.kind in ROWS:
        return split_by_separator(block.text, CELLS)
    return find_sentences(block.text)


def split_by_separator(text: str, separator: str) -> Iterator[tuple[int, int]]:
    start = 0
    for part in text.split(separator):
        if part.strip():
            yield start, start + len(part)
        start += len(part) + len(separator)


def split_in_halves(text: str, start: int, end: int, measure: Measure) -> Iterator[tuple[int, int]]:
    """Yield the stretch, or halves of it, repeatedly split until they fit, between words if
    possible.
    """
    if end - start < 2 or measure.fits(text[start:end]):
        yield start, end
        return
    middle = (start + end) // 2
    space = text.rfind(" ", start + 1, middle)
    split = space + 1 if space > start + (end - start) // 4 else middle
    yield from split_in_halves(text, start, split, measure)
    yield from split_in_halves(text, split, end, measure)
