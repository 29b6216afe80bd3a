"""Roff: the sources of manual pages (man, mdoc) and of papers in ms and me.

What the macros mean is read, never run: no macro is defined, no file included.
"""

import re

from citations.formats.cleaning import clean_line
from citations.formats.plain.encodings import decode_text
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits, silent
from citations.formats.roff.walking import RoffWalk

GLANCE = 20_000  # characters, in which a page says what it is
PAGE = re.compile(r"""^\.TH[ \t]+"?([^\s"]{1,60})"?[ \t]+"?(\w{1,6})"?(.*)""", re.MULTILINE)
MDOC = re.compile(r"^\.Dt[ \t]+(\S{1,60})(?:[ \t]+(\w{1,4}))?", re.MULTILINE)
DATED = re.compile(r"\.Dd[ \t]+\S")
TITLE = re.compile(r"^\.TL[ \t]*\n((?:[^.\n].*\n){1,3})", re.MULTILINE)
REQUEST = re.compile(r"^[.'](?:\\\"|[A-Za-z]{1,2}\b|sh\b|\()", re.MULTILINE)
SURE = re.compile(
    r"^\.(?:TH|SH|Dd|Dt|Sh|TL|NH|AU|PP|LP|sh|uh|pp|lp|ip|SS)(?:[ \t\"]|$)", re.MULTILINE
)
COMMENT = ('.\\"', "'\\\"")
# So many lines are requests, of such a share of the first ones.
FEWEST, FEWEST_SURE, SHARE = 5, 3, 0.2


def is_source(text: str) -> bool:
    """Return whether the beginning of a text is written in roff."""
    if begins_page(text):
        return True
    lines = text.count("\n") + 1
    requests = len(REQUEST.findall(text))
    return (
        requests >= FEWEST
        and requests >= SHARE * lines
        and (len(SURE.findall(text)) >= FEWEST_SURE or PAGE.search(text) is not None)
    )


def begins_page(text: str) -> bool:
    """Return whether the first line, but for comments, names a manual page: however much prose is
    behind it, nothing else begins so.
    """
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith(COMMENT))
    first = next(lines, "")
    return PAGE.match(first) is not None or DATED.match(first) is not None


def inspect(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Return the page's name and section, or a paper's title."""
    text = decode_text(data)
    if not text.strip():
        raise BadFile("empty")
    return FileReading(title=title_of(text[:GLANCE]))


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return what the macros print."""
    text = decode_text(data)
    title = title_of(text[:GLANCE])
    walk = RoffWalk(limits)
    walk.read(text)
    title = title or walk.sections.title
    return FileReading(
        title=title, sections=walk.sections.finished(title), unread=walk.sections.unread
    )


def title_of(text: str) -> str:
    """Return "signal(7)" of a manual page, or the title of a paper."""
    if page := PAGE.search(text) or MDOC.search(text):
        name, section = page[1], page[2] or ""
        name = name.lower() if name.isupper() else name
        return clean_line(f"{name}({section})" if section else name)
    if paper := TITLE.search(text):
        return clean_line(paper[1])
    return ""
