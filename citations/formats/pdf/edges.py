"""Edges of pages: running headers and footers are read once, and lists of contents not at all."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from citations.formats.pdf.page_lines import Line
from citations.formats.titles import CONTENTS

DEPTH = 3  # lines at the top and at the bottom
NEAR = 4.0  # points: lines of several pages at one height
OFTEN, SHARE = 3, 0.03  # pages with the same line
LONGEST = 150
APART = 1.6  # sizes between the text and a line that few pages have
NUMBERS = re.compile(r"\d+")
ROMAN = r"[ivxlc]{1,7}|[IVXLC]{1,7}"
NUMBER_ALONE = re.compile(
    rf"(?:\W*|page|página|pagina|seite|p\.|pág\.|[A-Z]{{1,2}}-?)\s*(?:\d{{1,4}}|{ROMAN})"
    r"\s*(?:(?:of|/|de|von|sur|из)\s*\d{1,4})?\W*",
    re.IGNORECASE,
)
ENTRY = re.compile(rf".*\S(?:\s+|\s?[.…]\s?)(?:[A-Z]{{1,2}}-)?(?:\d{{1,4}}|{ROMAN})")
LED_ENTRY = re.compile(
    rf".*(?:(?:[.…·]\s?){{4,}}|_{{5,}})[\s.…·_]*(?:[A-Z]{{1,2}}-)?(?:\d{{1,4}}|{ROMAN})"
)
LAST_NUMBER = re.compile(r"\d{1,4}$")
FEWEST_ENTRIES, MOST_BETWEEN, ASCENDING, LONGEST_ENTRY = 5, 3, 0.8, 300


def split_running(pages: Sequence[Sequence[Line]]) -> tuple[set[int], dict[int, list[str]]]:
    """Return the ids of running lines, and the texts of each page that run from there on."""
    edges = [list(edge_lines(lines)) for lines in pages]
    offset = page_offset(edges)
    places: dict[tuple[str, int], set[int]] = defaultdict(set)
    for at, edge in enumerate(edges):
        for line, _ in edge:
            places[shape_of(line.text, at + offset), round(line.y / NEAR)].add(at)
    first = {place: min(found) for place, found in places.items()}
    gone: set[int] = set()
    texts: dict[int, list[str]] = defaultdict(list)
    for at, edge in enumerate(edges):
        for line, is_apart in edge:
            if id(line) in gone:  # of a short page, at both edges
                continue
            shape = shape_of(line.text, at + offset)
            height = round(line.y / NEAR)
            near = [(shape, each) for each in (height - 1, height, height + 1)]
            alike = sum(len(places[each]) for each in near if each in places)
            is_number = NUMBER_ALONE.fullmatch(line.text) is not None
            often = max(OFTEN, SHARE * len(pages)) if is_apart or is_number else len(pages) / 2
            if alike < max(OFTEN, often) and not (is_number and is_page(line.text, at + 1)):
                continue
            gone.add(id(line))
            if at == min(first[each] for each in near if each in first) and not is_number:
                texts[at].append(shape.replace("#", "").strip())
    return gone, texts


def edge_lines(lines: Sequence[Line]) -> Iterator[tuple[Line, bool]]:
    """Yield the first and last lines of a page, and whether they stand apart from its text."""
    ordered = sorted(lines, key=lambda line: -line.y)
    for edge in (ordered, ordered[::-1]):
        near = edge[: DEPTH + 1]
        gaps = [abs(one.y - two.y) > APART * one.size for one, two in pairwise(near)]
        for at, line in enumerate(near[:DEPTH]):
            if len(line.text) <= LONGEST:
                yield line, any(gaps[at:])


def page_offset(edges: Sequence[Sequence[tuple[Line, bool]]]) -> int:
    """Return how far the printed numbers of pages are ahead of their places."""
    offsets = Counter(
        int(number) - at
        for at, edge in enumerate(edges)
        for number in {each for line, _ in edge for each in NUMBERS.findall(line.text)}
        if len(number) < 5
    )
    return offsets.most_common(1)[0][0] if offsets else 1


def shape_of(text: str, number: int) -> str:
    """Return a line as it is on every page: its page number left open."""
    if NUMBER_ALONE.fullmatch(text):
        return "#"
    return NUMBERS.sub(lambda found: "#" if found.group() == str(number) else found.group(), text)


def is_page(text: str, number: int) -> bool:
    return str(number) in NUMBERS.findall(text)


def find_contents(pages: Sequence[Sequence[Line]]) -> set[int]:
    """Return the ids of the lines of tables of contents."""
    gone: set[int] = set()
    is_open = False  # the page before ended in one
    for lines in pages:
        titles = [at for at, line in enumerate(lines) if CONTENTS.fullmatch(line.text.strip())]
        is_open = is_open or bool(titles)
        begin = titles[0] if titles else 0
        entries = [
            at
            for at, line in enumerate(lines)
            if len(line.text) <= LONGEST_ENTRY
            and (
                LED_ENTRY.fullmatch(line.text)
                or (is_open and at >= begin and len(line.cells) > 1 and ENTRY.fullmatch(line.text))
            )
        ]
        is_open = len(entries) >= FEWEST_ENTRIES and are_ascending([lines[at] for at in entries])
        if is_open:
            gone |= {id(lines[at]) for at in titles[:1]}
            for at, after in zip(entries, [*entries[1:], entries[-1] + 1], strict=True):
                end = after if after - at <= MOST_BETWEEN else at + 1
                gone |= {id(line) for line in lines[at:end]}
            is_open = entries[-1] >= len(lines) - MOST_BETWEEN
    return gone


def are_ascending(entries: Sequence[Line]) -> bool:
    """Return whether the numbers at the ends of lines are those of pages: most grow."""
    numbers = [int(found[0]) for line in entries if (found := LAST_NUMBER.search(line.text))]
    steps = [before <= after for before, after in pairwise(numbers)]
    return sum(steps) >= ASCENDING * len(steps)
