"""Structure: the lines of pages become headings, paragraphs, items, code, tables and footnotes."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from citations.formats.blocks import BULLET, BlockKind, item_of, row_text
from citations.formats.captions import is_caption
from citations.formats.pdf import tables
from citations.formats.pdf.lines import Flow, TextLine, code_of, join_lines
from citations.formats.pdf.marks import (
    BULLETS,
    ENDS,
    FOOTNOTE,
    NUMBERED,
    NUMBERED_HEADING,
    is_marked,
    is_outline_heading,
)

# In sizes of the font, or shares of the width.
LARGER, SMALLER = 1.12, 0.93
WIDE_GAP, INDENT = 1.35, 0.8
SHORT, VERY_SHORT = 0.18, 0.4
LONGEST_HEADING, MOST_HEADING_LINES, MOST_TERMS = 200, 3, 4
TYPEWRITTEN = 0.7  # of a document in one font of fixed pitch, which is no code
MATHS = 0.3

WORDS = re.compile(r"[^\W\d_]{3,}")


@dataclass
class UnfinishedBlock:
    """A block in the making; of a heading with its style, of a row with its cells."""

    kind: BlockKind
    text: str
    size: float = 0.0
    is_bold: bool = False
    level: int = 0
    cells: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Fonts:
    """The size that most of the document is set in, and whether that is of fixed pitch."""

    body: float
    is_typewritten: bool
    known: frozenset[str]

    @classmethod
    def of(cls, lines: Iterable[TextLine]) -> "Fonts":
        sizes: Counter[float] = Counter()
        mono = total = 0
        known: set[str] = set()
        for line in lines:
            count = len(line.text)
            sizes[round(line.size * 2) / 2] += count
            mono += count * line.is_mono
            total += count
            if len(known) < 200_000:
                known.update(word.strip(".,;:()“”").lower() for word in line.text.split())
        body = sizes.most_common(1)[0][0] if sizes else 10.0
        return cls(body, mono > TYPEWRITTEN * total, frozenset(known))


def drafts(flow: Flow, fonts: Fonts, titles: Collection[str] = ()) -> Iterator[UnfinishedBlock]:
    """Yield the blocks of a column in order; `titles` are letters of headings that are known."""
    column = Column.of(flow, fonts, titles)
    at = 0
    for lines, table in tables.find_tables(flow, fonts.known):
        yield from column.blocks(flow[at : lines.start])
        for cells, is_header in table.texts():
            kind = BlockKind.HEADER if is_header else BlockKind.ROW
            yield UnfinishedBlock(kind, row_text(cells), cells=cells)
        at = lines.stop
    yield from column.blocks(flow[at:])


# --- Text -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """Lines of one column, with what is usual in it."""

    lines: Sequence[TextLine]
    fonts: Fonts
    left: float
    right: float
    leading: float
    notes_from: int
    places: dict[int, int]
    titles: Collection[str]

    @classmethod
    def of(cls, lines: Sequence[TextLine], fonts: Fonts, titles: Collection[str]) -> "Column":
        gaps = sorted(
            above.y - below.y
            for above, below in pairwise(lines)
            if 0 < above.y - below.y < 3 * below.size
        )
        leading = gaps[len(gaps) // 3] if gaps else 1.2 * fonts.body
        notes_from = len(lines)
        for at in range(len(lines) - 1, -1, -1):
            if lines[at].size > SMALLER * fonts.body:
                break
            if FOOTNOTE.match(lines[at].text):
                notes_from = at
        return cls(
            lines,
            fonts,
            min(line.x0 for line in lines),
            max(line.x1 for line in lines),
            leading,
            notes_from,
            {id(line): at for at, line in enumerate(lines)},
            titles,
        )

    def blocks(self, lines: Sequence[TextLine]) -> Iterator[UnfinishedBlock]:
        """Yield the blocks of lines that are no table."""
        terms: Sequence[TextLine] = ()
        for kind, run in groupby(lines, key=self.kind):
            group = list(run)
            if kind == BlockKind.CODE:
                code, terms = self.parted_terms(group)
                if code:
                    yield UnfinishedBlock(BlockKind.CODE, code_of(code))
            elif kind == BlockKind.FORMULA:
                yield UnfinishedBlock(BlockKind.FORMULA, "\n".join(line.text for line in group))
            elif kind == BlockKind.HEADING:
                yield from self.headings(group)
            else:
                yield from self.texts(group, kind, terms)
                terms = ()

    def texts(
        self, lines: Sequence[TextLine], kind: BlockKind, terms: Sequence[TextLine]
    ) -> Iterator[UnfinishedBlock]:
        """Yield the paragraphs and items; the first says what the terms above it mean."""
        first, *others = self.paragraphs(lines)
        said = self.paragraph(first, kind)
        if terms:
            term = ", ".join(line.text for line in terms)
            said.text = item_of(f"{term}: {said.text}", BULLET, self._level(terms[0]))
            said.kind = BlockKind.ITEM
        yield said
        yield from (self.paragraph(each, kind) for each in others)

    def parted_terms(
        self, lines: Sequence[TextLine]
    ) -> tuple[Sequence[TextLine], Sequence[TextLine]]:
        """Return the code, and the last lines if the text below is indented and says what they are.

        Manuals set a command or a variable on a line of its own, with what it does under it.
        """
        last = lines[-1]
        at = len(lines)
        if self._is_term(last):
            while at and abs(lines[at - 1].x0 - last.x0) < 1 and len(lines) - at < MOST_TERMS:
                at -= 1
        return lines[:at], lines[at:]

    def _is_term(self, line: TextLine) -> bool:
        """Tell whether the text right below is indented, and not just its first line."""
        said, *after = self.lines[self.places[id(line)] + 1 :][:2] or [line]
        indented = line.x0 + INDENT * line.size
        return (
            said.x0 > indented
            and self.kind(said) == BlockKind.PARAGRAPH
            and line.y - said.y <= WIDE_GAP * max(self.leading, line.size)
            and not is_marked(said.text)
            and (ENDS.search(said.text) is not None or all(next.x0 > indented for next in after))
        )

    def kind(self, line: TextLine) -> BlockKind:
        at = self.places[id(line)]
        if at >= self.notes_from:
            return BlockKind.FOOTNOTE
        if line.is_mono and not self.fonts.is_typewritten:
            return BlockKind.CODE
        long = [word for word in WORDS.findall(line.text) if len(word) > 3]
        if line.share("math") >= MATHS and len(long) <= 1 and len(line.text) > 2:
            return BlockKind.FORMULA
        return BlockKind.HEADING if self._is_heading(at) else BlockKind.PARAGRAPH

    def _is_heading(self, at: int) -> bool:
        line = self.lines[at]
        text = line.text
        if self.titles and is_outline_heading(text, self.titles):
            return True
        letters = sum(char.isalpha() for char in text)
        if len(text) > LONGEST_HEADING or letters < 2 or letters * 3 < len(text.replace(" ", "")):
            return False
        if text.endswith((",", ";")) or BULLETS.match(text) or is_caption(text):
            return False
        if line.size >= LARGER * self.fonts.body:
            return letters > 2 or text.isalpha()
        before = self.lines[at - 1] if at else None
        after = self.lines[at + 1] if at + 1 < len(self.lines) else None
        above = before.y - line.y if before else 99.0
        if line.is_bold and line.size >= SMALLER * self.fonts.body and not text.endswith("."):
            is_short = line.x1 - line.x0 < 0.8 * (self.right - self.left)
            begins = before is None or before.is_bold or above > 1.1 * self.leading
            ended = before is not None and ENDS.search(before.text) is not None
            # "(in millions)" says something of what follows.
            is_note = text.startswith("(") and text.endswith(")")
            return is_short and (begins or ended) and not text[:1].islower() and not is_note
        stands_alone = above > 1.3 * self.leading and (
            after is None or line.y - after.y > 1.15 * self.leading
        )
        is_capital = text.isupper() and letters > 3 and len(text) < 90
        return is_capital and stands_alone and not text.endswith(".")

    def headings(self, lines: Sequence[TextLine]) -> Iterator[UnfinishedBlock]:
        """Yield the headings, each of them of one style and at most three lines."""
        group: list[TextLine] = []
        for line in lines:
            above = group[-1] if group else None
            if above is not None and not (
                abs(above.size - line.size) < 0.6
                and above.is_bold == line.is_bold
                and above.y - line.y < 1.5 * line.size
                and not NUMBERED_HEADING.match(line.text)
                and len(group) < MOST_HEADING_LINES
            ):
                yield self._heading(group)
                group = []
            group.append(line)
        yield self._heading(group)

    def _heading(self, group: Sequence[TextLine]) -> UnfinishedBlock:
        text = join_lines([line.text for line in group], self.fonts.known)
        kind = BlockKind.HEADING if len(text) <= LONGEST_HEADING else BlockKind.PARAGRAPH
        return UnfinishedBlock(kind, text, group[0].size, group[0].is_bold)

    def paragraphs(self, lines: Sequence[TextLine]) -> Iterator[list[TextLine]]:
        group: list[TextLine] = []
        for line in lines:
            if group and self._begins(group, line):
                yield group
                group = []
            group.append(line)
        if group:
            yield group

    def _begins(self, group: Sequence[TextLine], line: TextLine) -> bool:
        """Tell whether a paragraph begins with the line."""
        above = group[-1]
        gap = above.y - line.y
        usual = max(self.leading, 1.0 * line.size)
        if (gap > WIDE_GAP * usual and gap > usual + 2) or gap < -line.size:
            return True
        if abs(above.size - line.size) > 0.12 * line.size or is_marked(line.text):
            return True
        if FOOTNOTE.match(line.text) and self.places[id(line)] >= self.notes_from:
            return True
        text_left = min(each.x0 for each in group[1:]) if len(group) > 1 else None
        is_item = is_marked(group[0].text)
        width = max(self.right - self.left, 1.0)
        if above.text.endswith("-") and line.text[:1].islower():
            return False
        if text_left is not None and not is_item and line.x0 > text_left + INDENT * line.size:
            return True
        if is_item and text_left is not None and line.x0 < text_left - INDENT * line.size:
            return True
        if len(group) == 1 and not is_item and line.x0 > above.x0 + INDENT * line.size:
            return bool(ENDS.search(above.text))
        room = (self.right - above.x1) / width
        first_word = line.segments[0].text.partition(" ")[0]
        fits = self.right - above.x1 > (len(first_word) + 1) * 0.6 * line.size
        if ENDS.search(above.text):
            return room > SHORT and fits
        return room > VERY_SHORT and not line.text[:1].islower() and fits

    def paragraph(self, lines: Sequence[TextLine], kind: BlockKind) -> UnfinishedBlock:
        text = join_lines([line.text for line in lines], self.fonts.known)
        size = lines[0].size
        if kind == BlockKind.FOOTNOTE:
            return UnfinishedBlock(kind, text, size)
        if mark := BULLETS.match(text):
            level = self._level(lines[0])
            return UnfinishedBlock(BlockKind.ITEM, item_of(text[mark.end() :], BULLET, level), size)
        if mark := NUMBERED.match(text):
            number = text[: mark.end()].strip() + " "
            return UnfinishedBlock(
                BlockKind.ITEM, item_of(text[mark.end() :], number, self._level(lines[0])), size
            )
        return UnfinishedBlock(
            BlockKind.CAPTION if is_caption(text) else BlockKind.PARAGRAPH, text, size
        )

    def _level(self, line: TextLine) -> int:
        """Return how deep an item is indented among the items of the column."""
        begins = sorted({round(each.x0 / 8) for each in self.lines if is_marked(each.text)})
        return begins.index(round(line.x0 / 8)) if round(line.x0 / 8) in begins else 0
