"""Styles: the role and visibility of a paragraph, and the numbers of lists and headings."""

from typing import Any

from citations.formats.office import parse_number
from citations.formats.office.archive import Parts
from citations.formats.office.docx.styles import CODE, LONGEST_CHAIN, MONO
from citations.formats.office.numbering import ListLevel
from citations.formats.office.opendocument.vocabulary import (
    FO,
    OFFICE,
    PRESENTATION,
    STYLE,
    TABLE,
    TEXT,
)

STYLES = "styles.xml"
FORMS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter"}
FORMS |= {"i": "lowerRoman", "I": "upperRoman"}
LOOKS = f"{STYLE}text-properties"
MOST_LEVELS = 10


class Styles:
    """The styles of a file by name; those of the content override the common ones."""

    def __init__(self, package: Parts, content: Any) -> None:
        roots = [package.xml(STYLES), content] if package.has(STYLES) else [content]
        every = [each for root in roots for each in root.iter(f"{STYLE}style")]
        self._named = {each.get(f"{STYLE}name", ""): each for each in every}
        listed = [each for root in roots for each in root.iter(f"{TEXT}list-style")]
        self.lists = {each.get(f"{STYLE}name", ""): read_levels(each) for each in listed}
        outlines = [each for root in roots for each in root.iter(f"{TEXT}outline-style")]
        self.outline = read_levels(outlines[-1]) if outlines else {}
        # Headers and footers of pages, in their order.
        path = f"{OFFICE}master-styles/{STYLE}master-page/*"
        self.margins = [each for root in roots for each in root.iterfind(path)]

    def names(self, element: Any) -> list[str]:
        """Return the names of an element's style and of those that it is based on."""
        return [
            each.get(f"{STYLE}display-name") or each.get(f"{STYLE}name", "").replace("_20_", " ")
            for each in self._chain(element)
        ]

    def is_code(self, element: Any) -> bool:
        font = self._look(element, f"{STYLE}font-name")
        return any(map(CODE.search, self.names(element)[:3])) or MONO.search(font) is not None

    def is_hidden(self, element: Any) -> bool:
        """Return whether text, a sheet or a slide is hidden."""
        return any(
            kinds.get(f"{TEXT}display") == "none"
            or kinds.get(f"{TABLE}display") == "false"
            or kinds.get(f"{PRESENTATION}visibility") == "hidden"
            for each in self._chain(element)[:1]
            for kinds in each
        )

    def is_bold(self, element: Any) -> bool:
        return self._look(element, f"{FO}font-weight") == "bold"

    def is_struck(self, element: Any) -> bool:
        return self._look(element, f"{STYLE}text-line-through-style") not in ("", "none")

    def position(self, element: Any) -> str:
        """Return "super" or "sub" for raised or lowered text, or nothing."""
        place = self._look(element, f"{STYLE}text-position").split(" ")[0]
        if place in ("", "super", "sub"):
            return place
        return "sub" if place.startswith("-") else "" if place.startswith("0") else "super"

    def _look(self, element: Any, name: str) -> str:
        """Return the property of the style, or the nearest inherited one."""
        looks = (look for each in self._chain(element) for look in each.iterchildren(LOOKS))
        return next(filter(None, (look.get(name) for look in looks)), "")

    def _chain(self, element: Any) -> list[Any]:
        attributes = (name for name in element.keys() if name.endswith("}style-name"))  # noqa: SIM118
        name = next((element.get(name) for name in attributes), "")
        chain: list[Any] = []
        while name in self._named and len(chain) < LONGEST_CHAIN:
            chain.append(self._named[name])
            name = chain[-1].get(f"{STYLE}parent-style-name", "")
        return chain


def read_levels(style: Any) -> dict[int, ListLevel]:
    """Return the numbering of a list's levels; "%1.%2" refers to the counts of two levels."""
    found: dict[int, ListLevel] = {}
    for each in style:
        level = parse_number(each.get(f"{TEXT}level"), 0)
        if 1 <= level <= MOST_LEVELS:
            form = FORMS.get(each.get(f"{STYLE}num-format") or "", "")
            first = max(level - parse_number(each.get(f"{TEXT}display-levels")) + 1, 1)
            shown = [at for at in range(first, level) if at in found and found[at].form]
            text = ".".join(f"%{at}" for at in (*shown, level))
            before, behind = (each.get(f"{STYLE}num-{name}") or "" for name in ("prefix", "suffix"))
            start = parse_number(each.get(f"{TEXT}start-value"))
            found[level] = ListLevel(form, f"{before}{text}{behind}", start)
    return found
