"""Beside: what stands in the margin, at half the height of a cell, or in a block of its own."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from citations.formats.pdf.lines import (
    FEWEST_LINES,
    Flow,
    TextLine,
    holds_text,
    rows_of_column,
    sides_of,
)
from citations.formats.sections import is_remark

# In characters and in lines: the longest label, and the longest text beside one.
LONGEST, MOST = 40, 40
# In sizes: how far apart lines of one text are, and how far from its middle its label is. In gaps
# between its lines: how much farther another text is. In points: one place.
CLOSE, MIDDLE, APART, SAME = 1.7, 0.35, 1.15, 2.0
# Sizes between lines of a block; lines in the head of a letter; those of two blocks in a page.
BLOCK, HEAD, LONG = 2.1, 40, 6


def in_order(lines: Flow) -> Flow:
    """Return the lines of a column as they are read: what stands beside a text before it."""
    return with_labels(unwoven(lines))


# --- Labels ---------------------------------------------------------------------------------------


def with_labels(lines: Flow) -> Flow:
    """Return the lines, each label where the text begins that it stands beside: one of a remark
    ("Note") as a line of its own, another as a cell before the first line.
    """
    moved = {at: begin for at in range(len(lines)) if (begin := begin_of(lines, at)) is not None}
    return list(with_moved(lines, moved)) if moved else lines


def begin_of(lines: Sequence[TextLine], at: int) -> int | None:
    """Return where the text begins whose label stands in the line, unless it stands there already
    as a cell.
    """
    label, *own = lines[at].segments
    if len(label.text) > LONGEST or len(own) > 1:
        return None
    text = text_beside(lines, at, own[0].x0 if own else lines[max(at - 1, 0)].x0)
    if len(text) > 1 and text[0] < at:
        middle = (lines[text[0]].segments[-1].y + lines[text[-1]].segments[-1].y) / 2
        if abs(middle - label.y) <= MIDDLE * label.size:
            return text[0]
    return at if own and is_remark(label.text) else None


def text_beside(lines: Sequence[TextLine], at: int, left: float) -> Sequence[int]:
    """Return which lines are the text that begins so far from the left, beside a line's first
    segment; none if there is another label beside it.
    """
    if left <= lines[at].segments[0].x1:
        return ()
    above = text_run(lines, at, range(at - 1, max(at - MOST, 0) - 1, -1), left)
    below = text_run(lines, at, range(at + 1, min(at + MOST, len(lines))), left)
    own = [at] if len(lines[at].segments) > 1 else []
    return (*reversed(above), *own, *below) if own or (above and below) else ()


def text_run(
    lines: Sequence[TextLine], at: int, places: Iterable[int], left: float
) -> Sequence[int]:
    """Return the lines from one on that are set evenly at one place; none if they go on beside
    another label.
    """
    found: list[int] = []
    before = lines[at]
    # A label by itself stands between two lines that leave no room for one.
    leading = CLOSE * before.size / (1 if len(before.segments) > 1 else 2)
    for place in places:
        line = lines[place]
        gap = abs(before.y - line.y)
        is_there = abs(line.segments[-1].x0 - left) <= SAME
        if gap > leading or not (is_there or line.x1 < left):
            break
        if len(line.segments) > 1 or not is_there:
            return ()
        is_even = found or len(before.segments) > 1
        leading = APART * gap if is_even else 2 * leading
        before = line
        found.append(place)
    return found


def with_moved(lines: Sequence[TextLine], moved: dict[int, int]) -> Iterator[TextLine]:
    """Yield the lines, the labels of some before the lines that they are moved to."""
    labels = {begin: lines[at].segments[0] for at, begin in moved.items()}
    for at, line in enumerate(lines):
        rest = line.segments[1:] if at in moved else line.segments
        if at in labels:
            label = replace(labels[at], y=rest[-1].y)
            if is_remark(label.text):
                yield TextLine([label])
            else:
                rest = [label, *rest]
        if rest:
            yield line if rest is line.segments else TextLine(rest)


# --- Blocks ---------------------------------------------------------------------------------------


def unwoven(lines: Flow) -> Flow:
    """Return the lines, of two blocks beside one another the left first: in the head of a letter,
    and where text as wide as its place stands beside short lines, as an abstract does.
    """
    for at, (one, two) in enumerate(pairwise(lines[:HEAD])):
        if is_beside(one, two):
            gutter = (min(one.x1, two.x1) + max(one.x0, two.x0)) / 2
            for begin, end in (head(lines, gutter), band(lines, at, gutter)):
                segments = [segment for line in lines[begin:end] for segment in line.segments]
                left, right = map(rows_of_column, sides_of(segments, gutter))
                woven = sum(map(is_beside, lines[begin:end], lines[begin + 1 : end]))
                if woven >= FEWEST_LINES and is_block(left) and is_block(right):
                    return [*lines[:begin], *left, *right, *lines[end:]]
    return lines


def head(lines: Flow, gutter: float) -> tuple[int, int]:
    """Return where lines stand on one side of the gutter each, from the top on: below may be a
    table's header.
    """
    top = lines[:HEAD]
    end = next((n for n, line in enumerate(top) if line.x0 <= gutter <= line.x1), HEAD)
    is_plain = all(len(line.segments) == 1 for line in top[:end] if line.x1 < gutter)
    return 0, end if is_plain else 0


def band(lines: Flow, at: int, gutter: float) -> tuple[int, int]:
    """Return where nothing crosses the gutter, about a line, if text stands to the right of it."""
    near = lines[: at + 2 * HEAD]
    crossed = [
        n
        for n, line in enumerate(near)
        if any(each.x0 <= gutter <= each.x1 for each in line.segments)
    ]
    begin = max((n + 1 for n in crossed if n < at), default=0)
    end = min((n for n in crossed if n > at), default=len(near))
    segments = [segment for line in lines[begin:end] for segment in line.segments]
    left, right = sides_of(segments, gutter)
    is_text = len(left) >= LONG and holds_text(right, LONG)
    return begin, end if is_text else begin


def is_beside(above: TextLine, below: TextLine) -> bool:
    """Return whether the lines are too near to be of one column, and beside one another."""
    return above.y - below.y < 0.9 * below.size and (below.x1 < above.x0 or above.x1 < below.x0)


def is_block(lines: Flow) -> bool:
    """Return whether the lines stand close below one another, as those of cells do not."""
    gaps = sorted((one.y - two.y) / two.size for one, two in pairwise(lines))
    return len(lines) >= FEWEST_LINES and gaps[len(gaps) // 2] < BLOCK
