"""Plain text: headings, paragraphs, items, tables and code, told by how lines are typed."""

import re
from collections.abc import Sequence

from citations.formats.cleaning import clean
from citations.formats.plain.encodings import decode_text
from citations.formats.plain.headings import ALONE, RELEASE
from citations.formats.plain.lines import ENDS, MANUAL_PAGE, UNDERLINE
from citations.formats.plain.manual import Manual, is_manual
from citations.formats.plain.typed import ITEM, Typed
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits, silent
from citations.formats.sections import Sections
from citations.formats.titles import can_be_title

LONGEST_TITLE = 120
MOSTLY_CAPITALS, FEWEST_WORDS = 0.9, 3
CENTRED = 8  # spaces at least before what is centred
# What a terminal prints over, to make bold and underlined letters, and its colours.
OVERPRINTED = re.compile(r"(?:[^\n\x08]\x08)+|\x1b\[[\d;]{0,20}[A-Za-z]")


def inspect(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Return the title if the text begins with one: a text file says nothing else of itself."""
    text = clean(printed(decode_text(data)))
    if not text.strip():
        raise BadFile("empty")
    return FileReading(title=title_of(text))


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of a file."""
    text = printed(decode_text(data))
    title, sections = title_of(clean(text)), Sections(limits)
    if is_manual(text):
        Manual(text, sections).read()
    else:
        Typed(text, title, sections).read()
    found = sections.finished(title)
    return FileReading(title=title, sections=found, unread=sections.unread)


def printed(text: str) -> str:
    """Return the text as a terminal leaves it: of what is printed over, the last letter."""
    return OVERPRINTED.sub("", text) if "\x08" in text or "\x1b" in text else text


def title_of(text: str) -> str:
    """Return the first line if it stands alone above the text, as a title does."""
    typed = text[:4000].split("\n")
    lines = [line.strip() for line in typed]
    filled = [at for at, line in enumerate(lines) if line]
    for at in filled[:10]:
        name, _, rest = lines[at].partition(":")
        if name.lower() in ("title", "título", "titel", "titre") and 2 < len(rest) < LONGEST_TITLE:
            return rest.strip()
    if len(filled) < 2:
        return ""
    first, second = filled[:2]
    if RELEASE.fullmatch(lines[first]):
        return f"Changes of {lines[first].partition(' ')[0]}"
    alone = second > first + 1 or UNDERLINE.fullmatch(lines[second]) is not None
    alone = alone or stands_out(lines[first], lines[second])
    alone = alone or is_centred([typed[at] for at in filled])
    if page := MANUAL_PAGE.fullmatch(lines[first]):
        return page[1].lower() if page[1].isupper() else page[1]
    title = lines[first]
    is_title = 3 < len(title) <= LONGEST_TITLE and not ENDS.search(title) and not ITEM.match(title)
    is_title = is_title and sum(map(str.isalpha, title)) > 2 and can_be_title(title)
    is_title = is_title and not ALONE.fullmatch(title) and title[-1] != ","  # "Dear Ann,"
    return title if alone and is_title else ""


def is_centred(lines: Sequence[str]) -> bool:
    """Return whether the first two lines stand in the middle of the page, and some below do not."""
    starts = [line.startswith((" " * CENTRED, "\t\t")) for line in lines]
    return all(starts[:2]) and not all(starts)


def stands_out(line: str, below: str) -> bool:
    """Return whether a line of several words is in capitals, and the one below it isn't."""
    upper = sum(map(str.isupper, line))
    is_high = upper > MOSTLY_CAPITALS * sum(map(str.isalpha, line))
    return is_high and len(line.split()) >= FEWEST_WORDS and not below.isupper()
