"""CSL-JSON items as the styles' elements read them: short, and without markup."""

import re
from collections.abc import Mapping
from typing import Any

from citeproc import DATES, NAMES, VARIABLES
from citeproc.source import Reference
from citeproc.source.json import CiteProcJSON

Item = Mapping[str, Any]
# The default type. CSL means preprints by it, for which some styles have notes; formats for reports
# print the title and no more.
UNKNOWN = "article"
# HTML's special characters, as private ones that no rule of a style touches.
SIGNS = str.maketrans({"&": "\ue000", "<": "\ue001", ">": "\ue002"})
ENTITIES = str.maketrans({"\ue000": "&amp;", "\ue001": "&lt;", "\ue002": "&gt;"})
HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ue000-\ue002]+")
# Maximum number of names that a style prints, besides the last, and maximum length of a value.
MOST_NAMES, LONGEST = 20, 2_000


class RenderedItem:
    """An item that counts the variables that were called, and lists those that were rendered."""

    number = 0
    has_locator = False

    def __init__(self, item: Item, repeated: str = "") -> None:
        """Read the item; if its author is the publisher, leave out the variable `repeated`."""
        kept = {**_clean_item(item), "id": "item"}
        if kept.get("author") == [{"literal": kept.get("publisher")}]:
            kept.pop(repeated, None)
        self.reference: Reference = CiteProcJSON([kept])["item"]
        self.called = 0
        self.rendered: list[str] = []
        # Variables printed in place of names, which must not be printed again.
        self.substituted: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return False


def _clean_item(item: Item) -> dict[str, Any]:
    """Reduce a valid item to the variables of styles, with its special characters replaced."""
    kind = str(item.get("type") or UNKNOWN)
    if kind == "paper-conference" and item.get("publisher") and not item.get("volume"):
        kind = "chapter"  # of a book; styles treat proceedings without an editor as a serial
    kept: dict[str, Any] = {"type": "report" if kind == UNKNOWN else kind}
    for key, value in item.items():
        name = key.replace("-", "_")
        if name in NAMES:
            kept[key] = [_name(each) for each in _shorten_names(value)]
        elif name in VARIABLES:
            kept[key] = value if name in DATES else clean_text(value)
    return {key: value for key, value in kept.items() if value}


def clean_text(value: Any) -> str:
    """Return the value on one line, without hidden and special characters."""
    return " ".join(HIDDEN.sub(" ", str(value or "")).split())[:LONGEST].translate(SIGNS)


def _shorten_names(names: list[Any]) -> list[Any]:
    return names if len(names) <= MOST_NAMES else [*names[:MOST_NAMES], names[-1]]


def _name(name: Mapping[str, str]) -> dict[str, str]:
    parts = {part: clean_text(text) for part, text in name.items()}
    if parts.get("family"):
        return {part: text for part, text in parts.items() if part != "literal"}
    return {"literal": parts.get("literal") or parts.get("given", "")}
