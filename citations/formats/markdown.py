"""Markdown: front matter, headings, and the text without its marks."""

import re
from collections.abc import Iterable, Iterator

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from citations.formats.blocks import BULLET, BlockKind
from citations.formats.captions import is_caption
from citations.formats.cleaning import clean, clean_line, http_address, sensible_names
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
LISTS = ("bullet_list", "ordered_list")
BREAKS = {"softbreak": " ", "hardbreak": "\n"}
NOTE = re.compile(r"\[\^[^\]\s]{1,40}\]:\s")
FORMULA = re.compile(r"\$\$[^$]+\$\$")
# How a paragraph ends that isn't only the name of what the next one is about.
SAYS_ALL = re.compile(r"[.:;,!?…。！？：][\"'”’»)\]`*]?$")
TAG = re.compile(r"<!--.*?-->|</?[a-zA-Z!][^<>]*>", re.DOTALL)
# "> [!NOTE]", as forges show it.
CALLOUT = re.compile(r"\[!(\w{3,12})\]\s*")
BADGE = re.compile(
    r"badge|shields\.io|\.svg(?:$|\?)|travis|circleci|codecov|coveralls|nodei\.co|opencollective",
    re.I,
)
# What a badge says, whatever it is called.
BADGE_TEXT = re.compile(
    r"\b(?:build|status|ci|coverage|licen[cs]e|version|downloads?|npm|pypi|chat|badge|tests?|dependencies"
    r"|release|crates\.io|docs|stars)\b|logo$",
    re.IGNORECASE,
)
TAG_HEADING = re.compile(
    r"<h(?P<level>[1-6])\b[^<>]{0,200}>(?P<text>.{0,1000}?)</h(?P=level)>", re.DOTALL | re.I
)
ALT = re.compile(r"<img\b[^<>]{0,600}?\balt=[\"']([^\"'<>]{1,100})", re.IGNORECASE)
FEWEST_ENTRIES = 3  # of a table of contents
HEADING = re.compile(r"#{1,6}[ \t]")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
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
    for stretch in stretches(body):
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
        authors=sensible_names(about.get("authors", "").split(";")),
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


def add_markdown(stretch: str, sections: Sections) -> None:
    """Add the headings and blocks of the text to the sections."""
    tree = SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(stretch))
    for node in with_what_is_said(tree.children):
        add_block(node, sections)


def with_what_is_said(nodes: Iterable[SyntaxTreeNode]) -> list[SyntaxTreeNode]:
    """Return the blocks; what stands behind a list of one term, too little indented, is put in."""
    found: list[SyntaxTreeNode] = []
    for node in nodes:
        if found and node.type == "paragraph" and is_term(found[-1]):
            found[-1].children[0].children.append(node)
        elif is_contents(node):
            if found and found[-1].type == "heading":
                found.pop()
        else:
            found.append(node)
    return found


def is_contents(node: SyntaxTreeNode) -> bool:
    """Tell whether a list is of links to places of the text itself, and of nothing else."""
    if node.type not in LISTS:
        return False
    lines = [each for each in node.walk() if each.type == "inline"]
    links = [child for line in lines for child in line.children]
    return len(lines) >= FEWEST_ENTRIES and all(
        str(link.attrs.get("href", "")).startswith("#") if link.type == "link" else is_space(link)
        for link in links
    )


def is_space(node: SyntaxTreeNode) -> bool:
    return node.type in BREAKS or (node.type == "text" and not node.content.strip())


def is_term(node: SyntaxTreeNode) -> bool:
    """Tell whether the block is a bullet that only names what the next block is about."""
    if node.type != "bullet_list" or len(node.children) != 1:
        return False
    inside = node.children[0].children
    is_line = len(inside) == 1 and inside[0].type == "paragraph"
    return is_line and not SAYS_ALL.search(text_of_token(inside[0]))


def add_block(node: SyntaxTreeNode, sections: Sections, level: int = 0) -> None:
    """Add a block, or those in it; `level` is how many lists it stands in."""
    if node.type == "heading":
        sections.heading(int(node.tag[1]), heading_text(node))
    elif node.type in LISTS:
        add_list(node, sections, level)
    elif node.type in ("code_block", "fence"):
        sections.add(BlockKind.CODE, node.content)
    elif node.type == "html_block":
        add_html(node.content, sections)
    elif node.type == "tr":
        cells = [text_of_token(cell) for cell in node.children]
        sections.row(cells, is_header=node.parent is not None and node.parent.type == "thead")
    elif node.type == "paragraph":
        text = text_of_token(node)
        if callout := CALLOUT.match(text):
            sections.paragraph(callout[1].capitalize())
            text = text[callout.end() :]
        sections.add(kind_of_paragraph(text), text)
    else:
        for child in node.children:
            add_block(child, sections, level)


def heading_text(node: SyntaxTreeNode) -> str:
    """Return the text of a heading; the words of pictures only where there are no others."""
    pictures = [each for each in node.walk() if each.type == "image"]
    alone = "".join(
        "" if each.type == "image" else inline_text(each)
        for inline in node.children
        for each in inline.children
        if each.type != "link" or not any(inner.type == "image" for inner in each.walk())
    )
    if alone.strip() or not pictures:
        return alone.strip()
    return next(filter(None, (said_by_picture(inline_alt(each)) for each in pictures)), "")


def inline_alt(picture: SyntaxTreeNode) -> str:
    return "".join(inline_text(child) for child in picture.children)


def said_by_picture(alt: str) -> str:
    """Return the words of a picture that stands for a name, none of a badge's."""
    name = re.sub(r"(?i)\s+logo$", "", alt.strip())
    return "" if BADGE_TEXT.search(name) else name


def add_html(html: str, sections: Sections) -> None:
    """Add the text between tags, and the headings that tags make."""
    at = 0
    for found in TAG_HEADING.finditer(html):
        sections.paragraph(TAG.sub("", html[at : found.start()]))
        text, pictured = TAG.sub("", found["text"]).strip(), ALT.search(found["text"])
        name = said_by_picture(pictured[1]) if pictured else ""
        sections.heading(int(found["level"]), text or name)
        at = found.end()
    sections.paragraph(TAG.sub("", html[at:]))


def add_list(node: SyntaxTreeNode, sections: Sections, level: int) -> None:
    number = int(node.attrs.get("start", 1))
    for at, item in enumerate(node.children):
        mark = f"{number + at}{node.markup} " if node.type == "ordered_list" else BULLET
        inside = item.children
        if inside and inside[0].type == "paragraph":
            text, inside = text_of_token(inside[0]), inside[1:]
            names = mark == BULLET and not SAYS_ALL.search(text)
            if names and inside and inside[0].type == "paragraph":
                text, inside = f"{text}: {text_of_token(inside[0])}", inside[1:]
            sections.item(text, mark, level)
        for child in inside:
            add_block(child, sections, level + 1)


def kind_of_paragraph(text: str) -> BlockKind:
    """Return what a paragraph is by the way it begins."""
    if NOTE.match(text):
        return BlockKind.FOOTNOTE
    if FORMULA.fullmatch(text):
        return BlockKind.FORMULA
    return BlockKind.CAPTION if is_caption(text) else BlockKind.PARAGRAPH


def text_of_token(node: SyntaxTreeNode) -> str:
    """Return the text of a heading, a paragraph or a cell."""
    return "".join(inline_text(child) for child in node.children).strip()


def inline_text(node: SyntaxTreeNode) -> str:
    if node.type == "image" and BADGE.search(str(node.attrs.get("src", ""))):
        return ""
    if node.type in BREAKS:
        return BREAKS[node.type]
    if node.children:  # emphasis, a link, an image's description
        return "".join(inline_text(child) for child in node.children)
    return TAG.sub("", node.content) if node.type == "html_inline" else node.content
