"""Columns: what each line of one is told to be by its font, its place and what it begins with."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from citations.formats.blocks import BlockKind
from citations.formats.captions import is_caption
from citations.formats.pdf.lines import TextLine
from citations.formats.pdf.rows import is_field
from citations.formats.pdf.segments import BULLET_SIGNS
from citations.formats.pdf.words import HYPHENATED

# In sizes of the font, or shares of the width.
LARGER, SMALLER, LEAD = 1.12, 0.93, 1.5
WIDE_GAP, INDENT = 1.35, 0.8
SHORT = 0.18
WIDTH = 0.5  # of a character
LONGEST_HEADING, MOST_HEADING_LINES = 200, 3
LOOKED_AT = 8  # lines above and below one
TYPEWRITTEN = 0.7  # of a document in one font of fixed pitch, which is no code
MATHS = 0.3

BULLETS = re.compile(rf"[{BULLET_SIGNS}∙·]\s*|[-–—*]\s+(?=\S)|!\s+(?=\w)")
NUMBERED = re.compile(
    # Neither "z. B." nor "p. 12", nor a fraction whose digits stand apart: "0. 5 mm".
    r"(?![a-z]\.\s(?:[^\W\d_]\.|\d)|0{1,2}\.\s?\d)"
    r"(?:\(?(?:\d{1,3}|[a-z]|[ivx]{2,5})\)|(?:\d{1,2}|[a-z])\.|\[\d{1,3}\])\s+(?=\S)"
)
# Where raised figures are letters of the font, nothing else tells them from the others.
TOUCHING = r"(?:\d[\d⁰⁴-⁹]?|[⁴-⁹])(?=[A-ZÀ-Þ][a-zß-ÿ ]|[“«¿¡])"
GLUED = re.compile(rf"^{TOUCHING}")
FOOTNOTE = re.compile(
    r"\[(?:\d{1,3}|[a-z*†‡§¶]{1,3})\]\s+(?=\S)|(?:\d{1,2}|[*†‡§]{1,3})\s+(?=[A-ZÀ-Þ“\"])"
    rf"|{TOUCHING}"
)
# An address or a path that its line has no room for.
BROKEN = re.compile(r"[/@]\S*[.:]$|[/@]$")
ENDS = re.compile(r"[.!?:;。！？][\"'”’)\]]*(?:\[\w{1,3}\])?$")
NUMBERED_HEADING = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,3}){0,4}\.?|[A-Z](?:\.\d{1,3}){1,4}\.?|(?:chapter|section|part|article|item"
    r"|appendix|capítulo|sección|kapitel|abschnitt|chapitre|annexe?|anhang|note)\s+[\dIVXA-Z]{1,5}\b[.:]?)"
    r"\s+\S",
    re.IGNORECASE,
)
WORDS = re.compile(r"[^\W\d_]{3,}")
NO_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Fonts:
    """The size that most of the document is set in, and whether that is of fixed pitch, or bold."""

    body: float
    is_typewritten: bool
    is_bold: bool
    known: frozenset[str]

    @classmethod
    def of(cls, lines: Iterable[TextLine]) -> "Fonts":
        sizes: Counter[float] = Counter()
        mono = bold = total = 0
        known: set[str] = set()
        for line in lines:
            count = len(line.text)
            sizes[round(line.size * 2) / 2] += count
            mono += count * line.is_mono
            bold += count * line.is_bold
            total += count
            if len(known) < 200_000:
                known.update(word.strip(".,;:()“”").lower() for word in line.text.split())
        body = sizes.most_common(1)[0][0] if sizes else 10.0
        return cls(body, mono > TYPEWRITTEN * total, bold > 0.5 * total, frozenset(known))


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

    def kind(self, line: TextLine) -> BlockKind:
        at = self.places[id(line)]
        if at >= self.notes_from:
            return BlockKind.FOOTNOTE
        if at and self._ends_heading(at):
            return BlockKind.HEADING
        if line.is_mono and not self.fonts.is_typewritten and not self._ends_sentence(at):
            return BlockKind.CODE
        long = [word for word in WORDS.findall(line.text) if len(word) > 3]
        if line.share("math") >= MATHS and len(long) <= 1 and len(line.text) > 2:
            return BlockKind.FORMULA
        return BlockKind.HEADING if self._is_heading(at) else BlockKind.PARAGRAPH

    def _ends_sentence(self, at: int) -> bool:
        """Return whether the line goes on with a full line of text right above it, which begins at
        the same place, but for the indentation of a paragraph or the mark of an item.
        """
        if not at:
            return False
        above, line = self.lines[at - 1], self.lines[at]
        word = line.text.partition(" ")[0]
        room = max(SHORT * (self.right - self.left), (len(word) + 1) * WIDTH * line.size)
        is_full = above.x1 > self.right - room
        begin = line.x0 - above.x0
        is_below = 0 < above.y - line.y <= WIDE_GAP * max(self.leading, line.size)
        is_in_line = abs(begin) < 1 or -3 * line.size < begin < 0 or is_marked(above.text)
        is_open = BROKEN.search(above.text) or not ENDS.search(above.text)
        return bool(is_full and is_below and is_in_line and not above.is_mono and is_open)

    def _ends_heading(self, at: int) -> bool:
        """Return whether a word of the heading above goes on with the line, whatever it looks like:
        "(How-", "To)".
        """
        above, line = self.lines[at - 1], self.lines[at]
        return (
            HYPHENATED.search(above.text) is not None
            and above.size >= LARGER * self.fonts.body
            and abs(above.size - line.size) < 0.6
            and 0 < above.y - line.y < 1.5 * line.size
            and self.kind(above) == BlockKind.HEADING
        )

    def _is_heading(self, at: int) -> bool:
        line = self.lines[at]
        text = line.text
        if self.titles and is_outline_heading(text, self.titles):
            return True
        letters = sum(char.isalpha() for char in text)
        if len(text) > LONGEST_HEADING or letters < 2 or letters * 3 < len(text.replace(" ", "")):
            return False
        if text.endswith((",", ";")) or BULLETS.match(text) or is_field(text):
            return False
        if self._is_captioned(at):
            return False
        if line.size >= LARGER * self.fonts.body and not self._is_large_prose(at):
            return letters > 2 or text.isalpha()
        before = self.lines[at - 1] if at else None
        after = self.lines[at + 1] if at + 1 < len(self.lines) else None
        above = before.y - line.y if before else 99.0
        if line.is_bold and not self.fonts.is_bold and line.size >= SMALLER * self.fonts.body:
            return self._is_bold_heading(self._bold_lines(at))
        stands_alone = above > 1.3 * self.leading and (
            after is None or line.y - after.y > 1.15 * self.leading
        )
        is_whole = len(line.segments) == 1 or NUMBERED_HEADING.match(text) is not None
        is_capital = text.isupper() and letters > 3 and len(text) < 90 and is_whole
        return is_capital and stands_alone and not text.endswith(".")

    def _is_captioned(self, at: int) -> bool:
        """Return whether the line begins a caption, or goes on with one that filled its line."""
        if is_caption(self.lines[at].text):
            return True
        above, line = self.lines[max(at - 1, 0)], self.lines[at]
        is_below = at > 0 and 0 < above.y - line.y < WIDE_GAP * line.size
        is_alike = abs(above.size - line.size) < 0.6 and above.is_bold == line.is_bold
        is_full = above.x1 > self.right - SHORT * (self.right - self.left)
        return is_below and is_alike and is_full and is_caption(above.text)

    def _is_large_prose(self, at: int) -> bool:
        """Return whether the line is among more lines of its size than a heading has, or among some
        that are little larger and end a sentence: as wide as the column, amid sentences.
        """
        size = self.lines[at].size
        first = last = at
        while first and last - first < LOOKED_AT and abs(self.lines[first - 1].size - size) < 0.6:
            first -= 1
        end = min(at + LOOKED_AT, len(self.lines) - 1)
        while last < end and abs(self.lines[last + 1].size - size) < 0.6:
            last += 1
        run = self.lines[first : last + 1]
        full = sum(line.x1 - line.x0 > 0.7 * (self.right - self.left) for line in run)
        begun = sum(line.text[:1].islower() for line in run)
        is_lead = len(run) > 1 and size < LEAD * self.fonts.body and run[-1].text.endswith(".")
        is_long = is_lead or len(run) > MOST_HEADING_LINES
        return is_long and 2 * full >= len(run) and 4 * begun >= len(run)

    def _bold_lines(self, at: int) -> range:
        """Return where the bold lines stand that the line is among, one right below the other."""
        first, last = at, at + 1
        while first and self._are_one(first - 1) and last - first <= MOST_HEADING_LINES:
            first -= 1
        while self._are_one(last - 1) and last - first <= MOST_HEADING_LINES:
            last += 1
        is_heading = last - first <= MOST_HEADING_LINES
        return range(first, last) if is_heading else range(at, at + 1)

    def _are_one(self, at: int) -> bool:
        line, *after = self.lines[at : at + 2]
        return line.is_bold and any(
            below.is_bold
            and line.y - below.y < 1.2 * max(self.leading, line.size)
            and not below.text.startswith("(")
            for below in after
        )

    def _is_bold_heading(self, at: range) -> bool:
        first, last = self.lines[at.start], self.lines[at.stop - 1]
        before = self.lines[at.start - 1] if at.start else None
        begins = before is None or before.y - first.y > 1.1 * self.leading
        ended = before is not None and (before.is_bold or ENDS.search(before.text) is not None)
        is_short = last.x1 - last.x0 < 0.8 * (self.right - self.left)
        is_short = is_short or NUMBERED_HEADING.match(first.text) is not None
        is_short = is_short or self._ends_with_line(at.stop - 1)
        # "(in millions)" says something of what follows.
        is_note = len(at) == 1 and first.text.startswith("(") and last.text.endswith(")")
        return (
            (begins or ended)
            and is_short
            and not last.text.endswith(".")
            and not first.text[:1].islower()
            and not is_note
        )

    def _ends_with_line(self, at: int) -> bool:
        """Return whether a bold line, however long, is followed by text that begins below it."""
        line, *after = self.lines[at : at + 2]
        return any(
            below.segments[0].bold < 0.5
            and not below.is_mono
            and below.text[:1].isupper()
            and abs(below.size - line.size) < 0.6
            and 0 < line.y - below.y <= WIDE_GAP * max(self.leading, line.size)
            for below in after
        )

    def is_last(self, line: TextLine) -> bool:
        """Return whether only notes stand below the line."""
        return self.places[id(line)] == self.notes_from - 1

    def is_term(self, line: TextLine) -> bool:
        """Return whether the text right below is indented, and not just its first line."""
        said, *after = self.lines[self.places[id(line)] + 1 :][:2] or [line]
        indented = line.x0 + INDENT * line.size
        return (
            said.x0 > indented
            and self.kind(said) == BlockKind.PARAGRAPH
            and line.y - said.y <= WIDE_GAP * max(self.leading, line.size)
            and not is_marked(said.text)
            and (ENDS.search(said.text) is not None or all(next.x0 > indented for next in after))
        )


def is_outline_heading(text: str, titles: Collection[str]) -> bool:
    """Return whether the line is one of the headings, with its number or without, or begins one."""
    said = letters_of(text)
    bare = said.lstrip("0123456789")
    return bool(bare) and any(
        title in (said, bare)
        or (len(bare) > 12 and title.endswith(bare))
        or (len(bare) > 12 and title.lstrip("0123456789").startswith(bare))
        or (len(bare) > 24 and bare in title)
        for title in titles
    )


def letters_of(text: str) -> str:
    """Return the letters and digits alone, by which headings are compared."""
    return NO_LETTERS.sub("", text).casefold()


def is_marked(text: str) -> bool:
    return BULLETS.match(text) is not None or NUMBERED.match(text) is not None
