"""Lines of a printed page become paragraphs, items and rows again."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from citations.formats.sections import Sections

LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\uf0b7": "•"}
)
ITEM = re.compile(r"[-*•–▪◦‣]\s|\(?(?:\d{1,3}|[a-z])[.)]\s")
ENDS = re.compile(r"[.!?:;][\"'”’)\]]*$")
BROKEN_WORD = re.compile(r"[^\W\d_]-$")
NUMBERS = re.compile(r"\d+")
NUMBERED = re.compile(r"#(?!\.)|.*[^.]#$|Page # ", re.IGNORECASE)
LEADERS = re.compile(r" ?(?:\. ?){4,}")  # the dots of a table of contents
NO_LETTERS = re.compile(r"[\W_]+")
# Of how many pages, and of which share of them, a line must be to be taken for a running one.
RUNNING_FROM, RUNNING_SHARE = 4, 0.5
EDGE = 2  # lines at the top and at the bottom
LOOK_AHEAD = 200  # lines in which a heading is looked for


def without_ligatures(text: str) -> str:
    return text.translate(LIGATURES)


def split(text: str) -> list[str]:
    """Return the lines; an empty one stays, because it parts paragraphs."""
    return [LEADERS.sub(" … ", " ".join(line.split())) for line in text.split("\n")]


def without_running(pages: Sequence[list[str]]) -> list[list[str]]:
    """Leave out page numbers, and the lines that stand at the edge of most pages."""
    counts = Counter(line for page in pages for line in {shape(page[at]) for at in edges(page)})
    often = max(RUNNING_FROM, len(pages) * RUNNING_SHARE)
    # With a page number it is known for what it is, even if it is on a chapter's pages only.
    running = {
        line
        for line, count in counts.items()
        if count >= (RUNNING_FROM if NUMBERED.match(line) else often)
    }
    left = []
    for page in pages:
        out = {at for at in edges(page) if shape(page[at]) in running}
        left.append([line for at, line in enumerate(page) if at not in out])
    return left


def edges(page: Sequence[str]) -> set[int]:
    """Return where the first and last lines with text stand."""
    filled = [at for at, line in enumerate(page) if line]
    return {*filled[:EDGE], *filled[-EDGE:]}


def shape(line: str) -> str:
    """Return the line as it is on every page: its number, if it has one, left open."""
    return NUMBERS.sub("#", line)


def parted(page: list[str], heading: str) -> tuple[list[str], list[str]]:
    """Split the page at the line that is the heading; if none is, the heading is above it all."""
    wanted = letters(heading)
    for at, line in enumerate(page[:LOOK_AHEAD]):
        found = letters(line)
        if found and wanted and (found == wanted or found.lstrip("0123456789") == wanted):
            return page[:at], page[at + 1 :]
    return [], page


def letters(text: str) -> str:
    return NO_LETTERS.sub("", text).casefold()


def add(page: Sequence[str], sections: Sections) -> None:
    """Add the lines to the sections, joined where they were wrapped."""
    lengths = sorted(len(line) for line in page if line)
    width = lengths[len(lengths) * 9 // 10] if lengths else 0
    paragraph: list[str] = []
    for at, line in enumerate(page):
        following = page[at + 1] if at + 1 < len(page) else ""
        if line:
            paragraph.append(line)
        if not line or is_last(line, following, width):
            flush(paragraph, sections)
            paragraph = []
    flush(paragraph, sections)


def is_last(line: str, following: str, width: int) -> bool:
    """Tell whether a paragraph or item ends with the line: it is short, and nothing goes on."""
    if ITEM.match(following):
        return True
    goes_on = following[:1].islower() or BROKEN_WORD.search(line) is not None
    return not goes_on and len(line) < width * (0.85 if ENDS.search(line) else 0.5)


def flush(paragraph: Sequence[str], sections: Sections) -> None:
    """Add what belongs together: one short line, or an item, is a line of its own."""
    if not paragraph:
        return
    sections.paragraph(joined(paragraph))


def joined(paragraph: Sequence[str]) -> str:
    """Return the lines as one, with words whole that were broken at the end of a line."""
    text = [paragraph[0]]
    for before, line in pairwise(paragraph):
        if BROKEN_WORD.search(before) and line[:1].islower():
            text[-1] = text[-1][:-1] + line
        else:
            text.append(line)
    return " ".join(text)
