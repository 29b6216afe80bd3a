"""Plain text: what a text file says, and the title at its top."""

import re

from citations.formats.cleaning import clean
from citations.formats.plain.encodings import decode_text
from citations.formats.plain.typed import ENDS, ITEM, NAMED, UNDERLINE, add_typed
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits, silent
from citations.formats.sections import Sections
from citations.formats.titles import can_be_title

HEAD, LONGEST_TITLE = 4000, 120
TITLED = re.compile(r"(?:title|título|titel|titre): *(\S.{2,118})", re.IGNORECASE)
# What a terminal prints over, to make bold and underlined letters, and its colours.
OVERPRINTED = re.compile(r"(?:[^\n\x08]\x08)+|\x1b\[[\d;]{0,20}[A-Za-z]")


def inspect(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Return the title if the text begins with one: a text file says nothing else of itself."""
    text = clean(decode_printed(data))
    if not text.strip():
        raise BadFile("empty")
    return FileReading(title=find_title(text))


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of a file."""
    text, sections = decode_printed(data), Sections(limits)
    title = find_title(clean(text))
    add_typed(text, sections, title=title)
    found = sections.finished(title)
    return FileReading(title=title, sections=found, parts=sections.parts.found)


def decode_printed(data: bytes) -> str:
    """Return the text as a terminal leaves it: of what is printed over, the last letter."""
    text = decode_text(data)
    return OVERPRINTED.sub("", text) if "\x08" in text or "\x1b" in text else text


def find_title(text: str) -> str:
    """Return the first line if it stands alone above the text, as a title does."""
    lines = [line.strip() for line in text[:HEAD].split("\n")]
    filled = [at for at, line in enumerate(lines) if line]
    for at in filled[:10]:
        if named := TITLED.fullmatch(lines[at]):
            return named[1]
    if len(filled) < 2:
        return ""
    title, second = lines[filled[0]], filled[1]
    is_alone = second > filled[0] + 1 or UNDERLINE.fullmatch(lines[second]) is not None
    is_worded = 3 < len(title) <= LONGEST_TITLE and sum(map(str.isalpha, title)) > 2
    is_other = ENDS.search(title) or title.endswith(",") or ITEM.match(title) or NAMED.match(title)
    return title if is_alone and is_worded and not is_other and can_be_title(title) else ""
