"""Looks: what pages show as headings, and as lists, without saying so by their tags."""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Any

from citations.formats.sections import BELOW
from citations.formats.titles import heading_in

LOOKED_AT = 40  # elements inside
BOLD = ("b", "strong")
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
