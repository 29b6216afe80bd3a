"""Running lines: what stands at the edge of many pages, page numbers, and contents lines."""

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citations.formats.pdf.lines import TextLine
from citations.formats.titles import CONTENTS

DEPTH = 3  # lines at the top and at the bottom
NEAR = 3.0  # points
# Pages, and which share of them.
OFTEN, SHARE = 3, 0.03
LONGEST = 150
# In sizes of the font: a line at the edge is apart from the text by so much.
APART = 1.6
# Of the width of a page's text: a running line that goes on in the next one is no wider.
NARROW = 0.6
SHORTEST_NAME = 6  # characters
NUMBERS = re.compile(r"\d+")
ROMAN = r"[ivxlc]{1,7}|[IVXLC]{1,7}"
NUMBER_ALONE = re.compile(
    rf"(?:[-–—|•·\s]*|page|página|pagina|seite|p\.|pág\.|[A-Z]{{1,2}}-?)\s*(?:\d{{1,4}}|{ROMAN})"
    r"\s*(?:(?:of|/|de|von|sur|из)\s*\d{1,4})?[-–—|•·\s]*",
    re.IGNORECASE,
)
# What LaTeX sets above and below the parts of a listing.
CONTINUED = re.compile(
    r"\(?(?:continue[ds] (?:from|on) (?:the )?(?:previous|next) page"
    r"|(?:fortsetzung|fortgesetzt) (?:der|von|auf) (?:der )?(?:vorherigen|nächsten) seite"
    r"|suite (?:de|sur) la page (?:précédente|suivante)"
    r"|(?:proviene de|continué de|continúe en|continúa en) la (?:página )?(?:anterior|próxima)"
    r"(?: página)?)\.*\)?",
    re.IGNORECASE,
)
LEADERS = re.compile(r"(?:\.\s?){4,}|(?:…\s?){2,}|(?:_){5,}|(?:·\s?){4,}")
ENTRY = re.compile(rf".*\S(?:\s+|\s?[.…]\s?)(?:[A-Z]{{1,2}}-)?(?:\d{{1,4}}|{ROMAN})")
# What stands behind the leaders of an entry: its page, and nothing else.
LED_TO = re.compile(rf"[\s.…·_]*(?:[A-Z]{{1,2}}-)?(?:(\d{{1,4}})|{ROMAN})")
# Which share of the pages in a list of contents are no smaller than the one before.
ASCENDING = 0.8


def running(pages: Sequence[Sequence[TextLine]]) -> set[int]:
    """Return the ids of the running lines; a page's lines come from the top down."""
    gone: set[int] = set()
    for is_top in (True, False):
        rest = [list(lines) if is_top else list(reversed(lines)) for lines in pages]
        for _ in range(DEPTH):
            found = at_edge(rest)
            gone |= found
            before = [len(lines) for lines in rest]
            rest = [[line for line in lines if id(line) not in gone] for lines in rest]
            # Only below a running line may there be another.
            rest = [
                lines if len(lines) < count else []
                for lines, count in zip(rest, before, strict=True)
            ]
    return gone


def at_edge(pages: Sequence[Sequence[TextLine]]) -> set[int]:
    """Return the first lines of pages that are running ones."""
    first = {at: lines[0] for at, lines in enumerate(pages) if lines}
    found: set[int] = set()
    for places in clusters(first):
        edge = Edge.of({at: first[at] for at in places}, len(first))
        for at in places:
            if edge.is_running(at, pages[at], len(pages)):
                found.add(id(first[at]))
            elif edge.is_place:
                found |= {id(line) for line in wrapped_head(pages[at])}
    return found


def wrapped_head(lines: Sequence[TextLine]) -> Sequence[TextLine]:
    """Return the lines at the edge that are the name of a chapter which didn't fit on one: narrow,
    close together, and apart from the text.
    """
    width = max(line.x1 for line in lines) - min(line.x0 for line in lines)
    for at in range(1, min(DEPTH + 1, len(lines))):
        if lines[at - 1].x1 - lines[at - 1].x0 > NARROW * width:
            return []
        if abs(lines[at - 1].y - lines[at].y) > APART * lines[at - 1].size:
            return lines[:at]
    return []


@dataclass(frozen=True)
class Edge:
    """Lines at the edge of pages that stand at one height."""

    count: int
    shapes: Counter[str]
    # What the number in a line is ahead of its page, if that is the same on several pages.
    offset: int | None
    # Most lines there come again, so the others are the names of short chapters.
    is_place: bool

    @classmethod
    def of(cls, lines: dict[int, TextLine], pages: int) -> "Edge":
        offsets = Counter(
            int(number) - at
            for at, line in lines.items()
            for number in set(NUMBERS.findall(line.text))
            if len(number) < 5
        )
        offset, numbered = max(offsets.items(), key=lambda pair: pair[1], default=(0, 0))
        known = offset if numbered >= OFTEN else None
        shapes = Counter(page_shape(line.text, at, known) for at, line in lines.items())
        # Beside the chapter's name, which comes again, may be that of a section, which doesn't.
        parts = Counter(
            segment.text
            for line in lines.values()
            for segment in line.segments
            if len(segment.text) > SHORTEST_NAME
        )
        repeated = sum(
            shapes[page_shape(line.text, at, known)] > 1
            or any(parts[segment.text] > 1 for segment in line.segments)
            for at, line in lines.items()
        )
        is_place = len(lines) >= max(OFTEN, 0.3 * pages) and repeated >= 0.6 * len(lines)
        return cls(len(lines), shapes, known, is_place)

    def is_running(self, at: int, lines: Sequence[TextLine], pages: int) -> bool:
        line = lines[0]
        numbers = NUMBERS.findall(line.text)
        if NUMBER_ALONE.fullmatch(line.text):
            return self.count >= OFTEN or str(at + 1) in numbers
        if CONTINUED.fullmatch(line.text):
            return True
        if len(line.text) > LONGEST or len(lines) < 2:
            return False
        count = self.shapes[page_shape(line.text, at, self.offset)]
        is_apart = abs(line.y - lines[1].y) > APART * line.size
        is_numbered = self.offset is not None and str(at + self.offset) in numbers
        return count >= 0.5 * pages >= OFTEN or (
            is_apart and (count >= max(OFTEN, SHARE * pages) or is_numbered or self.is_place)
        )


def clusters(first: dict[int, TextLine]) -> Iterator[list[int]]:
    """Yield the pages whose lines stand at one height."""
    ordered = sorted(first, key=lambda at: first[at].y)
    run: list[int] = []
    for at in ordered:
        if run and first[at].y - first[run[-1]].y > NEAR:
            yield run
            run = []
        run.append(at)
    if run:
        yield run


def page_shape(text: str, at: int, offset: int | None) -> str:
    """Return the line as it is on every page: its page number left open."""
    if offset is None:
        return text
    number = str(at + offset)
    return NUMBERS.sub(lambda found: "#" if found.group() == number else found.group(), text)


def contents(pages: Sequence[Sequence[TextLine]]) -> set[int]:
    """Return the ids of the lines of tables of contents."""
    gone: set[int] = set()
    is_open = False  # the page before ended in one
    for lines in pages:
        marked = [at for at, line in enumerate(lines) if page_led_to(line.text)]
        if len(marked) >= OFTEN and is_ascending([lines[at].text for at in marked]):
            gone |= {id(lines[at]) for at in with_wrapped(marked)}
        titles = [at for at, line in enumerate(lines) if CONTENTS.fullmatch(line.text.strip())]
        begin = titles[0] if titles else 0
        is_open = bool(titles) or is_open
        if is_open:
            entries = entries_from(lines, begin)
            gone |= {id(lines[at]) for at in entries}
            is_open = bool(entries) and entries[-1] >= len(lines) - 2
    return gone


def page_led_to(text: str) -> re.Match[str] | None:
    """Return the page that leaders lead to; behind those of a table stand its figures."""
    ends = [leaders.end() for leaders in LEADERS.finditer(text)]
    return LED_TO.fullmatch(text, ends[-1]) if ends else None


def is_ascending(entries: Sequence[str]) -> bool:
    """Return whether pages are told, and no prices or counts: one after the other they grow."""
    pages = [int(found[1]) for text in entries if (found := page_led_to(text)) and found[1]]
    steps = [before <= after for before, after in itertools.pairwise(pages)]
    return sum(steps) >= ASCENDING * len(steps)


def with_wrapped(marked: Sequence[int]) -> Iterator[int]:
    """Yield the lines, and the wrapped ones between them."""
    for at, after in zip(marked, [*marked[1:], marked[-1] + 1], strict=True):
        yield at
        if after - at <= 3:
            yield from range(at + 1, after)


def entries_from(lines: Sequence[TextLine], begin: int) -> list[int]:
    """Return the lines that end with a page number, in a row, and those between."""
    marked, missed = [], 0
    for at in range(begin, len(lines)):
        line = lines[at]
        parted = len(line.segments) > 1 or LEADERS.search(line.text)
        is_title = at == begin and CONTENTS.fullmatch(line.text.strip())
        if is_title or (parted and ENTRY.fullmatch(line.text)):
            marked.append(at)
            missed = 0
        else:
            missed += 1
            if missed > 3:
                break
    return list(with_wrapped(marked)) if len(marked) > 4 else []
