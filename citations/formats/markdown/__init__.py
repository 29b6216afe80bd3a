"""Markdown: front matter, headings, and the text without its marks."""

import re
from collections.abc import Iterator

from citations.formats.cleaning import clean, clean_line, http_address, sensible_names
from citations.formats.markdown.dialects import FENCE, common
from citations.formats.markdown.walking import add_markdown
from citations.formats.plain.encodings import decode_text
from citations.formats.reading import (
    ISO_DATE,
    YEAR,
    BadFile,
    FileReading,
    Progress,
    ReadingLimits,
    silent,
    without_title,
)
from citations.formats.sections import Sections

FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)?---[ \t]*(?:\n|\Z)", re.DOTALL)
HEADING = re.compile(r"#{1,6}[ \t]")
# The parser keeps all that it is given in memory, a hundred times over.
STRETCH = 200_000
# What is looked at before the whole is read, in characters.
HEAD = 20_000


def inspect(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Return what the front matter and the first headings say."""
    about, body = front_matter(clean(decode_text(data)))
    whole = parsed(about, body[:HEAD], limits, silent)
    if not whole.sections and len(body) <= HEAD:
        raise BadFile("empty")
    return FileReading(whole.title, authors=whole.authors, year=whole.year, url=whole.url)


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of a Markdown file, under its headings."""
    about, body = front_matter(clean(decode_text(data)))
    return parsed(about, body, limits, progress)


def parsed(
    about: dict[str, str], body: str, limits: ReadingLimits, progress: Progress
) -> FileReading:
    sections = Sections(limits)
    done = 0
    for stretch in stretches(common(body)):
        if sections.full:
            break
        add_markdown(stretch, sections)
        done += len(stretch)
        progress(done, len(body))
    found = sections.finished("")
    title = clean_line(about.get("title", "")) or sections.title
    date = about.get("date", "")
    year = YEAR.search(about.get("year", "") or date)
    exact = ISO_DATE.match(date)
    return FileReading(
        title=title,
        sections=without_title(title, found),
        authors=sensible_names(about.get("authors", about.get("author", "")).split(";")),
        year=int(year.group()) if year else None,
        date=exact.group() if exact else "",
        url=http_address(about.get("url", "")),
        unread=sections.unread,
    )


def front_matter(text: str) -> tuple[dict[str, str], str]:
    """Split off the `key: value` lines between two `---` at the very top."""
    match = FRONT_MATTER.match(text)
    if match is None:
        return {}, text
    pairs = (line.partition(":") for line in (match.group(1) or "").splitlines())
    about = {key.strip().lower(): value.strip().strip("\"'") for key, _, value in pairs if value}
    return about, text[match.end() :]


def stretches(body: str) -> Iterator[str]:
    """Yield the text in stretches; all but the first begin at a heading."""
    stretch: list[str] = []
    size, fence = 0, ""
    for line in body.splitlines(keepends=True):
        if size >= STRETCH and not fence and HEADING.match(line):
            yield "".join(stretch)
            stretch, size = [], 0
        if mark := FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        stretch.append(line)
        size += len(line)
    yield "".join(stretch)
