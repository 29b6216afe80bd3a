"""Drafts: the lines of a column become paragraphs, headings, items, code, notes and tables."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from citations.formats.blocks import BULLET, BlockKind, format_item
from citations.formats.captions import is_caption
from citations.formats.pdf.grids import Grid, find_grids
from citations.formats.pdf.hyphens import HYPHENATED, join_lines
from citations.formats.pdf.page_lines import Line

# In sizes of the body or shares of the width.
LARGER, SMALLER, WIDE_GAP, INDENT, SHORT = 1.12, 0.93, 1.35, 0.8, 0.18
LONGEST_HEADING, MOST_HEADING_LINES, LARGE_PROSE = 200, 3, 4
TYPEWRITTEN, MOST_KNOWN = 0.7, 200_000
PITCH = 0.6  # of a typewriter, in sizes
BULLETS = re.compile(r"[•▪◦‣●○■□◆▶▸⋆∗➢✓∙·\uf0b7]\s*|[-–—*]\s+(?=\S)")
NUMBERED = re.compile(
    r"(?![a-z]\.\s(?:[^\W\d_]\.|\d)|0{1,2}\.\s?\d)"  # neither "z. B." nor "0. 5 mm"
    r"(?:\(?(?:\d{1,3}|[a-z]|[ivx]{2,5})\)|(?:\d{1,2}|[a-z])\.|\[\d{1,3}\])\s+(?=\S)"
)
FOOTNOTE = re.compile(r"\[?(?:\d{1,3}|[*†‡§]{1,3})\]?\s*(?=[^\W\d_]|[“\"(])")
ENDS = re.compile(r"[.!?:;。！？][\"'”’)\]]*(?:\[\w{1,3}\])?$")
NO_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Fonts:
    """The size that most of a document is set in, whether that is bold or of fixed pitch, and its
    words.
    """

    body: float
    is_typewritten: bool
    is_bold: bool
    known: frozenset[str]

    @classmethod
    def of(cls, lines: Iterable[Line]) -> "Fonts":
        sizes: Counter[float] = Counter()
        mono = bold = 0
        known: set[str] = set()
        for line in lines:
            sizes[round(line.size * 2) / 2] += len(line.text)
            mono += len(line.text) * line.is_mono
            bold += len(line.text) * line.is_bold
            if len(known) < MOST_KNOWN:
                known.update(word.strip(".,;:()“”").lower() for word in line.text.split())
        body = sizes.most_common(1)[0][0] if sizes else 10.0
        total = sizes.total()
        return cls(body, mono > TYPEWRITTEN * total, bold > total / 2, frozenset(known))


@dataclass
class Draft:
    """A block with its look; of a table, the table itself."""

    kind: BlockKind
    text: str = ""
    size: float = 0.0
    is_bold: bool = False
    grid: Grid | None = None


def drafts_of(lines: Sequence[Line], fonts: Fonts, titles: Collection[str]) -> Iterator[Draft]:
    """Yield the blocks of a column; `titles` are the headings that the outline has on its page."""
    at = 0
    for place, grid in find_grids(lines, fonts.known):
        if not any(letters_of(line.text) in titles for line in lines[place.start : place.stop]):
            yield from Column(lines[at : place.start], fonts, titles).drafts()
            yield Draft(BlockKind.ROW, grid=grid)
            at = place.stop
    yield from Column(lines[at:], fonts, titles).drafts()


class Column:
    """Lines below one another, without tables."""

    def __init__(self, lines: Sequence[Line], fonts: Fonts, titles: Collection[str]) -> None:
        self._lines, self._fonts, self._titles = lines, fonts, titles
        self._left = min((line.x0 for line in lines), default=0.0)
        self._right = max((line.x1 for line in lines), default=0.0)
        gaps = sorted(
            gap
            for above, below in pairwise(lines)
            if 0 < (gap := above.y - below.y) < 3 * below.size
        )
        self._leading = gaps[len(gaps) // 3] if gaps else 1.2 * fonts.body
        self._begins_items = sorted({round(each.x0 / 8) for each in lines if is_marked(each.text)})
        self._kinds = [self._kind(at) for at in range(len(lines))]

    def drafts(self) -> Iterator[Draft]:
        begun: list[int] = []
        for at in range(len(self._lines)):
            if begun and self._begins(at, begun):
                yield self._draft(begun)
                begun = []
            begun.append(at)
        if begun:
            yield self._draft(begun)

    def _kind(self, at: int) -> BlockKind:
        line = self._lines[at]
        if letters_of(line.text) in self._titles:
            return BlockKind.HEADING
        if line.is_mono and not self._fonts.is_typewritten:
            return BlockKind.CODE
        return BlockKind.HEADING if self._is_heading(at) else BlockKind.PARAGRAPH

    def _is_heading(self, at: int) -> bool:
        line, text = self._lines[at], self._lines[at].text
        letters = sum(map(str.isalpha, text))
        is_worded = letters > 2 and 3 * letters >= len(text.replace(" ", ""))
        if len(text) > LONGEST_HEADING or not is_worded or text.endswith((",", ";")):
            return False
        if BULLETS.match(text) or is_caption(text):
            return False
        if line.size >= LARGER * self._fonts.body:
            near = self._lines[max(at - LARGE_PROSE, 0) : at + LARGE_PROSE + 1]
            return sum(abs(other.size - line.size) < 0.6 for other in near) <= LARGE_PROSE
        if not line.is_bold or self._fonts.is_bold or line.size < SMALLER * self._fonts.body:
            return False
        run = [each for each in self._lines[max(at - 3, 0) : at + 4] if each.is_bold]
        return len(run) <= MOST_HEADING_LINES and not text.endswith(".")

    def _begins(self, at: int, begun: Sequence[int]) -> bool:
        """Return whether a line begins a block, below the lines of another."""
        above, line = self._lines[at - 1], self._lines[at]
        kind, gap = self._kinds[at], above.y - line.y
        if HYPHENATED.search(above.text) and 0 < gap < 2 * line.size and kind != BlockKind.CODE:
            return abs(above.size - line.size) >= 0.6
        if kind != self._kinds[at - 1] or abs(above.size - line.size) >= 0.6 or gap < 0:
            return True
        if kind == BlockKind.CODE:
            return gap > 3 * line.size
        if gap > WIDE_GAP * max(self._leading, line.size):
            return True
        if kind == BlockKind.HEADING:
            return above.is_bold != line.is_bold or len(begun) >= MOST_HEADING_LINES
        is_full = above.x1 > self._right - SHORT * (self._right - self._left)
        goes_on = is_full or line.text[:1].islower()
        is_open = goes_on and not ENDS.search(above.text)
        first = self._lines[begun[0]]
        if BULLETS.match(line.text) or is_caption(line.text):
            return True
        if is_marked(line.text):
            return not is_open or is_marked(first.text)
        is_indented = INDENT < (line.x0 - above.x0) / line.size < 5
        return not is_open and (is_indented or not is_full)

    def _draft(self, places: Sequence[int]) -> Draft:
        lines = [self._lines[at] for at in places]
        kind, size, is_bold = self._kinds[places[0]], lines[0].size, lines[0].is_bold
        if kind == BlockKind.CODE:
            return Draft(kind, code_of(lines), size)
        text = join_lines([line.text for line in lines], self._fonts.known)
        if kind == BlockKind.HEADING:
            return Draft(kind, text, size, is_bold)
        if size <= SMALLER * self._fonts.body and FOOTNOTE.match(text):
            return Draft(BlockKind.FOOTNOTE, text, size)
        if mark := BULLETS.match(text) or NUMBERED.match(text):
            bullet = f"{mark[0].strip()} " if NUMBERED.match(text) else BULLET
            level = self._level(lines[0])
            return Draft(BlockKind.ITEM, format_item(text[mark.end() :], bullet, level), size)
        kind = BlockKind.CAPTION if is_caption(text) else BlockKind.PARAGRAPH
        return Draft(kind, text, size, is_bold)

    def _level(self, line: Line) -> int:
        """Return how deep an item is indented among those of the column."""
        return bisect_left(self._begins_items, round(line.x0 / 8))


def is_marked(text: str) -> bool:
    return (BULLETS.match(text) or NUMBERED.match(text)) is not None


def letters_of(text: str) -> str:
    return NO_LETTERS.sub("", text).lower()


def code_of(lines: Sequence[Line]) -> str:
    """Return lines of a program with their indentation, and an empty line where a gap is wide."""
    left = min(line.x0 for line in lines)
    gaps = sorted(one.y - two.y for one, two in pairwise(lines))
    usual = gaps[len(gaps) // 4] if gaps else 0.0
    text = ""
    for at, line in enumerate(lines):
        if at:
            is_wide = lines[at - 1].y - line.y > 1.6 * max(usual, line.size)
            text += "\n\n" if is_wide else "\n"
        text += spaced(line, left)
    return text


def spaced(line: Line, left: float) -> str:
    """Return the line with as many spaces as there is room for."""
    text = ""
    for cell in line.cells:
        width = cell.x1 - cell.x0
        pitch = width / len(cell.text) if len(cell.text) > 3 else PITCH * cell.size
        column = round((cell.x0 - left) / max(pitch, 1.0))
        text += " " * min(max(column - len(text), bool(text)), 80) + cell.text
    return text
