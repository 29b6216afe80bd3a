"""Looks: headings and notes that a page shows without their tags."""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Any

from citations.formats.sections import BELOW
from citations.formats.titles import find_heading

LOOKED_AT = 40  # elements inside
LINE_THROUGH = re.compile(r"text-decoration(?:-line)?\s{0,9}:[^;]{0,99}line-through", re.I)
NOTE = re.compile(r"\b(?:footnotes?|endnotes?|doc-footnote|doc-endnotes|fn)\b")


def find_heading_by_looks(element: Any, words: Sequence[str]) -> tuple[int, str] | None:
    """Return the level and text of a heading without a heading's tag. It has a heading's role, or
    is a bold line that is all of its paragraph. `words` is its text.
    """
    text, level = "".join(words), BELOW
    if element.get("role") == "heading":
        said = element.get("aria-level", "")
        level = int(said) if said in tuple("123456") else BELOW
    elif element.tag in ("b", "strong"):
        parent = element.getparent()
        is_all = parent is not None and parent.tag in ("p", "div") and element.getnext() is None
        bold = "".join(islice(element.itertext(), LOOKED_AT))
        if not is_all or (element.tail or "").strip() or text.split() != bold.split():
            return None
        text = find_heading(bold)
    else:
        return None
    return (level, text) if text else None


def is_note(element: Any) -> bool:
    """Return whether the element contains footnotes."""
    if element.tag not in ("aside", "section", "div", "ol", "dl", "p"):
        return False
    names = (element.get(name) or "" for name in ("role", "class", "epub:type"))
    return NOTE.search(" ".join(names)) is not None


def is_struck(element: Any) -> bool:
    """Return whether the words of an element are struck out."""
    is_drawn = LINE_THROUGH.search(element.get("style") or "") is not None
    return element.tag in ("s", "del", "strike") or (is_drawn and element.tag == "span")
