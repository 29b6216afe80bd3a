"""Drafts: a column's lines as paragraphs, headings, items, code, notes and tables."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from citations.formats.blocks import BULLET, BlockKind, format_item
from citations.formats.pdf.grids import Grid, find_grids
from citations.formats.pdf.joining import HYPHENATED, join_lines
from citations.formats.pdf.lines import Line
from citations.formats.titles import is_caption

# In sizes of the body or shares of the width.
LARGER, SMALLER, WIDE_GAP, INDENT, SHORT, ALIKE = 1.12, 0.93, 1.35, 0.8, 0.18, 0.6
LONGEST_HEADING, MOST_HEADING_LINES, LARGE_PROSE = 200, 3, 4
TYPEWRITTEN, MOST_KNOWN = 0.7, 200_000
PITCH = 0.6  # the pitch of a typewriter, in sizes
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
    """The usual size of a document's text, whether it is bold or monospaced, and its words."""

    body: float
    is_typewritten: bool
    is_bold: bool
    known: frozenset[str]


def measure_fonts(lines: Iterable[Line]) -> Fonts:
    """Return the fonts of a document, by the number of characters in each."""
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
    return Fonts(body, mono > TYPEWRITTEN * total, bold > total / 2, frozenset(known))


@dataclass
class Draft:
    """A block with its look; for a table, the table itself."""

    kind: BlockKind
    text: str = ""
    size: float = 0.0
    is_bold: bool = False
    grid: Grid | None = None

    @property
    def look(self) -> tuple[float, bool]:
        return round(self.size * 2) / 2, self.is_bold


def make_drafts(lines: Sequence[Line], fonts: Fonts, titles: Collection[str]) -> Iterator[Draft]:
    """Yield the blocks of a column; `titles` are the outline's headings on its page."""
    at = 0
    for place, grid in find_grids(lines, fonts.known):
        if not any(strip_signs(line.text) in titles for line in lines[place.start : place.stop]):
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
        if strip_signs(line.text) in self._titles:
            return BlockKind.HEADING
        if line.is_mono and not self._fonts.is_typewritten:
            return BlockKind.CODE
        return BlockKind.HEADING if self._is_heading(at) else BlockKind.PARAGRAPH

    def _is_heading(self, at: int) -> bool:
        """Return whether a line is large, or bold and alone, and has words."""
        line, text = self._lines[at], self._lines[at].text
        letters = sum(map(str.isalpha, text))
        is_worded = letters > 2 and 3 * letters >= len(text.replace(" ", ""))
        is_other = text.endswith((",", ";")) or BULLETS.match(text) or is_caption(text)
        if len(text) > LONGEST_HEADING or not is_worded or is_other:
            return False
        if line.size >= LARGER * self._fonts.body:
            near = self._lines[max(at - LARGE_PROSE, 0) : at + LARGE_PROSE + 1]
            return sum(abs(other.size - line.size) < ALIKE for other in near) <= LARGE_PROSE
        if not line.is_bold or self._fonts.is_bold or line.size < SMALLER * self._fonts.body:
            return False
        run = [each for each in self._lines[max(at - 3, 0) : at + 4] if each.is_bold]
        return len(run) <= MOST_HEADING_LINES and not text.endswith(".")

    def _begins(self, at: int, begun: Sequence[int]) -> bool:
        """Return whether a line begins a new block."""
        above, line = self._lines[at - 1], self._lines[at]
        kind, gap = self._kinds[at], above.y - line.y
        is_other_size = abs(above.size - line.size) >= ALIKE
        if HYPHENATED.search(above.text) and 0 < gap < 2 * line.size and kind != BlockKind.CODE:
            return is_other_size
        if kind != self._kinds[at - 1] or is_other_size or gap < 0:
            return True
        if kind == BlockKind.CODE:
            return gap > 3 * line.size
        if gap > WIDE_GAP * max(self._leading, line.size):
            return True
        if kind == BlockKind.HEADING:
            return above.is_bold != line.is_bold or len(begun) >= MOST_HEADING_LINES
        is_full = above.x1 > self._right - SHORT * (self._right - self._left)
        is_open = (is_full or line.text[:1].islower()) and not ENDS.search(above.text)
        if BULLETS.match(line.text) or is_caption(line.text):
            return True
        if is_marked(line.text):
            return not is_open or is_marked(self._lines[begun[0]].text)
        is_indented = INDENT < (line.x0 - above.x0) / line.size < 5
        return not is_open and (is_indented or not is_full)

    def _draft(self, places: Sequence[int]) -> Draft:
        lines = [self._lines[at] for at in places]
        kind, size, is_bold = self._kinds[places[0]], lines[0].size, lines[0].is_bold
        if kind == BlockKind.CODE:
            return Draft(kind, join_code(lines), size)
        text = join_lines([line.text for line in lines], self._fonts.known)
        if kind == BlockKind.HEADING:
            return Draft(kind, text, size, is_bold)
        if size <= SMALLER * self._fonts.body and FOOTNOTE.match(text):
            return Draft(BlockKind.FOOTNOTE, text, size)
        if mark := BULLETS.match(text) or NUMBERED.match(text):
            bullet = f"{mark[0].strip()} " if NUMBERED.match(text) else BULLET
            level = bisect_left(self._begins_items, round(lines[0].x0 / 8))
            return Draft(BlockKind.ITEM, format_item(text[mark.end() :], bullet, level), size)
        kind = BlockKind.CAPTION if is_caption(text) else BlockKind.PARAGRAPH
        return Draft(kind, text, size, is_bold)


def is_marked(text: str) -> bool:
    return (BULLETS.match(text) or NUMBERED.match(text)) is not None


def strip_signs(text: str) -> str:
    """Return the letters and digits of a text, for comparing titles."""
    return NO_LETTERS.sub("", text).lower()


def join_code(lines: Sequence[Line]) -> str:
    """Return lines of code with their indentation, and an empty line at each wide gap."""
    left = min(line.x0 for line in lines)
    usual = min((one.y - two.y for one, two in pairwise(lines)), default=0.0)
    text = ""
    for above, line in pairwise([lines[0], *lines]):
        is_wide = above.y - line.y > 1.6 * max(usual, line.size)
        text += "\n" * (line is not above) * (1 + is_wide)
        row = ""
        for cell in line.cells:
            column = round((cell.x0 - left) / (PITCH * cell.size))
            row += " " * min(max(column - len(row), bool(row)), 80) + cell.text
        text += row
    return text
