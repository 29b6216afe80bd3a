"""Lines of a page: words on one baseline, in cells that wide gaps separate."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

from citations.formats.cleaning import clean
from citations.formats.pdf.words import Word, is_rightward

# In sizes of the font: gaps between cells, gaps between figures, the distance of baselines in one
# row, and the widths of a space in code and between separate words.
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
    words: tuple[Word, ...] = ()  # from the left, empty for right-to-left text


AnyPlaced = TypeVar("AnyPlaced", Word, Cell)


@dataclass(eq=False)
class Line:
    """The cells of one row, from the left."""

    cells: list[Cell]

    def __post_init__(self) -> None:
        longest = max(self.cells, key=lambda cell: len(cell.text))
        self.size, self.y = longest.size, longest.y
        self.x0, self.x1 = self.cells[0].x0, self.cells[-1].x1
        total = MOSTLY * sum(len(cell.text) for cell in self.cells)
        self.is_bold = sum(cell.bold * len(cell.text) for cell in self.cells) > total
        self.is_mono = sum(cell.mono * len(cell.text) for cell in self.cells) > total

    @cached_property
    def text(self) -> str:
        rightward = sum(is_rightward(char) for cell in self.cells for char in cell.text[:1])
        ordered = reversed(self.cells) if rightward * 2 > len(self.cells) else self.cells
        return " ".join(cell.text for cell in ordered)


def make_cells(words: Iterable[Word]) -> list[Cell]:
    """Return the cells of a page, from the top down and in each row from the left."""
    return [cell for row in split_rows(words) for cell in split_row(row) if cell.text]


def split_rows(items: Iterable[AnyPlaced]) -> list[list[AnyPlaced]]:
    """Group the words or cells by baseline, from the top down."""
    rows: list[list[AnyPlaced]] = []
    for item in sorted(items, key=lambda item: -item.y):
        row = rows[-1] if rows else None
        if row and row[0].y - item.y <= SAME_ROW * min(row[0].size, item.size):
            row.append(item)
        else:
            rows.append([item])
    return rows


def split_row(row: Sequence[Word]) -> Iterator[Cell]:
    """Yield the cells of a row, split at wide gaps."""
    begun: list[Word] = []
    for word in sorted(row, key=lambda word: word.x0):
        if begun and is_apart(begun[-1], word):
            yield make_cell(begun)
            begun = []
        begun.append(word)
    yield make_cell(begun)


def is_apart(before: Word, word: Word) -> bool:
    """Return whether a gap separates cells; between figures a smaller gap suffices."""
    gap = (word.x0 - before.x1) / max(word.size, before.size)
    are_figures = FIGURE.fullmatch(before.text) and (
        FIGURE.fullmatch(word.text) or CURRENCY.fullmatch(word.text)
    )
    return gap > (CLOSE if are_figures else WIDE)


def make_cell(words: Sequence[Word]) -> Cell:
    """Return words as a cell, in reading order, with their spaces."""
    sizes: Counter[float] = Counter()
    for word in words:
        sizes[word.size] += len(word.text)
    total = sizes.total() or 1
    bold, mono = (
        sum(len(word.text) for word in words if getattr(word.style, name)) / total
        for name in ("is_bold", "is_mono")
    )
    is_backward = sum(is_rightward(word.text[0]) for word in words) * 2 > len(words)
    ordered = list(reversed(words)) if is_backward else words
    text = ordered[0].text
    for before, word in pairwise(ordered):
        gap = max(word.x0 - before.x1, before.x0 - word.x1)
        space = CODE_SPACE if mono == 1 else TOUCHING if word.is_apart else SAME_ROW
        text += " " * (gap > space * max(before.size, word.size)) + word.text
    x1, size = max(word.x1 for word in words), sizes.most_common(1)[0][0]
    kept = () if is_backward else tuple(words)
    return Cell(clean(text).strip(), words[0].x0, x1, words[0].y, size, bold, mono, kept)


def make_lines(cells: Iterable[Cell]) -> list[Line]:
    """Return the rows of a column, from the top; a sign is in the cell of its figure."""
    rows = (sorted(row, key=lambda cell: cell.x0) for row in split_rows(cells))
    return [Line(join_signs(row)) for row in rows]


def join_signs(row: Sequence[Cell]) -> list[Cell]:
    """Return the cells of a row, with each sign in the cell of its figure."""
    found: list[Cell] = []
    for cell in row:
        is_unit = UNIT.fullmatch(cell.text) is not None
        if found and (is_unit or CURRENCY.fullmatch(found[-1].text)):
            left = found.pop()
            space = "" if is_unit or left.text.endswith("(") else " "
            text, words = left.text + space + cell.text, left.words + cell.words
            cell = replace(cell, text=text, x0=left.x0, words=words)
        found.append(cell)
    return found
