"""Edges of pages: running headers and footers are read once, tables of contents not at all."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from citations.formats.pdf.lines import Line
from citations.formats.titles import CONTENTS

DEPTH = 3  # lines at the top and at the bottom
NEAR = 4.0  # points: lines of several pages at one height
OFTEN, SHARE = 3, 0.03  # pages with the same line
LONGEST = 150
APART = 1.6  # sizes between the text and a line that repeats on few pages only
ROMAN = r"[ivxlc]{1,7}|[IVXLC]{1,7}"
EDGE_NUMBER = re.compile(rf"^\W*(?:\d{{1,4}}|{ROMAN})\b|\b(?:\d{{1,4}}|{ROMAN})\W*$")
NUMBER_ALONE = re.compile(
    rf"(?:\W*|page|página|pagina|seite|p\.|pág\.|[A-Z]{{1,2}}-?)\s*(?:\d{{1,4}}|{ROMAN})"
    r"\s*(?:(?:of|/|de|von|sur|из)\s*\d{1,4})?\W*",
    re.IGNORECASE,
)
LEADERS = re.compile(r"(?:[.…·]\s?){4}|_{5}")
FEWEST_ENTRIES, LONGEST_ENTRY = 5, 300


def split_running(pages: Sequence[Sequence[Line]]) -> tuple[set[int], dict[int, list[str]]]:
    """Return the ids of running lines, and the running texts by the page on which each begins."""
    edges = [list(find_edges(lines)) for lines in pages]
    places: dict[tuple[str, int], set[int]] = defaultdict(set)
    for at, edge in enumerate(edges):
        for line, _ in edge:
            places[shape_line(line.text), round(line.y / NEAR)].add(at)
    gone: set[int] = set()
    texts: dict[int, list[str]] = defaultdict(list)
    for at, edge in enumerate(edges):
        for line, is_apart in edge:
            shape, height = shape_line(line.text), round(line.y / NEAR)
            alike = set().union(*(places.get((shape, height + step), ()) for step in (-1, 0, 1)))
            is_number = NUMBER_ALONE.fullmatch(line.text) is not None
            often = SHARE * len(pages) if is_apart or is_number else len(pages) / 2
            is_page = is_number and str(at + 1) in re.findall(r"\d+", line.text)
            if id(line) in gone or (len(alike) < max(OFTEN, often) and not is_page):
                continue
            gone.add(id(line))
            if at == min(alike) and not is_number:
                texts[at].append(shape.strip())
    return gone, texts


def find_edges(lines: Sequence[Line]) -> Iterator[tuple[Line, bool]]:
    """Yield the first and last lines of a page, and whether a gap separates them from its text."""
    ordered = sorted(lines, key=lambda line: -line.y)
    for edge in (ordered, ordered[::-1]):
        near = edge[: DEPTH + 1]
        gaps = [abs(one.y - two.y) > APART * one.size for one, two in pairwise(near)]
        for at, line in enumerate(near[:DEPTH]):
            if len(line.text) <= LONGEST:
                yield line, any(gaps[at:])


def shape_line(text: str) -> str:
    """Return a line without a number at its edge, in the form that all pages share."""
    return EDGE_NUMBER.sub("", text)


def find_contents(pages: Sequence[Sequence[Line]]) -> set[int]:
    """Return the ids of the lines of tables of contents: lines with leaders, or lines below a title
    and on the next pages.
    """
    gone: set[int] = set()
    is_open = False  # whether the table continues from the page before
    for lines in pages:
        title = next((at for at, line in enumerate(lines) if CONTENTS.fullmatch(line.text)), None)
        begin = 0 if is_open else len(lines) if title is None else title
        entries = [
            at
            for at, line in enumerate(lines)
            if (at >= begin and len(line.cells) > 1) or LEADERS.search(line.text)
            if len(line.text) <= LONGEST_ENTRY and EDGE_NUMBER.search(line.text[-9:])
        ]
        numbers = [int(found[0]) for at in entries if (found := re.search(r"\d+$", lines[at].text))]
        steps = [before <= after for before, after in pairwise(numbers)]
        is_open = len(entries) >= FEWEST_ENTRIES and sum(steps) >= 0.8 * len(steps)
        if is_open:
            first = entries[0] if title is None else min(title, entries[0])
            gone |= {id(line) for line in lines[first : entries[-1] + 1]}
            is_open = entries[-1] >= len(lines) - OFTEN
    return gone
