"""Styles: what a paragraph is for, the numbers of lists and headings, and what is hidden."""

from dataclasses import dataclass, field
from typing import Any

from citations.formats.blocks import BULLET
from citations.formats.office.archive import Parts
from citations.formats.office.docx.styles import CODE, LONGEST_CHAIN, MONO
from citations.formats.office.numbering import written_as
from citations.formats.office.opendocument.vocabulary import (
    FO,
    PRESENTATION,
    STYLE,
    TABLE,
    TEXT,
    number_of,
)

STYLES = "styles.xml"
FORMS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
MOST_LEVELS = 10
SHORT = 20  # characters around a number


@dataclass(frozen=True)
class NumberForm:
    """How one level of a list is numbered."""

    form: str
    before: str
    behind: str
    levels: int
    start: int


@dataclass
class ListNumbers:
    """Counts the items of a list, or the headings."""

    forms: dict[int, NumberForm]
    _counts: dict[int, int] = field(default_factory=dict)

    def begin(self, level: int) -> None:
        """Begin anew at the level."""
        self._counts = {each: count for each, count in self._counts.items() if each < level}

    def mark(self, level: int, value: int | None = None) -> str:
        """Return the number of the next item, or nothing where there is none."""
        self.begin(level + 1)
        form = self.forms.get(level)
        start = form.start if form else 1
        self._counts[level] = self._counts.get(level, start - 1) + 1 if value is None else value
        if form is None or not form.form:
            return ""
        places = range(max(level - form.levels + 1, 1), level + 1)
        shown = (self._shown(place) for place in places)
        return f"{form.before}{'.'.join(filter(None, shown))}{form.behind}".strip() + " "

    def _shown(self, level: int) -> str:
        form = self.forms.get(level)
        if form is None or not form.form:
            return ""
        return written_as(FORMS.get(form.form, "decimal"), self._counts.get(level, form.start))


@dataclass(frozen=True)
class Styles:
    """The styles of a file, by their names; those that it made itself count more."""

    named: dict[str, Any]
    lists: dict[str, dict[int, NumberForm]]
    outline: dict[int, NumberForm]

    @classmethod
    def of(cls, parts: Parts, content: Any) -> "Styles":
        roots = [parts.xml(STYLES)] if parts.has(STYLES) else []
        roots.append(content)
        named: dict[str, Any] = {}
        lists: dict[str, dict[int, NumberForm]] = {}
        outline: dict[int, NumberForm] = {}
        for root in roots:
            named |= {each.get(f"{STYLE}name", ""): each for each in root.iter(f"{STYLE}style")}
            for each in root.iter(f"{TEXT}list-style"):
                lists[each.get(f"{STYLE}name", "")] = number_forms(each)
            for each in root.iter(f"{TEXT}outline-style"):
                outline = number_forms(each)
        return cls(named, lists, outline)

    def names(self, element: Any) -> list[str]:
        """Return what the style of an element and those that it is based on are called."""
        return [
            each.get(f"{STYLE}display-name") or each.get(f"{STYLE}name", "").replace("_20_", " ")
            for each in self._chain(element.get(f"{TEXT}style-name", ""))
        ]

    def is_code(self, element: Any) -> bool:
        chain = self._chain(element.get(f"{TEXT}style-name", ""))
        fonts = (each.find(f"{STYLE}text-properties") for each in chain)
        font = next((each.get(f"{STYLE}font-name") for each in fonts if each is not None), None)
        return any(map(CODE.search, self.names(element)[:3])) or MONO.search(font or "") is not None

    def is_hidden(self, element: Any) -> bool:
        """Return whether text, a sheet or a slide is not shown."""
        return any(
            kinds.get(f"{TEXT}display") == "none"
            or kinds.get(f"{TABLE}display") == "false"
            or kinds.get(f"{PRESENTATION}visibility") == "hidden"
            for each in self._chain(style_name(element))[:1]
            for kinds in each
        )

    def is_bold(self, element: Any) -> bool:
        chain = self._chain(style_name(element))
        looks = (each.find(f"{STYLE}text-properties") for each in chain)
        weights = (each.get(f"{FO}font-weight") for each in looks if each is not None)
        return next(filter(None, weights), "") == "bold"

    def position(self, element: Any) -> str:
        """Return whether text is raised or lowered: "super", "sub", or nothing."""
        looks = (each.find(f"{STYLE}text-properties") for each in self._chain(style_name(element)))
        found = (each.get(f"{STYLE}text-position") for each in looks if each is not None)
        place = next(filter(None, found), "").split(" ")[0]
        if place in ("", "super", "sub"):
            return place
        return "sub" if place.startswith("-") else "" if place.startswith("0") else "super"

    def _chain(self, name: str) -> list[Any]:
        chain: list[Any] = []
        while name in self.named and len(chain) < LONGEST_CHAIN:
            chain.append(self.named[name])
            name = chain[-1].get(f"{STYLE}parent-style-name", "")
        return chain


def style_name(element: Any) -> str:
    """Return the name of an element's style, whatever the element is."""
    attributes = (name for name in element.keys() if name.endswith("}style-name"))  # noqa: SIM118
    return next((element.get(name) for name in attributes), "")


def number_forms(style: Any) -> dict[int, NumberForm]:
    found = {}
    for each in style:
        level = number_of(each.get(f"{TEXT}level"), 0)
        if 1 <= level <= MOST_LEVELS:
            found[level] = NumberForm(
                form=each.get(f"{STYLE}num-format") or "",
                before=(each.get(f"{STYLE}num-prefix") or "")[:SHORT],
                behind=(each.get(f"{STYLE}num-suffix") or "")[:SHORT],
                levels=number_of(each.get(f"{TEXT}display-levels")),
                start=number_of(each.get(f"{TEXT}start-value")),
            )
    return found


def mark_of(number: str) -> str:
    """Return the mark of an item: its number, or a bullet."""
    return number if number.strip() else BULLET
