"""Lines of a page, in the order in which they are read: column by column."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from citations.formats.pdf.segments import SAME_ROW, Segment

# A column of text: so many lines, of so many characters in the mean, mostly letters, most of them
# as wide as the column.
FEWEST_LINES, FEWEST_CHARACTERS, LETTERS, FULL, FULL_SHARE = 3, 18, 0.6, 0.55, 0.4
# So many lines, so close and of such a share of the width, are text beside or below a figure.
ABREAST, CLOSE_LINES, WHOLE = 4, 1.6, 0.85
# Columns about the middle of a page: so many such lines each, whose widths differ by less.
FULLER, UNEVEN = 6, 0.1
CODE = 0.85  # of a line, in a font of fixed pitch
NARROWEST = 110.0
# Headings in columns of short lines: so many letters, so many times as large.
SHORTEST_HEAD, HEAD, MOST_GUTTERS = 3, 1.12, 4
CROSSED = 0.45  # of the most lines at one place: so many may stand across a gap of columns
BIN = 2.0
DEEPEST = 3


@dataclass(eq=False)
class TextLine:
    """The segments of one row, from the left."""

    segments: list[Segment]

    @cached_property
    def text(self) -> str:
        return " ".join(segment.text for segment in self.segments)

    @cached_property
    def size(self) -> float:
        return max(self.segments, key=lambda segment: len(segment.text)).size

    @cached_property
    def y(self) -> float:
        return max(self.segments, key=lambda segment: len(segment.text)).y

    @property
    def x0(self) -> float:
        return self.segments[0].x0

    @property
    def x1(self) -> float:
        return self.segments[-1].x1

    def share(self, name: str) -> float:
        """Return which share of the characters is bold, mono or math."""
        total = sum(len(segment.text) for segment in self.segments)
        return sum(getattr(each, name) * len(each.text) for each in self.segments) / total

    @cached_property
    def is_bold(self) -> bool:
        bold = self.share("bold")
        # A heading may name something in a font of fixed pitch.
        return bold > 0.85 or (bold > 0.6 and bold + self.share("mono") > 0.85)

    @cached_property
    def is_mono(self) -> bool:
        return self.share("mono") > CODE


Flow = list[TextLine]
Placed = TypeVar("Placed", Segment, TextLine)
Beside = Callable[[Sequence[Segment], Sequence[Segment]], bool]


def flows(segments: Sequence[Segment]) -> list[Flow]:
    """Return the columns of the page in order, as lines; what spans them stands between."""
    return [rows_of_column(part) for part in reading_parts(list(segments), DEEPEST)]


def rows_of_column(segments: Iterable[Segment]) -> Flow:
    """Return the rows of a column, from the top."""
    found: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda segment: -segment.y):
        row = found[-1] if found else None
        if row is not None and row[0].y - segment.y <= SAME_ROW * min(segment.size, row[0].size):
            row.append(segment)
        else:
            found.append([segment])
    return [TextLine(sorted(row, key=lambda segment: segment.x0)) for row in found]


def reading_parts(segments: list[Segment], depth: int) -> Iterator[list[Segment]]:
    """Yield the parts of the page that are read one after the other."""
    for place in gutters_of(segments) if depth else ():
        if any(are_cards(*sides_of(band, place)) for band, _ in bands(segments, place)):
            yield from parts_beside(segments, place, depth, are_cards)
            return
    gutter = gutter_of(segments) if depth else None
    if gutter is not None:
        parts = list(parts_beside(segments, gutter, depth, are_columns))
        if len(parts) == 1 and (middle := middle_gutter(segments)) is not None:
            parts = list(parts_beside(segments, middle, depth, are_columns))
        yield from parts
    else:
        yield segments


def parts_beside(
    segments: list[Segment], gutter: float, depth: int, are_beside: Beside
) -> Iterator[list[Segment]]:
    """Yield what stands above columns, the columns, and what stands below them."""
    whole: list[Segment] = []
    for band, is_spanning in bands(segments, gutter):
        left, right = sides_of(band, gutter)
        if is_spanning or not are_beside(left, right):
            whole += band
            continue
        if whole:
            yield whole
            whole = []
        yield from reading_parts(left, depth - 1)
        yield from reading_parts(right, depth - 1)
    if whole:
        yield whole


def middle_gutter(segments: Sequence[Segment]) -> float | None:
    """Return the middle of the page, if two columns of one width stand beside it.

    Where figures as wide as the page fill most of it, the gutter is not where least stands.
    """
    middle = (min(each.x0 for each in segments) + max(each.x1 for each in segments)) / 2
    for band, is_spanning in bands(segments, middle):
        left, right = sides_of(band, middle)
        is_even = abs(width_of(left) - width_of(right)) < UNEVEN * width_of(left)
        if not is_spanning and is_even and holds_text(left, FULLER) and holds_text(right, FULLER):
            return middle
    return None


def sides_of(segments: Sequence[Placed], gutter: float) -> tuple[list[Placed], list[Placed]]:
    """Return what stands to the left and to the right of the gutter, without what crosses it."""
    left = [each for each in segments if each.x1 <= gutter]
    return left, [each for each in segments if each.x0 >= gutter]


def width_of(segments: Sequence[Segment]) -> float:
    return max((each.x1 for each in segments), default=0.0) - min(
        (each.x0 for each in segments), default=0.0
    )


def bands(segments: Sequence[Segment], gutter: float) -> Iterator[tuple[list[Segment], bool]]:
    """Yield what stands beside the gutter and what crosses it, from the top down."""
    band: list[Segment] = []
    was_spanning = False
    for row in rows_of_column(segments):
        spans = any(each.x0 < gutter < each.x1 for each in row.segments)
        if band and spans != was_spanning:
            yield band, was_spanning
            band = []
        band += row.segments
        was_spanning = spans
    if band:
        yield band, was_spanning


def gutter_of(segments: Sequence[Segment]) -> float | None:
    """Return where the fewest segments stand between a left and a right half, if few do."""
    return next(gutters_of(segments), None)


def gutters_of(segments: Sequence[Segment]) -> Iterator[float]:
    """Yield where the fewest segments stand between a left and a right half, the widest first."""
    if len(segments) < 2 * FEWEST_LINES:
        return
    left, right = min(each.x0 for each in segments), max(each.x1 for each in segments)
    if right - left < 2 * NARROWEST:
        return
    count = int((right - left) / BIN) + 1
    steps = [0] * (count + 1)
    for each in segments:
        steps[int((each.x0 - left) / BIN)] += 1
        steps[int((each.x1 - left) / BIN)] -= 1
    covered: list[int] = []
    for step in steps[:count]:
        covered.append((covered[-1] if covered else 0) + step)
    margin = int(NARROWEST / BIN)
    inner = range(margin, count - margin)
    fewest = min((covered[at] for at in inner), default=0)
    if fewest <= max(2, CROSSED * max(covered)):
        runs = sorted(text_runs(covered, inner, fewest), key=len, reverse=True)
        for run in runs[:MOST_GUTTERS]:
            yield left + (run[len(run) // 2] + 0.5) * BIN


def text_runs(covered: Sequence[int], inner: range, fewest: int) -> Iterator[list[int]]:
    run: list[int] = []
    for at in inner:
        if covered[at] == fewest:
            run.append(at)
        elif run:
            yield run
            run = []
    if run:
        yield run


def are_columns(left: Sequence[Segment], right: Sequence[Segment]) -> bool:
    """Return whether both sides are running text; in one of them, figures may stand above it, or it
    may be in columns itself.
    """
    if is_running_text(left):
        return is_running_text(right) or holds_text(right) or are_halves_text(right)
    return is_running_text(right) and (holds_text(left) or are_halves_text(left))


def are_cards(left: Sequence[Segment], right: Sequence[Segment]) -> bool:
    """Return whether both sides have headings of their own: most of those of one side stand beside
    none of the other, as no rows of a table do.
    """
    ours, theirs = heads_of(left), heads_of(right)
    some = len(ours) > 1 and len(theirs) > 1
    return some and are_apart(ours, theirs) and are_apart(theirs, ours)


def heads_of(segments: Sequence[Segment]) -> list[TextLine]:
    """Return the lines that are larger than most of them; those of tables are bold at most."""
    lines = rows_of_column(segments)
    if len(lines) < 2 * FEWEST_LINES or not is_lettered(segments):
        return []
    large = HEAD * sorted(line.size for line in lines)[len(lines) // 2]
    return [
        line
        for line in lines
        if line.size >= large and sum(map(str.isalpha, line.text)) >= SHORTEST_HEAD
    ]


def are_apart(heads: Sequence[TextLine], others: Sequence[TextLine]) -> bool:
    """Return whether some of the headings, and half of them, stand beside none of the others."""
    apart = sum(all(abs(head.y - each.y) > 0.5 * head.size for each in others) for head in heads)
    return apart > 0 and 2 * apart >= len(heads)


def are_halves_text(segments: Sequence[Segment]) -> bool:
    """Return whether the segments are two columns of running text."""
    gutter = gutter_of(segments)
    if gutter is None:
        return False
    return all(map(is_running_text, sides_of(segments, gutter)))


def holds_text(segments: Sequence[Segment], fewest: int = ABREAST) -> bool:
    """Return whether some lines, one right below the other, are as wide as all of the segments."""
    width = width_of(segments)
    count = 0
    above: TextLine | None = None
    for line in rows_of_column(segments):
        is_below = above is None or above.y - line.y < CLOSE_LINES * line.size
        is_full = len(line.segments) == 1 and line.x1 - line.x0 >= WHOLE * width
        count = (count * is_below + 1) if is_full and len(line.text) >= FEWEST_CHARACTERS else 0
        if count >= fewest:
            return True
        above = line
    return False


def is_running_text(segments: Sequence[Segment]) -> bool:
    """Return whether the segments are lines of running text, with listings of code among them."""
    width = width_of(segments)
    segments = [each for each in segments if each.mono <= CODE]
    if len(segments) < FEWEST_LINES:
        return False
    characters = sum(len(each.text) for each in segments)
    full = sum(each.width >= FULL * width for each in segments)
    return (
        characters / len(segments) >= FEWEST_CHARACTERS
        and is_lettered(segments)
        and full >= FULL_SHARE * len(segments)
    )


def is_lettered(segments: Sequence[Segment]) -> bool:
    """Return whether most of the characters are letters, as in no figure and no column of
    numbers.
    """
    text = "".join(each.text for each in segments)
    return sum(char.isalpha() or char == " " for char in text) >= LETTERS * len(text)


# "North 12%": no wrapped sentence ends so line by line.
SHARE = re.compile(r"\d\s?%$")
