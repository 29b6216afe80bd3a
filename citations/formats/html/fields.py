"""Form fields and pictures of a page, as words in their line."""

import re
from typing import Any

from citations.formats.parts import PartKind, Parts, Reason

TICKED, UNTICKED, BLANK = "☒", "☐", "____"
# Fields without a value from a person, or with one that is not shown.
SILENT = frozenset("hidden submit button image reset password file".split())
# Badges: pictures of a project's build and version, which are no text.
BADGE = re.compile(
    r"badge|shields\.io|travis|circleci|codecov|coveralls|nodei\.co|opencollective", re.IGNORECASE
)
SVG_TEXTS = ("title", "desc", "text")
LONGEST = 1000
PICTURE = re.compile(r"\[Image: ([^\]\n]*)\]")


def describe_picture(element: Any, parts: Parts) -> str:
    """Return the alternative text of a picture, and count it unless it is decoration."""
    text, source = element.get("alt"), element.get("src") or ""
    if element.tag == "svg":  # one without words is mostly an icon
        text = " ".join("".join(each.itertext()) for each in element.iter(*SVG_TEXTS))
    if text == "" or BADGE.search(source[:LONGEST]):
        return ""
    text = "" if text == source else text  # some programs repeat the address
    said = " ".join((text or "")[:LONGEST].split())
    parts.count(PartKind.IMAGE, unread=None if said else Reason.NO_TEXT)
    return f"[Image: {said}]" if said else ""


def describe_field(element: Any, parts: Parts) -> str:
    """Return the displayed value of a form field, and count it."""
    kind = (element.get("type") or "").lower()
    if element.tag == "input" and kind in SILENT:
        return ""
    parts.count(PartKind.FIELD)
    if kind in ("checkbox", "radio"):
        return f" {TICKED if element.get('checked') is not None else UNTICKED} "
    if element.tag == "select":
        options = list(element.iter("option"))
        chosen = [each for each in options if each.get("selected") is not None] or options[:1]
        text = ", ".join("".join(each.itertext()).strip() for each in chosen)
    else:
        text = element.get("value") or "".join(element.itertext())
    return f" {text.strip() or BLANK} "


def clean_heading(text: str) -> str:
    """Return a heading without its pictures, or the words of a picture if it has no others."""
    return PICTURE.sub("", text).strip() or PICTURE.sub(r"\1", text).strip()
