"""CSL-JSON items as the styles' elements read them: bounded, and free of markup."""

import re
from collections.abc import Mapping
from typing import Any

from citeproc import DATES, NAMES, VARIABLES
from citeproc.source import Reference
from citeproc.source.json import CiteProcJSON

Item = Mapping[str, Any]
# What nobody has told the type of. CSL means preprints, and some styles say so: those for reports
# have the title and no more.
UNKNOWN = "article"
# Variables of a work; the others are of the place that cites it.
SHOWN = {*VARIABLES} - {
    "citation_label",
    "citation_number",
    "first_reference_note_number",
    "locator",
}
# Signs of HTML pass through a style as private characters, which none of its rules touches.
SIGNS = str.maketrans({"&": "\ue000", "<": "\ue001", ">": "\ue002"})
ENTITIES = str.maketrans({"\ue000": "&amp;", "\ue001": "&lt;", "\ue002": "&gt;"})
HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ue000-\ue002]+")
# No style prints more names than twenty and the last; what is longer is no title.
MOST_NAMES, LONGEST = 20, 2_000
NAME_PARTS = ("family", "given", "literal", "suffix", "dropping-particle", "non-dropping-particle")


class RenderedItem:
    """An item that knows how many variables were called, and which were rendered."""

    number = 0
    has_locator = False

    def __init__(self, item: Item, repeated: str = "") -> None:
        """Read the item; of an author who is the publisher, the variable `repeated` is left out."""
        kept = {**_cleaned(item), "id": "item"}
        if kept.get("author") == [{"literal": kept.get("publisher")}]:
            kept.pop(repeated, None)
        self.reference: Reference = CiteProcJSON([kept])["item"]
        self.called = 0
        self.rendered: list[str] = []
        # Printed in the place of names: not to be printed again.
        self.substituted: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return False


def _cleaned(item: Item) -> dict[str, Any]:
    """Keep the variables that have a value, in the form that the styles expect."""
    kind = str(item.get("type") or UNKNOWN)
    if kind == "paper-conference" and item.get("publisher") and not item.get("volume"):
        kind = "chapter"  # of a book; styles take proceedings without an editor for a serial
    kept: dict[str, Any] = {"type": "report" if kind == UNKNOWN else kind}
    for key, value in item.items():
        name = key.replace("-", "_")
        if name not in SHOWN:
            continue
        if name in NAMES:
            value = [named for each in _shortened(value) if (named := _name(each))]
        elif name in DATES:
            value = _date(value)
        else:
            value = clean_text(value)
        if value:
            kept[key] = value
    return kept


def clean_text(value: Any) -> str:
    """Put the value on one line, without hidden characters, and with its signs put aside."""
    return " ".join(HIDDEN.sub(" ", str(value or "")).split())[:LONGEST].translate(SIGNS)


def _shortened(names: Any) -> list[Any]:
    names = names if isinstance(names, list) else []
    return names if len(names) <= MOST_NAMES else [*names[:MOST_NAMES], names[-1]]


def _name(value: Any) -> dict[str, str]:
    if not isinstance(value, Mapping):
        return {}
    parts = {part: clean_text(value.get(part)) for part in NAME_PARTS}
    named = {part: text for part, text in parts.items() if text}
    if "family" in named:
        named.pop("literal", None)
        return named
    literal = named.get("literal") or named.get("given")
    return {"literal": literal} if literal else {}


def _date(value: Any) -> dict[str, Any]:
    """Keep the first date of those given, with as many parts as are valid."""
    if not isinstance(value, Mapping):
        return {}
    dates = value.get("date-parts") or []
    parts = dates[0] if isinstance(dates, list) and dates else []
    kept: list[int] = []
    for part, most in zip(parts if isinstance(parts, list) else [], (9999, 12, 31), strict=False):
        if not str(part).isdecimal() or not 0 < int(part) <= most:
            break
        kept.append(int(part))
    if kept:
        return {"date-parts": [kept]}
    literal = clean_text(value.get("literal") or value.get("raw"))
    return {"literal": literal} if literal else {}
