"""Segments: stretches of a line without a wide gap; a line, or a cell of a table's row."""

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from citations.formats.cleaning import clean
from citations.formats.pdf.words import SPACE, Word, is_rightward
from citations.formats.scripts import MARK

# In sizes of the font: a gap that parts segments, and how far apart baselines of one row are.
WIDE, SAME_ROW = 0.9, 0.25
# And between figures.
CLOSE = 0.42
FIGURE = re.compile(r"[-+−(]?[$€£]?\d[\d.,]*[)%]{0,2}|[—–-]+")
# In sizes: all gaps of a line that was stretched are wider, and in the mean of them not so many.
STRETCHED, MOST_STRETCHED, FEWEST_STRETCHED = 0.42, 2.2, 5
# That begin items; each place knows others beside them.
BULLET_SIGNS = "•▪◦‣●○■□◆▶▸⋆∗➢✓"
CURRENCIES = ("$", "€", "£", "¥")
# In sizes of the font: a letter of a program is half as wide as it is high or wider, and so is a
# space; what is less parts the tokens that LaTeX spreads over a grid.
CODE_SPACE = 0.31
# Single letters in a row at even gaps are one word, set wide.
SPREAD_FROM, SPREAD_GAP = 4, 1.2


@dataclass(slots=True)
class Segment:
    """Words on one baseline; of code, with its own spaces."""

    text: str
    x0: float
    x1: float
    y: float
    size: float
    # Shares of its characters.
    bold: float
    mono: float
    math: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def top(self) -> float:
        return self.y + 0.75 * self.size


def segments(words: Iterable[Word]) -> list[Segment]:
    """Return the segments of a sheet, from the top down and in each row from the left."""
    found = [segment for row in baselines(words) for segment in parted(row)]
    return with_marks([segment for segment in found if segment.text])


def baselines(words: Iterable[Word]) -> Iterator[list[Word]]:
    """Yield the words of each baseline, in the order of reading."""
    row: list[Word] = []
    for word in sorted(words, key=lambda word: -word.y):
        if row and row[0].y - word.y > SAME_ROW * min(row[-1].style.size, word.style.size):
            yield in_reading_order(row)
            row = []
        row.append(word)
    if row:
        yield in_reading_order(row)


def in_reading_order(row: Sequence[Word]) -> list[Word]:
    """Return the words as they are read, each once though it may be drawn twice."""
    ordered = sorted(row, key=lambda word: word.x0)
    kept: list[Word] = []
    for word in ordered:
        same = (
            kept
            and kept[-1].text == word.text
            and abs(kept[-1].x0 - word.x0) < 0.15 * word.style.size
        )
        if not same:
            kept.append(word)
    return unspread(kept)


def unspread(row: list[Word]) -> list[Word]:
    """Join letters that are set wide apart into words."""
    joined: list[Word] = []
    at = 0
    while at < len(row):
        end = at
        while end < len(row) and len(row[end].text) == 1 and row[end].text.isalpha():
            if (
                end > at
                and not 0 < row[end].x0 - row[end - 1].x1 < SPREAD_GAP * row[end].style.size
            ):
                break
            end += 1
        if end - at >= SPREAD_FROM:
            joined += respelled(row[at:end])
            at = end
        else:
            joined.append(row[at])
            at += 1
    return joined


def respelled(letters: Sequence[Word]) -> Iterator[Word]:
    gaps = sorted(after.x0 - before.x1 for before, after in itertools.pairwise(letters))
    usual = gaps[len(gaps) // 2]
    word = letters[0]
    for letter in letters[1:]:
        if letter.x0 - word.x1 > usual * 1.8 + 0.5:
            yield word
            word = letter
        else:
            word = Word(
                word.text + letter.text,
                word.x0,
                letter.x1,
                word.y,
                word.style,
                chars=word.chars + 1,
            )
    yield word


def parted(row: Sequence[Word]) -> Iterator[Segment]:
    """Yield the segments of a row, parted at wide gaps."""
    begun: list[Word] = []
    is_whole: bool | None = None  # is asked of few rows
    for word in row:
        if begun and is_apart(begun[-1], word):
            is_whole = is_stretched(row) if is_whole is None else is_whole
            if not is_whole:
                yield segment_of(begun)
                begun = []
        begun.append(word)
    if begun:
        yield segment_of(begun)


def is_stretched(row: Sequence[Word]) -> bool:
    """Return whether the words are one line that was set as wide as its column, though too little
    stands in it: all its gaps are wide, and most of them narrower than those of cells.
    """
    if len(row) < FEWEST_STRETCHED or any(word.style.is_mono for word in row):
        return False
    gaps = sorted(
        (word.x0 - before.x1) / max(word.style.size, before.style.size)
        for before, word in itertools.pairwise(row)
    )
    return (
        gaps[0] > STRETCHED and gaps[len(gaps) // 2] <= WIDE and gaps[-1] < MOST_STRETCHED * gaps[0]
    )


def is_apart(before: Word, word: Word) -> bool:
    """Return whether a gap parts cells: between figures, columns may be close together."""
    gap = (word.x0 - before.x1) / max(word.style.size, before.style.size)
    figures = FIGURE.fullmatch(before.text) and (
        FIGURE.fullmatch(word.text) or word.text in CURRENCIES
    )
    return gap > (CLOSE if figures else WIDE)


def segment_of(words: Sequence[Word]) -> Segment:
    chars = sum(word.chars for word in words)
    bold, mono, math = (
        sum(word.chars for word in words if word.style[at]) / chars for at in (1, 2, 3)
    )
    sizes: Counter[float] = Counter()
    for word in words:
        sizes[word.style.size] += word.chars
    size = max(sizes, key=lambda size: sizes[size])
    return Segment(
        text=clean(text_of_words(words)).strip(),
        x0=min(word.x0 for word in words),
        x1=max(word.x1 for word in words),
        y=words[0].y,
        size=size,
        bold=bold,
        mono=mono,
        math=math,
    )


def text_of_words(words: Sequence[Word]) -> str:
    """Return the words as text: with a space where there is one, or a gap like one."""
    ordered = words
    if sum(is_rightward(word.text[0]) for word in words) * 2 > len(words):
        ordered = list(reversed(words))
    parts = [ordered[0].text]
    is_code = all(word.style.is_mono for word in words)
    for before, word in itertools.pairwise(ordered):
        left, right = (before, word) if before.x0 <= word.x0 else (word, before)
        gap = right.x0 - left.x1
        size = max(before.style.size, word.style.size)
        is_apart = word.is_apart and not is_code and gap > 0.02 * size
        parts.append(" " * (is_apart or gap > (CODE_SPACE if is_code else SPACE) * size))
        parts.append(word.text)
    return "".join(parts)


def with_marks(found: list[Segment]) -> list[Segment]:
    """Put raised marks before or behind the text that they stand at."""
    small = [each for each in found if len(each.text) <= 5 and MARK.fullmatch(each.text)]
    gone: set[int] = set()
    for mark in small:
        host = next((each for each in found if is_host(each, mark)), None)
        if host is None:
            continue
        if mark.x0 >= host.x0:
            host.text = f"{host.text}[{mark.text.strip('()')}]"
            host.x1 = max(host.x1, mark.x1)
        else:
            host.text = f"[{mark.text.strip('()')}] {host.text}"
            host.x0 = min(host.x0, mark.x0)
        gone.add(id(mark))
    return [each for each in found if id(each) not in gone]


def is_host(text: Segment, mark: Segment) -> bool:
    """Return whether the mark is raised at the beginning or the end of the text."""
    rise = mark.y - text.y
    near = -0.3 * text.size <= mark.x0 - text.x1 <= 0.4 * text.size or (
        -0.3 * text.size <= text.x0 - mark.x1 <= 1.0 * text.size
    )
    return mark.size < 0.87 * text.size and 0.1 * text.size < rise < 0.9 * text.size and near
