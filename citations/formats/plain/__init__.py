"""Plain text: the content of a text file, and the title at its top."""

from citations.formats.cleaning import clean
from citations.formats.plain.encodings import decode_text
from citations.formats.plain.typed import ENDS, ITEM, NAMED, add_typed, is_underlined
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits
from citations.formats.sections import Sections
from citations.formats.titles import can_be_title

HEAD, LONGEST_TITLE = 4000, 120


def inspect(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the title if the text begins with one; a text file has no other metadata."""
    text = clean(decode_text(data))
    if not text.strip():
        raise BadFile("empty")
    return FileReading(title=find_title(text))


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of a file."""
    text, sections = clean(decode_text(data)), Sections(limits)
    title = find_title(text)
    add_typed(text, sections, title=title)
    found = sections.finished(title)
    return FileReading(title=title, sections=found, parts=sections.parts.found)


def find_title(text: str) -> str:
    """Return the first line if it is set apart from the text, as a title is."""
    lines = text[:HEAD].strip().split("\n")
    title = lines[0].strip()
    is_alone = len(lines) > 1 and (not lines[1].strip() or is_underlined(lines))
    is_worded = 3 < len(title) <= LONGEST_TITLE and sum(map(str.isalpha, title)) > 2
    is_other = ENDS.search(title) or title.endswith(",") or ITEM.match(title) or NAMED.match(title)
    return title if is_alone and is_worded and not is_other and can_be_title(title) else ""
