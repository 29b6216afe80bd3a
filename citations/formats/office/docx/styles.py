"""Styles: the role of a paragraph, its list and its look."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from citations.formats.office.archive import Parts
from citations.formats.office.docx.vocabulary import W, is_on, number, read_value
from citations.formats.office.numbering import ListCounts, ListLevel

STYLES, NUMBERING = "word/styles.xml", "word/numbering.xml"
HEADING = re.compile(r"heading (\d)", re.I)
CODE = re.compile(r"code|source|preformatted|listing|verbatim|macro", re.I)
MONO = re.compile(r"mono|courier|consol|menlo|typewriter|lucida console", re.I)
DEEPEST = 8
LONGEST_CHAIN = 20  # of styles based on one another


class ParagraphStyle(NamedTuple):
    """A paragraph style with the properties that it inherits."""

    name: str = ""
    list_id: str = ""
    level: int = 0


def read_styles(package: Parts) -> dict[str, ParagraphStyle]:
    """Return the paragraph styles by their ids."""
    if not package.has(STYLES):
        return {}
    found = {each.get(f"{W}styleId", ""): each for each in package.xml(STYLES).iter(f"{W}style")}
    return {key: read_style(list(follow_styles(each, found))) for key, each in found.items()}


def read_style(chain: list[Any]) -> ParagraphStyle:
    names = [read_value(each, "name") for each in chain]
    # "Chapter", based on "heading 1", is a heading.
    name = next((name for name in names if HEADING.match(name)), names[0])
    lists = (read_value(each, "pPr/numPr/numId") for each in chain)
    levels = (number(each, "pPr/numPr/ilvl", 0) for each in chain)
    return ParagraphStyle(name, next(filter(None, lists), ""), next(filter(None, levels), 0))


def follow_styles(element: Any, others: dict[str, Any]) -> Iterator[Any]:
    """Yield the style and those that it is based on."""
    for _ in range(LONGEST_CHAIN):
        yield element
        base = read_value(element, "basedOn")
        if base not in others:
            return
        element = others[base]


class Numbering:
    """Counts the paragraphs of lists; those of one kind continue unless a list restarts."""

    def __init__(self, package: Parts) -> None:
        listed = list(package.xml(NUMBERING)) if package.has(NUMBERING) else []
        kinds = [each for each in listed if each.tag == f"{W}abstractNum"]
        linked = {read_value(each, "styleLink"): read_levels(each) for each in kinds}
        self._kinds = {
            each.get(f"{W}abstractNumId", ""): read_levels(each)
            or linked.get(read_value(each, "numStyleLink"), {})
            for each in kinds
        }
        self._lists = {each.get(f"{W}numId", ""): each for each in listed if each.tag == f"{W}num"}
        self._levels: dict[str, dict[int, ListLevel]] = {}
        self._counts: dict[str, ListCounts] = {}

    def mark(self, block: Any, style: ParagraphStyle) -> tuple[str, int]:
        """Return the number or bullet of a paragraph, or nothing, and the depth of its list."""
        list_id = read_value(block, "pPr/numPr/numId") or style.list_id
        if not list_id or list_id == "0":  # "0" removes a paragraph from its style's list
            return "", 0
        depth = min(number(block, "pPr/numPr/ilvl", style.level), DEEPEST)
        kind = (
            read_value(self._lists[list_id], "abstractNumId") if list_id in self._lists else list_id
        )
        counts = self._counts.setdefault(kind, ListCounts())
        if list_id not in self._levels:
            self._levels[list_id] = self._begin(list_id, kind, counts)
        return counts.mark(self._levels[list_id], depth + 1), depth

    def _begin(self, list_id: str, kind: str, counts: ListCounts) -> dict[int, ListLevel]:
        """Return the levels of a list, and restart those with a start of their own."""
        levels = dict(self._kinds.get(kind, {}))
        for each in self._lists[list_id].iter(f"{W}lvlOverride") if list_id in self._lists else ():
            at, start = read_level(each), number(each, "startOverride", -1)
            if at in levels and start >= 0:
                levels[at] = levels[at]._replace(start=start)
                counts.begin(at)
        return levels


def read_levels(kind: Any) -> dict[int, ListLevel]:
    return {
        read_level(each): ListLevel(
            read_value(each, "numFmt"), read_value(each, "lvlText"), number(each, "start", 1)
        )
        for each in kind.iter(f"{W}lvl")
    }


def read_level(element: Any) -> int:
    """Return an element's level, from 1."""
    text = element.get(f"{W}ilvl", "")
    return int(text) + 1 if text in tuple("012345678") else 1


def has_look(block: Any, *, is_mono: bool = False) -> bool:
    """Return whether all runs of a paragraph are bold, or in a monospaced font."""
    runs = [*block.iterfind(f"{W}r"), *block.iterfind(f"{W}*/{W}r")]
    filled = [run for run in runs if any((each.text or "").strip() for each in run.iter(f"{W}t"))]
    if not is_mono:
        return bool(filled) and all(is_on(run, "rPr/b") for run in filled)
    fonts = [run.find(f"{W}rPr/{W}rFonts") for run in filled]
    return bool(fonts) and all(
        font is not None and MONO.search(font.get(f"{W}ascii", "")) for font in fonts
    )
