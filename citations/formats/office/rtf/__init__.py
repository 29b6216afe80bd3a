"""RTF: words of control and groups become headings, paragraphs, items, tables and footnotes.

Only what is text is followed: of a destination that isn't known here nothing is read.
"""

from dataclasses import replace

from citations.formats.cleaning import clean_line, names
from citations.formats.office.rtf.walking import RichText
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits, silent

GLANCE = 2000  # characters in which text and a title are looked for at first


def inspect(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Return the title, after looking whether there is text."""
    return read(data, replace(limits, characters=GLANCE), progress)


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of a file under its headings."""
    rich = RichText(limits)
    rich.read(data.decode("latin-1"))
    title = clean_line(rich.title) or rich.sections.title
    found = rich.sections.finished(title)
    if not found:
        raise BadFile("empty")
    return FileReading(
        title=title, sections=found, authors=names(rich.author), unread=rich.sections.unread
    )
