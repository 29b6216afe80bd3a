"""Markdown: front matter, headings, and the text without its marks."""

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from citations.readers.plain import decoded
from citations.readers.reading import Reading, Section, title_from

FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)?---[ \t]*(?:\n|\Z)", re.DOTALL)
YEAR = re.compile(r"\b[12]\d{3}\b")
BREAKS = {"softbreak": " ", "hardbreak": "\n"}


def read(data: bytes, file_name: str) -> Reading:
    """Return the text of a Markdown file, under its headings."""
    about, body = front_matter(decoded(data))
    sections = list(sections_of(body))
    first_heading = next((part.headings[0] for part in sections if part.headings), "")
    title = about.get("title") or first_heading or title_from(file_name)
    year = YEAR.search(about.get("year", ""))
    return Reading(
        title=title,
        media_type="text/markdown",
        sections=[without(title, section) for section in sections],
        authors=[name.strip() for name in about.get("authors", "").split(";") if name.strip()],
        year=int(year.group()) if year else None,
        url=about.get("url", ""),
    )


def front_matter(text: str) -> tuple[dict[str, str], str]:
    """Split off the `key: value` lines between two `---` at the very top."""
    match = FRONT_MATTER.match(text)
    if match is None:
        return {}, text
    pairs = (line.partition(":") for line in (match.group(1) or "").splitlines())
    about = {key.strip().lower(): value.strip().strip("\"'") for key, _, value in pairs if value}
    return about, text[match.end() :]


def sections_of(body: str) -> Iterator[Section]:
    """Yield the text between headings, each with the headings above it."""
    tree = SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(body))
    path: list[tuple[int, str]] = []
    blocks: list[str] = []
    for node in tree.children:
        if node.type != "heading":
            blocks.append(block_text(node))
            continue
        if any(blocks):
            yield section(path, blocks)
        level = int(node.tag[1])
        path = [*(above for above in path if above[0] < level), (level, block_text(node))]
        blocks = []
    if any(blocks):
        yield section(path, blocks)


def section(path: list[tuple[int, str]], blocks: list[str]) -> Section:
    headings = [text for _, text in path if text]
    return Section(headings=headings, text="\n\n".join(block for block in blocks if block))


def without(title: str, section: Section) -> Section:
    """Leave the document's own title out of the headings: it is known already."""
    if section.headings[:1] != [title]:
        return section
    return Section(headings=section.headings[1:], text=section.text, page=section.page)


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
