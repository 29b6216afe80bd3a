"""Walking: the blocks of CommonMark in order become headings and blocks."""

import re
from collections.abc import Iterable

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from citations.formats.blocks import BULLET, BlockKind
from citations.formats.captions import is_caption
from citations.formats.html import add_fragment
from citations.formats.sections import BELOW, Sections

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
TABLE = re.compile(r"<t(?:able|r)\b", re.IGNORECASE)
TAG_HEADING = re.compile(
    r"<h(?P<level>[1-6])\b[^<>]{0,200}>(?P<text>.{0,1000}?)</h(?P=level)>"
    r"|<summary\b[^<>]{0,200}>(?P<folded>.{0,1000}?)</summary>|</details>",
    re.DOTALL | re.I,
)
ALT = re.compile(r"<img\b[^<>]{0,600}?\balt=[\"']([^\"'<>]{1,100})", re.IGNORECASE)
FEWEST_ENTRIES = 3  # of a table of contents


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
    """Return whether a list is of links to places of the text itself, and of nothing else."""
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
    """Return whether the block is a bullet that only names what the next block is about."""
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
    """Add the text between tags, and the headings that tags make; a table as a page's is."""
    if TABLE.search(html):
        add_fragment(html, sections)
        return
    at = 0
    for found in TAG_HEADING.finditer(html):
        sections.paragraph(TAG.sub("", html[at : found.start()]))
        add_tagged(found, sections)
        at = found.end()
    sections.paragraph(TAG.sub("", html[at:]))


def add_tagged(found: re.Match[str], sections: Sections) -> None:
    """Add a heading that tags make, or the line of a folded part, for as far as that goes."""
    said = found["text"] or found["folded"] or ""
    text, pictured = TAG.sub("", said).strip(), ALT.search(said)
    name = said_by_picture(pictured[1]) if pictured else ""
    if found["level"]:
        sections.heading(int(found["level"]), text or name)
    elif text:
        sections.heading(BELOW, text)
    else:
        sections.leave(BELOW)


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
