"""Contents: the list of a text's headings before it, which would only be found instead of them."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import groupby, pairwise

from citations.formats.pdf.columns import letters_of
from citations.formats.plain.lines import indent_of, is_underlined
from citations.formats.titles import is_contents_title

FEWEST_ENTRIES = 3
# "* 4.7. Mirrors", "3.4. /bin : Commands", each on lines of its own; so many in a row, of which so
# many are headings further down.
ENTRY = re.compile(r"\s*(?:[*•-]\s+)?(?:\d{1,2}|[A-Z])(?:\.\d{1,3}){0,5}[.:]?\s+\S")
FEWEST_NUMBERED, HEADINGS_BELOW = 8, 0.5


def without_contents(found: list[list[str]]) -> list[list[str]]:
    """Leave out the lists of what stands alone elsewhere, as headings do."""
    found = without_numbered(found)
    alone = {letters_of(" ".join(chunk)) for chunk in found if len(chunk) <= 2}
    alone |= {letters_of(chunk[0]) for chunk in found if is_underlined(chunk)}
    return [chunk for chunk in found if not is_contents(chunk, alone)]


def without_numbered(found: list[list[str]]) -> list[list[str]]:
    """Leave out long runs of numbered entries whose headings come further down, and their title."""
    often = Counter(letters_of(heading_of(chunk)) for chunk in found)
    kept: list[list[str]] = []
    for is_run, run in groupby(found, key=is_numbered):
        group = list(run)
        if is_run and are_contents(group, often):
            if kept and len(kept[-1]) == 1 and is_contents_title(kept[-1][0]):
                kept.pop()
            kept += headings_behind(group)
        else:
            kept += group
    return kept


def is_numbered(chunk: Sequence[str]) -> bool:
    """Return whether all lines begin numbered entries, or go on with one further in."""
    if is_underlined(chunk) or not ENTRY.match(chunk[0]):
        return False
    return all(
        ENTRY.match(line) or indent_of(line) > indent_of(above) or not ENTRY.match(above)
        for above, line in pairwise(chunk)
    )


def are_contents(group: Sequence[Sequence[str]], often: Counter[str]) -> bool:
    entries = [entry for chunk in group for entry in entries_of(chunk)]
    # An entry on lines of its own counts itself.
    own = Counter(letters_of(heading_of(chunk)) for chunk in group)
    below = sum(often[entry] > own[entry] for entry in entries)
    return len(entries) >= FEWEST_NUMBERED and below >= HEADINGS_BELOW * len(entries)


def headings_behind(group: Sequence[list[str]]) -> list[list[str]]:
    """Return the last lines of a run that were entries in it before: the text begins there."""
    often = Counter(entry for chunk in group for entry in entries_of(chunk))
    at = len(group)
    while at and often[letters_of(heading_of(group[at - 1]))] > 1:
        at -= 1
    return list(group[at:])


def entries_of(chunk: Sequence[str]) -> list[str]:
    """Return the letters of the entries, those on several lines as one."""
    entries: list[list[str]] = []
    for line in chunk:
        if ENTRY.match(line) or not entries:
            entries.append([])
        entries[-1].append(line)
    return [letters_of(" ".join(lines)) for lines in entries]


def heading_of(chunk: Sequence[str]) -> str:
    return chunk[0] if is_underlined(chunk) else " ".join(chunk[:3])


def is_contents(chunk: Sequence[str], alone: Collection[str]) -> bool:
    """Return whether a third of the entries, over a line or two, are headings as they stand."""
    said = [letters for line in chunk if (letters := letters_of(line))]
    pairs = [above + below for above, below in pairwise(said)]
    count = sum(each in alone for each in (*said, *pairs))
    return count >= FEWEST_ENTRIES and 3 * count >= len(chunk)
