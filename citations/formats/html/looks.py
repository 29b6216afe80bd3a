"""Looks: what pages show as headings, and as lists, without saying so by their tags."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from citations.formats.sections import BELOW
from citations.formats.titles import heading_in

LOOKED_AT = 40  # elements inside
BOLD = ("b", "strong")
EMPHATIC = (*BOLD, "i", "em", "var", "code", "tt", "kbd", "br", "a", "span")
# Signs between them that say no more.
BARE = re.compile(r"[\s.,;:()\[\]*&|=]+")
BOXES = ("div", "section", "aside", "article", "blockquote", "details", "fieldset", "li")
DEEPEST = 30  # of the boxes around a heading
PLACES = ("p", "div", "a", "h1", "h2", "h3", "h4", "h5", "h6")
NAMED = re.compile(
    r"(?<![\w-])(?:h[1-6]|(?:sub)?(?:title|heading|headline)"
    r"|(?:section|page|block|panel|card|accordion|faq|chapter|toggle)[-_]{0,2}"
    r"(?:title|header|heading|headline|question)|question)(?![\w-])",
    re.IGNORECASE,
)
NOTE = re.compile(r"\b(?:footnotes?|endnotes?|doc-footnote|doc-endnotes|fn)\b")
MARKED = re.compile(r"(?P<bullet>[-*•–·▪●])\s+|(?P<number>\(?(?:\d{1,2}|[a-z])[.)])\s+")
BLOCK_TAGS = frozenset("p div ul ol dl table pre blockquote section article form img".split())


def heading_by_looks(element: Any, words: Sequence[str]) -> tuple[int, str] | None:
    """Return level and text of what is a heading without a heading's tag; its words."""
    if element.tag in BOLD:
        text = bold_heading(element, words)
        return (BELOW, text) if text else None
    if element.tag == "summary":
        return BELOW, "".join(words)
    if element.tag not in ("div", "p"):
        return None
    is_heading = element.get("role") == "heading"
    level = element.get("aria-level", "") if is_heading else ""
    if not is_heading and not NAMED.search(element.get("class") or ""):
        return None
    if any(child.tag in BLOCK_TAGS for child in islice(element.iterdescendants(), LOOKED_AT)):
        return None
    text = heading_in("".join(words))
    return (int(level) if level in "123456" and level else BELOW, text) if text else None


def bold_heading(element: Any, words: Sequence[str]) -> str:
    """Return the text of what is bold and all of its paragraph, or a question above its answer;
    the words are those of the paragraph so far.
    """
    if len(words) > LOOKED_AT:
        return ""
    parent = element.getparent()
    if parent is None or parent.tag not in PLACES or (element.tail or "").strip():
        return ""
    following = element.getnext()
    while following is None and parent.tag == "a" and not (parent.tail or "").strip():
        following, parent = parent.getnext(), parent.getparent()
    if parent is None or parent.tag not in ("p", "div"):
        return ""
    bold = "".join(islice(element.itertext(), LOOKED_AT))
    if "".join(words).split() != bold.split():
        return ""
    text = heading_in(bold)
    is_question = following is not None and following.tag == "br" and text.endswith("?")
    return text if following is None or is_question else ""


def ruled_heading(element: Any) -> str:
    """Return the first line of a paragraph that is all in bold and italics and begins a part, below
    a rule or an anchor that names it: "PRAGMA schema.page_size;", "void free(void *block)".
    """
    inside = list(islice(element, LOOKED_AT + 1))
    if element.tag not in ("p", "div") or not 0 < len(inside) <= LOOKED_AT:
        return ""
    if not _is_ruled(element) or (element.text or "").strip():
        return ""
    line: list[str] = []
    is_first, has_bold = True, False
    for child in inside:
        each = list(islice(child.iter(), LOOKED_AT))
        if any(part.tag not in EMPHATIC for part in each) or BARE.sub("", child.tail or ""):
            return ""
        has_bold = has_bold or child.tag in BOLD
        for part in each:
            is_first = is_first and part.tag != "br"
            line += [part.text or "", (part.tail or "") * (part is not child)] * is_first
        line += [child.tail or ""] * is_first
    said = " ".join("".join(line).split()).rstrip(" ;:")
    return heading_in(said) if has_bold else ""


def _is_ruled(element: Any) -> bool:
    """Return whether a rule, or an anchor without text, stands right above the element."""
    above = element.getprevious()
    if above is not None and above.tag == "p" and not (above.tail or "").strip():
        above = next(above.iterchildren(reversed=True), None)  # a paragraph that nothing closed
    if above is None or (above.tail or "").strip():
        return False
    is_anchor = above.tag == "a" and bool(above.get("name") or above.get("id"))
    is_empty = not any(map(str.strip, islice(above.itertext(), LOOKED_AT)))
    return above.tag == "hr" or (is_anchor and is_empty)


def is_title_of_item(element: Any) -> bool:
    """Return whether it is all of the first paragraph of a list's item that goes on below."""
    paragraph = element.getparent() if element.tag in BOLD else None
    if paragraph is None or paragraph.tag != "p" or paragraph.getprevious() is not None:
        return False
    item, below = paragraph.getparent(), paragraph.getnext()
    if item is None or item.tag != "li":
        return False
    return below is not None and below.tag in BLOCK_TAGS and not (item.text or "").strip()


def is_member(element: Any) -> bool:
    """Return whether a row names what the next one describes, as Doxygen lists functions."""
    return element is not None and (element.get("class") or "").startswith("memitem")


def is_note(element: Any) -> bool:
    """Return whether the element holds footnotes."""
    if element.tag not in ("aside", "section", "div", "ol", "dl", "p"):
        return False
    name = (
        f"{element.get('role') or ''} {element.get('class') or ''} {element.get('epub:type') or ''}"
    )
    return NOTE.search(name) is not None


def boxes_around(element: Any) -> list[Any]:
    """Return the boxes that a heading stands in, innermost first."""
    return [above for above in islice(element.iterancestors(), DEEPEST) if above.tag in BOXES]


def lines_of_list(text: str) -> Iterator[tuple[str, str]]:
    """Yield the mark and the text of each item that a paragraph lists, line by line, and of the
    text before them, which has none; nothing if it lists none.
    """
    lines = text.split("\n")
    marks = [MARKED.match(line) for line in lines]
    if sum(mark is not None for mark in marks) < 2:
        return
    begun: list[str] = []
    said = ""
    for line, mark in zip(lines, marks, strict=True):
        if mark is not None:
            if begun:
                yield said, "\n".join(begun)
            said = "- " if mark["bullet"] else f"{mark['number']} "
            begun, line = [], line[mark.end() :]
        begun.append(line)
    yield said, "\n".join(begun)
