"""Units: text that is not cut if it fits: a block, or a sentence, line or word of a longer one."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from citations.formats.blocks import CELLS, ROWS, Block, BlockKind
from memory.text.embedding import count_pieces, get_embedder
from memory.text.words import find_sentences

MOST_WITHOUT = 230  # pieces, where there is no embedder


@dataclass(frozen=True)
class Measure:
    """How long a text is to the embedder, and how long a passage may be in full."""

    count: Callable[[str], int]
    most: int
    # Word pieces don't bound the text: any unbroken run of letters may count as one.
    characters: int = 2400

    @classmethod
    def read_embedder(cls) -> "Measure":
        """Return the measure of the embedder of now."""
        engine = get_embedder()
        return cls(count_pieces, engine.most if engine else MOST_WITHOUT)

    def reduce_by_head(self, head: str) -> "Measure":
        """Return the measure of what may stand under the title and the headings."""
        return Measure(self.count, self.most - self.count(head), self.characters)

    def fits(self, text: str) -> bool:
        return len(text) <= self.characters and self.count(text) <= self.most


@dataclass(frozen=True)
class BlockUnit:
    """A stretch of a block, and how long it is."""

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
    """Return the sentences of a unit that may be parted after all."""
    text = block.text[unit.start : unit.end]
    return [
        BlockUnit(unit.block, unit.start + start, unit.start + end, measure.count(text[start:end]))
        for start, end in find_sentences(text)
    ]


def find_natural_parts(block: Block) -> Iterable[tuple[int, int]]:
    """Return where the lines of code, the cells of a row or the sentences of a text stand."""
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
    """Yield the stretch, or halves of halves of it that fit, split between words if it can."""
    if end - start < 2 or measure.fits(text[start:end]):
        yield start, end
        return
    middle = (start + end) // 2
    space = text.rfind(" ", start + 1, middle)
    split = space + 1 if space > start + (end - start) // 4 else middle
    yield from split_in_halves(text, start, split, measure)
    yield from split_in_halves(text, split, end, measure)
