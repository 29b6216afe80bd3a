"""Lines of a page: words on one baseline, in cells where wide gaps part them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from citations.formats.cleaning import clean
from citations.formats.pdf.word_boxes import Word, is_rightward

# In sizes of the font: gaps between cells and between cells with figures, how far apart baselines
# of one row are, and the gap that a space of code has.
WIDE, CLOSE, SAME_ROW, CODE_SPACE, TOUCHING = 0.9, 0.42, 0.25, 0.31, 0.02
FIGURE = re.compile(r"[-+(−]*[$€£¥]?\(?\d[\d.,]*[)%]{0,2}|[—–-]+")
CURRENCY = re.compile(r"(?:US|A|C|HK)?[$€£¥]\s?\(?|\(")
UNIT = re.compile(r"[)%]{1,2}|\)\s?%|[)%]*\[\w{1,2}\]|pts?\.?|bps|x")
MOSTLY = 0.85


@dataclass
class Cell:
    """Words of a row without a wide gap between them."""

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: float  # shares of the characters
    mono: float


@dataclass(eq=False)
class Line:
    """The cells of one row, from the left."""

    cells: list[Cell]

    @cached_property
    def text(self) -> str:
        ordered = self.cells
        if sum(is_rightward(char) for cell in ordered for char in cell.text[:1]) * 2 > len(ordered):
            ordered = ordered[::-1]
        return " ".join(cell.text for cell in ordered)

    @cached_property
    def longest(self) -> Cell:
        return max(self.cells, key=lambda cell: len(cell.text))

    @property
    def size(self) -> float:
        return self.longest.size

    @property
    def y(self) -> float:
        return self.longest.y

    @property
    def x0(self) -> float:
        return self.cells[0].x0

    @property
    def x1(self) -> float:
        return self.cells[-1].x1

    @cached_property
    def is_bold(self) -> bool:
        return self._share("bold") > MOSTLY

    @cached_property
    def is_mono(self) -> bool:
        return self._share("mono") > MOSTLY

    def _share(self, name: str) -> float:
        total = sum(len(cell.text) for cell in self.cells)
        return sum(getattr(cell, name) * len(cell.text) for cell in self.cells) / max(total, 1)


def cells_of(words: Iterable[Word]) -> list[Cell]:
    """Return the cells of a page, from the top down and in each row from the left."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda word: -word.y):
        row = rows[-1] if rows else None
        if row and row[0].y - word.y <= SAME_ROW * min(row[0].style.size, word.style.size):
            row.append(word)
        else:
            rows.append([word])
    return [cell for row in rows for cell in split_row(row) if cell.text]


def split_row(row: Sequence[Word]) -> Iterator[Cell]:
    """Yield the cells of a row, parted at wide gaps."""
    begun: list[Word] = []
    for word in sorted(row, key=lambda word: word.x0):
        if begun and is_apart(begun[-1], word):
            yield cell_of(begun)
            begun = []
        begun.append(word)
    yield cell_of(begun)


def is_apart(before: Word, word: Word) -> bool:
    """Return whether a gap parts cells: between figures, columns may be close together."""
    gap = (word.x0 - before.x1) / max(word.style.size, before.style.size)
    are_figures = FIGURE.fullmatch(before.text) and (
        FIGURE.fullmatch(word.text) or CURRENCY.fullmatch(word.text)
    )
    return gap > (CLOSE if are_figures else WIDE)


def cell_of(words: Sequence[Word]) -> Cell:
    sizes: Counter[float] = Counter()
    bold = mono = 0
    for word in words:
        sizes[word.style.size] += len(word.text)
        bold += len(word.text) * word.style.is_bold
        mono += len(word.text) * word.style.is_mono
    total = sizes.total() or 1
    x0, x1 = words[0].x0, max(word.x1 for word in words)
    size, text = sizes.most_common(1)[0][0], clean(text_of(words)).strip()
    return Cell(text, x0, x1, words[0].y, size, bold / total, mono / total)


def text_of(words: Sequence[Word]) -> str:
    """Return the words in the order in which they are read, with their spaces."""
    ordered = list(words)
    if sum(is_rightward(word.text[0]) for word in words) * 2 > len(words):
        ordered.reverse()
    is_code = all(word.style.is_mono for word in words)
    text = ordered[0].text
    for before, word in pairwise(ordered):
        gap = max(word.x0 - before.x1, before.x0 - word.x1)
        size = max(before.style.size, word.style.size)
        space = CODE_SPACE if is_code else TOUCHING if word.is_apart else SAME_ROW
        text += " " * (gap > space * size) + word.text
    return text


def lines_of(cells: Iterable[Cell]) -> list[Line]:
    """Return the rows of a column, from the top; a sign stands in the cell of its figure."""
    rows: list[list[Cell]] = []
    for cell in sorted(cells, key=lambda cell: -cell.y):
        row = rows[-1] if rows else None
        if row and row[0].y - cell.y <= SAME_ROW * min(cell.size, row[0].size):
            row.append(cell)
        else:
            rows.append([cell])
    return [Line(join_signs(sorted(row, key=lambda cell: cell.x0))) for row in rows]


def join_signs(row: Sequence[Cell]) -> list[Cell]:
    found: list[Cell] = []
    for cell in row:
        if found and (CURRENCY.fullmatch(found[-1].text) or UNIT.fullmatch(cell.text)):
            left = found.pop()
            space = "" if UNIT.fullmatch(cell.text) or left.text.endswith("(") else " "
            text = left.text + space + cell.text
            cell = Cell(text, left.x0, cell.x1, cell.y, cell.size, cell.bold, cell.mono)
        found.append(cell)
    return found
