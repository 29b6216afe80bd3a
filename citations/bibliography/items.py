"""CSL-JSON items as the styles' elements read them: short, and without markup."""

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
# Signs of HTML pass through a style as private characters, which none of its rules touches.
SIGNS = str.maketrans({"&": "\ue000", "<": "\ue001", ">": "\ue002"})
ENTITIES = str.maketrans({"\ue000": "&amp;", "\ue001": "&lt;", "\ue002": "&gt;"})
HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ue000-\ue002]+")
# No style prints more names than twenty and the last; what is longer is no title.
MOST_NAMES, LONGEST = 20, 2_000


class RenderedItem:
    """An item that knows how many variables were called, and which were rendered."""

    number = 0
    has_locator = False

    def __init__(self, item: Item, repeated: str = "") -> None:
        """Read the item; of an author who is the publisher, the variable `repeated` is left out."""
        kept = {**_clean_item(item), "id": "item"}
        if kept.get("author") == [{"literal": kept.get("publisher")}]:
            kept.pop(repeated, None)
        self.reference: Reference = CiteProcJSON([kept])["item"]
        self.called = 0
        self.rendered: list[str] = []
        # Printed in the place of names: not to be printed again.
        self.substituted: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return False


def _clean_item(item: Item) -> dict[str, Any]:
    """Shorten a valid item to what styles print, and put its signs aside."""
    kind = str(item.get("type") or UNKNOWN)
    if kind == "paper-conference" and item.get("publisher") and not item.get("volume"):
        kind = "chapter"  # of a book; styles take proceedings without an editor for a serial
    kept: dict[str, Any] = {"type": "report" if kind == UNKNOWN else kind}
    for key, value in item.items():
        name = key.replace("-", "_")
        if name in NAMES:
            kept[key] = [_name(each) for each in _shorten_names(value)]
        elif name in VARIABLES:
            kept[key] = value if name in DATES else clean_text(value)
    return {key: value for key, value in kept.items() if value}


def clean_text(value: Any) -> str:
    """Put the value on one line, without hidden characters, and with its signs put aside."""
    return " ".join(HIDDEN.sub(" ", str(value or "")).split())[:LONGEST].translate(SIGNS)


def _shorten_names(names: list[Any]) -> list[Any]:
    return names if len(names) <= MOST_NAMES else [*names[:MOST_NAMES], names[-1]]


def _name(name: Mapping[str, str]) -> dict[str, str]:
    parts = {part: clean_text(text) for part, text in name.items()}
    if parts.get("family"):
        return {part: text for part, text in parts.items() if part != "literal"}
    return {"literal": parts.get("literal") or parts.get("given", "")}
