"""Printed pages of typed text: their heads and feet are left out, what they part is joined."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from citations.formats.cleaning import clean
from citations.formats.pdf.running import NUMBERS, page_shape
from citations.formats.plain.lines import ENDS, TAB

FEWEST_PAGES = 3
PAGE_FOOT = re.compile(r".*\[Page \w{1,5}\]\s*")
# Lines of a page whose feet stand at even distances; so far do most of them differ.
SHORTEST, TALLEST, UNEVEN, MOST = 30, 100, 3, 0.75
LONGEST = 150
DEPTH = 3  # lines at the top and at the bottom
WIDE_GAP = re.compile(r"\s{2,}")
HEADING = re.compile(r"\d[\d.]*\s+[^\W\d_]|[^\W\d_]{4,12}\s[\dIVXLC]+\b")
Page = list[str]


def lines_of(text: str) -> list[str]:
    """Return the lines of a text without what stands at the edge of its pages."""
    pages = printed_pages(text)
    lines = [line for page in pages for line in page]
    if len(pages) <= FEWEST_PAGES:
        return lines
    return joined(lines, running(pages))


def printed_pages(text: str) -> list[Page]:
    """Return the lines of each page, parted by form feeds, else behind its counted foot."""
    parts = [clean(part).expandtabs(TAB).split("\n") for part in text.split("\f")]
    if len(parts) > FEWEST_PAGES:
        return parts
    lines = [line for part in parts for line in part]
    ends = [0, *(at + 1 for at in feet(lines)), len(lines)]
    return [lines[start:end] for start, end in pairwise(ends)]


def feet(lines: Sequence[str]) -> list[int]:
    """Return where lines stand at the distances of pages, equal but for the number they count."""
    marked = [at for at, line in enumerate(lines) if PAGE_FOOT.fullmatch(line)]
    if len(marked) >= FEWEST_PAGES:
        return marked
    alike: dict[str, list[int]] = defaultdict(list)
    for at, line in enumerate(lines):
        if len(line) <= LONGEST and NUMBERS.search(line):
            alike[NUMBERS.sub("#", " ".join(line.split()))].append(at)
    counted = [places for places in alike.values() if is_counted(lines, places)]
    return sorted(at for places in counted for at in places)  # odd and even pages may differ


def is_counted(lines: Sequence[str], places: Sequence[int]) -> bool:
    """Return whether lines count pages: one number goes up by one, at even distances."""
    if len(places) < FEWEST_PAGES:
        return False
    gaps = [after - before for before, after in pairwise(places)]
    usual = sorted(gaps)[len(gaps) // 2]
    even = sum(abs(gap - usual) <= UNEVEN for gap in gaps)
    steps = sum(is_step(lines[before], lines[after]) for before, after in pairwise(places))
    return SHORTEST <= usual <= TALLEST and min(even, steps) >= MOST * len(gaps)


def is_step(before: str, after: str) -> bool:
    """Return whether only one number differs, by one, or by two from one even page to the next."""
    pairs = zip(numbers_of(before), numbers_of(after), strict=True)
    return [b - a for a, b in pairs if a != b] in ([1], [2])


def numbers_of(line: str) -> list[int]:
    return [int(number[:9]) for number in NUMBERS.findall(line)]


def running(pages: Sequence[Page]) -> set[int]:
    """Return where, in all lines, those of heads and feet are: alike at the edge of pages."""
    edges = list(edge_lines(pages))
    offsets = Counter(
        int(found) - number
        for number, _, line in edges
        for found in set(NUMBERS.findall(line))
        if len(found) < 5
    )
    offset, count = offsets.most_common(1)[0] if offsets else (0, 0)
    known = offset if count >= FEWEST_PAGES else None
    shapes = [
        (at, {" ".join(line.split()), page_shape(" ".join(line.split()), number, known)})
        for number, at, line in edges
    ]
    often = Counter(shape for _, both in shapes for shape in both)
    gone = {at for at, both in shapes if any(often[shape] >= FEWEST_PAGES for shape in both)}
    if known is None:
        return gone
    return gone | {at for number, at, line in edges if str(number + known) in page_numbers(line)}


def page_numbers(line: str) -> set[str]:
    """Return the numbers that stand apart at the beginning or the end of a line."""
    first, *rest = WIDE_GAP.split(line.strip())
    return {first, rest[-1] if rest else ""}


def edge_lines(pages: Sequence[Page]) -> Iterator[tuple[int, int, str]]:
    """Yield the page, the place and the text of the lines that stand first and last on a page."""
    begin = 0
    for number, page in enumerate(pages):
        filled = [at for at, line in enumerate(page) if line.strip()]
        places = {*together(filled)[:DEPTH], *together(filled[::-1])[:DEPTH]}
        for at in places:
            if len(page[at]) <= LONGEST:
                yield number, begin + at, page[at]
        begin += len(page)


def together(filled: Sequence[int]) -> list[int]:
    """Return the first of the places, as far as no empty line parts them."""
    found = list(filled[:1])
    for at in filled[1 : DEPTH + 1]:
        if abs(at - found[-1]) > 1:
            break
        found.append(at)
    return found


def joined(lines: Sequence[str], gone: set[int]) -> list[str]:
    """Leave out lines, and the empty ones around them unless a paragraph ends there."""
    kept: list[str] = []
    is_edge = False
    for at, line in enumerate(lines):
        if at in gone:
            while kept and not kept[-1].strip():
                kept.pop()
            if kept and ENDS.search(kept[-1].rstrip()):
                kept.append("")
            is_edge = True
        elif line.strip() or not is_edge:
            if is_edge and stands_alone(lines, at):
                kept.append("")
            kept.append(line)
            is_edge = False
    return kept


def stands_alone(lines: Sequence[str], at: int) -> bool:
    """Return whether a line begins as a heading does, and an empty one is below it."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    line = lines[at].strip()
    return not below.strip() and (line.isupper() or HEADING.match(line) is not None)
