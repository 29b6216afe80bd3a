"""Entries of a bibliography, formatted by a CSL style."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from threading import Lock
from typing import Any

import nh3
from django.utils.safestring import SafeString, mark_safe

from citations.bibliography.items import ENTITIES, RenderedItem
from citations.bibliography.styles import load_style

# Threads of a process share the elements of a parsed style.
_rendering = Lock()
TAGS = {"i", "b", "sup", "sub"}
# Cached entries of a process: those of a few long conversations.
MOST_KEPT = 2_000
CLOSING = r"((?:</\w+>)*)"
BEHIND_QUOTES = re.compile(rf"([”’]+){CLOSING}([.,])")
REPEATED = re.compile(rf"([.?!…][”’]*){CLOSING}\.")
TWICE = re.compile(rf"([.,?!]){CLOSING}[.,](?=[”’])")
ADDRESS = re.compile(r"""https?://[^\s<>"']*[^\s<>"'.,;:)]""")
REL = "noopener noreferrer nofollow"


@dataclass(frozen=True)
class Entry:
    """A source in a bibliography: its number, and its entry as text and as clean HTML."""

    number: int
    text: str
    html: SafeString


def format_item(item: Mapping[str, Any], style: str, language: str) -> tuple[str, SafeString]:
    """Return the item's entry as text and as HTML, with its addresses as links."""
    return _format(json.dumps(item, sort_keys=True), style, language)


@lru_cache(maxsize=MOST_KEPT)
def _format(item: str, style: str, language: str) -> tuple[str, SafeString]:
    with _rendering:
        parsed = load_style(style, language)
        known = {k: v for k, v in json.loads(item).items() if k not in parsed.left_out}
        rendered = parsed.render(RenderedItem(parsed.undated | known, parsed.repeated))
    for pattern, words in parsed.corrected:
        rendered = re.sub(pattern, words, rendered)
    html = _fix_punctuation(rendered, parsed.moves_punctuation).translate(ENTITIES)
    linked = ADDRESS.sub(r'<a href="\g<0>">\g<0></a>', html)
    clean = nh3.clean(linked, tags={*TAGS, "a"}, attributes={"a": {"href"}}, link_rel=REL)
    return unescape(nh3.clean(html, tags=set())), mark_safe(clean)  # noqa: S308


def _fix_punctuation(text: str, moves_punctuation: bool) -> str:
    """Place punctuation inside or outside quotation marks, by the language's rule, once only."""
    if moves_punctuation:
        text = BEHIND_QUOTES.sub(r"\3\1\2", text)
        text = TWICE.sub(r"\1\2", text)
    return REPEATED.sub(r"\1\2", text).strip()
