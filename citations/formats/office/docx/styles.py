"""Styles and numbering: what a paragraph is for, and the number that Word draws before it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from citations.formats.blocks import BULLET
from citations.formats.office.archive import Parts
from citations.formats.office.docx.vocabulary import W, value

STYLES, NUMBERING = "word/styles.xml", "word/numbering.xml"
HEADING = re.compile(r"heading (\d)", re.I)
CODE = re.compile(r"code|source|preformatted|listing|verbatim|macro", re.I)
MONO = re.compile(r"mono|courier|consol|menlo|typewriter|lucida console", re.I)
PLACE = re.compile(r"%([1-9])")
LEVELS = 9
LONGEST_CHAIN = 20  # of styles that are based on one another
ROMAN: tuple[tuple[int, str], ...] = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
)
ROMAN = (*ROMAN, (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


@dataclass(frozen=True)
class ParagraphStyle:
    """A paragraph style with what it takes from those that it is based on."""

    name: str = ""
    is_mono: bool = False
    # The list that its paragraphs belong to, and how deep.
    list_id: str = ""
    level: int = 0


def styles(parts: Parts) -> dict[str, ParagraphStyle]:
    """Return the paragraph styles by their ids."""
    if not parts.has(STYLES):
        return {}
    found = {each.get(f"{W}styleId", ""): each for each in parts.xml(STYLES).iter(f"{W}style")}
    return {key: paragraph_style(each, found) for key, each in found.items()}


def paragraph_style(element: Any, others: dict[str, Any]) -> ParagraphStyle:
    chain = list(chained(element, others))
    names = [value(each, "name") for each in chain]
    # "Chapter", based on "heading 1", is one.
    name = next((name for name in names if HEADING.match(name)), names[0])
    numbers = [each.find(f"{W}pPr/{W}numPr") for each in chain]
    numbered = next((each for each in numbers if each is not None), None)
    fonts = [each.find(f"{W}rPr/{W}rFonts") for each in chain]
    font = next((each for each in fonts if each is not None), None)
    return ParagraphStyle(
        name=name,
        is_mono=font is not None and MONO.search(font.get(f"{W}ascii", "")) is not None,
        list_id=value(numbered, "numId"),
        level=level_of(value(numbered, "ilvl")),
    )


def chained(element: Any, others: dict[str, Any]) -> Iterator[Any]:
    """Yield the style and those that it is based on."""
    for _ in range(LONGEST_CHAIN):
        yield element
        base = value(element, "basedOn")
        if base not in others:
            return
        element = others[base]


def level_of(text: str) -> int:
    return min(int(text), LEVELS - 1) if text.isdecimal() and len(text) < 3 else 0


@dataclass
class Level:
    """How paragraphs of one level of a list are numbered."""

    start: int
    form: str
    text: str


@dataclass
class Numbering:
    """Counts the paragraphs of each list."""

    # By list, by level.
    lists: dict[str, dict[int, Level]]
    _counts: dict[str, list[int | None]] = field(default_factory=dict)

    @classmethod
    def of(cls, parts: Parts) -> "Numbering":
        if not parts.has(NUMBERING):
            return cls({})
        root = parts.xml(NUMBERING)
        kinds = {
            each.get(f"{W}abstractNumId", ""): style_levels(each)
            for each in root.iter(f"{W}abstractNum")
        }
        lists = {}
        for each in root.iter(f"{W}num"):
            levels = dict(kinds.get(value(each, "abstractNumId"), {}))
            for override in each.iter(f"{W}lvlOverride"):
                at = level_of(override.get(f"{W}ilvl", ""))
                start = value(override, "startOverride")
                if at in levels and start.isdecimal() and len(start) < 6:
                    levels[at] = Level(int(start), levels[at].form, levels[at].text)
            lists[each.get(f"{W}numId", "")] = levels
        return cls(lists)

    def mark(self, list_id: str, level: int) -> str:
        """Return the number of the next paragraph of the list, or a bullet."""
        levels = self.lists.get(list_id, {})
        counts = self._counts.setdefault(list_id, [None] * LEVELS)
        known = levels.get(level)
        start = known.start if known else 1
        before = counts[level]
        counts[level] = start if before is None else before + 1
        counts[level + 1 :] = [None] * (LEVELS - level - 1)
        if known is None or known.form in ("bullet", "none") or not known.text:
            return BULLET

        def shown(found: re.Match[str]) -> str:
            at = int(found[1]) - 1
            count = counts[at]
            form = levels[at].form if at in levels else "decimal"
            return written_as(form, count if count is not None else 1)

        mark = PLACE.sub(shown, known.text[:40]).strip()
        return f"{mark} " if mark else BULLET


def style_levels(kind: Any) -> dict[int, Level]:
    found = {}
    for each in kind.iter(f"{W}lvl"):
        start = value(each, "start")
        first = int(start) if start.isdecimal() and len(start) < 6 else 1
        at = level_of(each.get(f"{W}ilvl", ""))
        found[at] = Level(first, value(each, "numFmt"), value(each, "lvlText"))
    return found


def written_as(form: str, count: int) -> str:
    """Return the number in letters, Roman numerals or digits."""
    if form.endswith("Letter") and count > 0:
        # After z comes aa.
        letter = chr(ord("a") + (count - 1) % 26) * min((count - 1) // 26 + 1, 10)
        return letter.upper() if form.startswith("upper") else letter
    if form.endswith("Roman") and 0 < count < 4000:
        text = ""
        for worth, sign in ROMAN:
            text += sign * (count // worth)
            count %= worth
        return text.upper() if form.startswith("upper") else text
    return f"{count:02}" if form == "decimalZero" else str(count)
