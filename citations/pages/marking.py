"""Marking: the rectangles around a citation's words on a page."""

import sys
from array import array
from base64 import b64decode
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from citations.models import Citation, DrawnPage
from citations.pages.alignment import Letters, Match, align
from citations.pages.drawing import Undrawable, draw_page
from memory.errors import NotFound

# Maximum number of pages of a quotation, and the share of it at which no further page is searched.
MOST_PAGES, ENOUGH = 3, 0.95
# Minimum share of a quotation that is marked: a smaller match is accidental.
LEAST = 0.5
# Widest gap between letters that one rectangle covers, in heights of a letter.
WIDEST_GAP = 1.5


# A span in characters.
Place = tuple[int, int]


class Box(NamedTuple):
    """A rectangle in units of the page's frame."""

    left: int
    top: int
    right: int
    bottom: int


@dataclass(frozen=True)
class MarkedPage:
    """A page and the rectangles of its cited words."""

    page: DrawnPage
    boxes: list[Box]


def mark_citation(citation: Citation, places: Sequence[Place]) -> list[MarkedPage]:
    """Return the pages with the cited places of the passage, the first page in any case.

    Raises NotFound if the document has no pages, and Undrawable.
    """
    passage, document = citation.passage, citation.source.document
    if passage is None or document is None or passage.page is None:
        raise NotFound
    pages: list[DrawnPage] = []
    marks: list[list[Box]] = []
    last = min(passage.page + MOST_PAGES - 1, document.page_count or 0)
    for number in range(passage.page, max(last, passage.page) + 1):
        try:
            pages.append(draw_page(document, number))
        except Undrawable:
            if not pages:
                raise
            break
        letters = [page.letters for page in pages]
        share, marks = mark_words(passage.text, places, letters)
        if share >= ENOUGH:
            break
    marked = [MarkedPage(*each) for each in zip(pages, marks, strict=True)]
    return marked[:1] + [each for each in marked[1:] if each.boxes]


def mark_words(
    passage: str, places: Iterable[Place], pages: Sequence[dict[str, Any]]
) -> tuple[float, list[list[Box]]]:
    """Find places of the passage on the pages; return the found share of them, and the rectangles
    on each page.
    """
    wanted = Letters(passage)
    texts = [Letters(page["text"]) for page in pages]
    matches = [(at, match) for at, text in enumerate(texts) for match in align(wanted, text)]
    chosen: list[tuple[int, Match]] = []
    sought = 0
    for start, end in places:
        first, last = bisect_left(wanted.places, start), bisect_left(wanted.places, end)
        found = _choose(matches, first, last) or _find_alone(wanted.folded[first:last], texts)
        chosen, sought = chosen + found, sought + last - first
    share = sum(match.length for _, match in chosen) / max(sought, 1)
    if share < LEAST:
        return share, [[] for _ in pages]
    runs: list[list[Place]] = [[] for _ in pages]
    for at, match in chosen:
        letters = texts[at].places
        runs[at].append((letters[match.place], letters[match.place + match.length - 1] + 1))
    return share, [draw_boxes(*each) for each in zip(pages, runs, strict=True)]


def _choose(matches: Iterable[tuple[int, Match]], first: int, last: int) -> list[tuple[int, Match]]:
    """Return the matches within a part of the passage; each letter belongs to its longest match."""
    taken = bytearray(last - first)
    chosen = []
    for at, match in sorted(matches, key=lambda each: -each[1].length):
        begin, stop = max(match.start, first), min(match.start + match.length, last)
        while begin < stop and taken[begin - first]:
            begin += 1
        while begin < stop and taken[stop - 1 - first]:
            stop -= 1
        if begin < stop and not any(taken[begin - first : stop - first]):
            taken[begin - first : stop - first] = b"\1" * (stop - begin)
            chosen.append((at, Match(begin, match.place + begin - match.start, stop - begin)))
    return sorted(chosen, key=lambda each: each[1].start)


def _find_alone(sought: str, texts: Sequence[Letters]) -> list[tuple[int, Match]]:
    """Return the match of a text shorter than a seed if it occurs only once, such as a table's row
    set apart from its surroundings.
    """
    found = [(at, text) for at, text in enumerate(texts) if sought and sought in text.folded]
    if len(found) != 1 or found[0][1].folded.count(sought) > 1:
        return []
    at, text = found[0]
    return [(at, Match(0, text.folded.index(sought), len(sought)))]


def draw_boxes(letters: dict[str, Any], runs: Iterable[Place]) -> list[Box]:
    """Return the rectangles of runs of letters, one for each line or part of it."""
    boxes = array("H", b64decode(letters["boxes"]))
    if sys.byteorder == "big":
        boxes.byteswap()
    lines: list[Box] = []
    before: Box | None = None
    for start, end in _join_runs(letters["text"], runs):
        for at in range(start, end):
            box = Box(*boxes[4 * at : 4 * at + 4])
            if before and _share_line(before, box):
                line = lines.pop()
                box_ends = map(max, line[2:], box[2:])
                lines.append(Box(*map(min, line[:2], box[:2]), *box_ends))
            else:
                lines.append(box)
            before = box
    return lines


def _join_runs(text: str, runs: Iterable[Place]) -> list[Place]:
    """Join the runs that are separated by punctuation only."""
    joined: list[Place] = []
    for start, end in runs:
        stop = joined[-1][1] if joined else start + 1
        if stop <= start and not any(map(str.isalnum, text[stop:start])):
            start = joined.pop()[0]
        joined.append((start, end))
    return joined


def _share_line(one: Box, other: Box) -> bool:
    """Return whether two letters are on one line, which may run in any direction."""
    across = min(one.bottom, other.bottom) - max(one.top, other.top)
    along = min(one.right, other.right) - max(one.left, other.left)
    height, width = one.bottom - one.top, one.right - one.left
    is_level = 2 * across >= min(height, other.bottom - other.top)
    is_upright = 2 * along >= min(width, other.right - other.left)
    return (is_level and -along <= WIDEST_GAP * height) or (
        is_upright and -across <= WIDEST_GAP * width and not is_level
    )
