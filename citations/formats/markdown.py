"""Markdown: front matter, headings, and the text without its marks."""

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from citations.formats.cleaning import clean, one_line, sensible_names, web_address
from citations.formats.plain import decoded
from citations.formats.reading import (
    YEAR,
    Limits,
    Progress,
    Reading,
    Refused,
    silent,
    without_title,
)
from citations.formats.sections import Sections

FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)?---[ \t]*(?:\n|\Z)", re.DOTALL)
BREAKS = {"softbreak": " ", "hardbreak": "\n"}
HEADING = re.compile(r"#{1,6}[ \t]")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# The parser keeps all that it is given in memory, a hundred times over.
STRETCH = 200_000
# What is looked at before the whole is read, in characters.
HEAD = 20_000


def inspect(data: bytes, limits: Limits) -> Reading:
    """Return what the front matter and the first headings say."""
    about, body = front_matter(clean(decoded(data)))
    whole = parsed(about, body[:HEAD], limits, silent)
    if not whole.sections and len(body) <= HEAD:
        raise Refused("empty")
    return Reading(whole.title, authors=whole.authors, year=whole.year, url=whole.url)


def read(data: bytes, limits: Limits, progress: Progress) -> Reading:
    """Return the text of a Markdown file, under its headings."""
    about, body = front_matter(clean(decoded(data)))
    return parsed(about, body, limits, progress)


def parsed(about: dict[str, str], body: str, limits: Limits, progress: Progress) -> Reading:
    sections = Sections(limits)
    done = 0
    for stretch in stretches(body):
        if sections.full:
            break
        add(stretch, sections)
        done += len(stretch)
        progress(done, len(body))
    found = sections.finished("")
    title = one_line(about.get("title", "")) or sections.first_heading
    year = YEAR.search(about.get("year", ""))
    return Reading(
        title=title,
        sections=without_title(title, found),
        authors=sensible_names(about.get("authors", "").split(";")),
        year=int(year.group()) if year else None,
        url=web_address(about.get("url", "")),
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


def add(stretch: str, sections: Sections) -> None:
    """Add the headings and blocks of the text to the sections."""
    tree = SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(stretch))
    for node in tree.children:
        if node.type == "heading":
            sections.heading(int(node.tag[1]), block_text(node))
        else:
            sections.paragraph(block_text(node))


def block_text(node: SyntaxTreeNode) -> str:
    """Return a block as text: a line for each item of a list or row of a table."""
    if node.type == "inline":
        return "".join(inline_text(child) for child in node.children).strip()
    if node.type in ("code_block", "fence", "html_block"):
        return node.content.strip("\n")
    if node.type == "tr":
        return " | ".join(block_text(cell) for cell in node.children)
    return "\n".join(filter(None, (block_text(child) for child in node.children)))


def inline_text(node: SyntaxTreeNode) -> str:
    if node.type in BREAKS:
        return BREAKS[node.type]
    if node.children:  # emphasis, a link, an image's description
        return "".join(inline_text(child) for child in node.children)
    return node.content
