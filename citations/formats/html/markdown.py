"""Markdown: front matter, then a body that is rendered to HTML and read in order."""

import re
from collections.abc import Iterator
from functools import cache

from markdown_it import MarkdownIt
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from citations.formats import html
from citations.formats.cleaning import clean, clean_line, clean_names, parse_http_address
from citations.formats.html.content import weigh_elements
from citations.formats.html.walking import ElementWalk
from citations.formats.metadata import describe_work
from citations.formats.plain.encodings import decode_text
from citations.formats.reading import (
    ISO_DATE,
    YEAR,
    BadFile,
    FileReading,
    Progress,
    ReadingLimits,
    drop_title,
    ignore_progress,
)
from citations.formats.sections import Sections

FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)?---[ \t]*(?:\n|\Z)", re.DOTALL)
HEADING, FENCE = re.compile(r"#{1,6}[ \t]"), re.compile(r" {0,3}(`{3,}|~{3,})")
# Characters parsed at once: the parser takes a hundred times their memory.
STRETCH = 200_000
HEAD = 20_000  # characters read by `inspect`
# "> [!NOTE]", as code forges show it.
# ":::tip", "::: {.callout-tip}", as generators of manuals do.
FENCED = re.compile(r"^:{3,}[ \t{.]*(?:callout-)?(\w*)[^\n]*$", re.MULTILINE)
CALLOUT = re.compile(r"^([ \t]*>[ \t]*)\[!(\w{3,12})\][ \t]*$", re.MULTILINE)


def inspect(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Read the front matter and the first headings."""
    about, body = split_front_matter(clean(decode_text(data)))
    whole = read_body(about, body[:HEAD], limits, ignore_progress)
    if not whole.sections and len(body) <= HEAD:
        raise BadFile("empty")
    return FileReading(whole.title, authors=whole.authors, year=whole.year, url=whole.url)


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of a Markdown file, under its headings."""
    about, body = split_front_matter(clean(decode_text(data)))
    return read_body(about, body, limits, progress)


def read_body(
    about: dict[str, str], body: str, limits: ReadingLimits, progress: Progress
) -> FileReading:
    """Read the body in stretches, and add the metadata of the front matter."""
    walk = ElementWalk(sections := Sections(limits), hidden=limits.hidden)
    done = 0
    for stretch in split_stretches(body):
        if sections.full:
            break
        plain = FENCED.sub(r"\n\1\n", CALLOUT.sub(r"\1\2:", stretch))
        page = make_parser().render(plain)
        if page.strip():
            root = html.parse_html(f"<html><body>{page}</body></html>".encode("utf-8", "replace"))
            walk.read(root, weigh_elements(root))
        done += len(stretch)
        progress(done, len(body))
    found = sections.finished("")
    title = clean_line(about.get("title", "")) or sections.title
    date = about.get("date", "")
    year, exact = YEAR.search(about.get("year", "") or date), ISO_DATE.match(date)
    return FileReading(
        title=title,
        sections=drop_title(title, found),
        authors=clean_names(about.get("authors", about.get("author", "")).split(";")),
        year=int(year.group()) if year else None,
        date=exact.group() if exact else "",
        url=parse_http_address(about.get("url", "")),
        csl=describe_work({name: [value] for name, value in about.items()}),
        parts=sections.parts.found,
    )


@cache
def make_parser() -> MarkdownIt:
    """Return a CommonMark parser with the usual extensions."""
    made = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for plugin in (admon_plugin, deflist_plugin, footnote_plugin, tasklists_plugin):
        made.use(plugin)
    return made


def split_front_matter(text: str) -> tuple[dict[str, str], str]:
    """Split off the `key: value` lines between two `---` at the very top."""
    match = FRONT_MATTER.match(text)
    if match is None:
        return {}, text
    pairs = (line.partition(":") for line in (match.group(1) or "").splitlines())
    about = {key.strip().lower(): value.strip().strip("\"'") for key, _, value in pairs if value}
    return about, text[match.end() :]


def split_stretches(body: str) -> Iterator[str]:
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
