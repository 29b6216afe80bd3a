"""Citation styles: the form of citations in pages, responses and exports.

Stored is always [n] behind each claim. footnote writes [^n] and puts the list of notes below;
reference drops the numbers, for clients that show sources their own way. The conversion of a prefix
is a prefix of the whole conversion, as streams need.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from django.utils.translation import gettext as _, ngettext

from memory.models.conversations import CitationStyle
from memory.text.citation_markers import FENCE, find_stored_markers

Shape = Mapping[str, Any]
MARKDOWN_SIGNS = re.compile(r"([\\`*_\[\]<>#])")
OF_ADDRESSES = "/:?#@!$&'()*+,;=%-._~"


def restyle_text(text: str, style: str, *, after: int = 0) -> str:
    """Return the stored answer in the style, from the character `after` or its marker on."""
    if style == CitationStyle.INLINE:
        return text[after:]
    pieces: list[str] = []
    at = after
    for marker in find_stored_markers(text, after):
        if marker.end() <= after:
            continue
        noted = style == CitationStyle.FOOTNOTE
        start = marker.start(1) - 1 if noted else marker.start()
        pieces += [text[at:start], f"[^{marker[1]}]" if noted else ""]
        at = marker.end()
    return "".join([*pieces, text[at:]])


class Places:
    """Offsets of a stored answer's characters in a style; built once for all its claims."""

    def __init__(self, text: str, style: str) -> None:
        self._whole = restyle_text(text, style)
        markers = [] if style == CitationStyle.INLINE else list(find_stored_markers(text))
        noted = style == CitationStyle.FOOTNOTE
        self._starts = [each.start(1) - 1 if noted else each.start() for each in markers]
        self._ends = [each.end() for each in markers]
        # The shift of the text after each number of markers.
        self._shifts = [0]
        for start, marker in zip(self._starts, markers, strict=True):
            shown = len(f"[^{marker[1]}]") if noted else 0
            self._shifts.append(self._shifts[-1] + shown - (marker.end() - start))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the stored text from `start` to `end`, without outer white space."""
        first, last = self._place(start), self._place(end)
        claim = self._whole[first:last]
        first += len(claim) - len(claim.lstrip())
        return first, first + len(claim.strip())

    def _place(self, at: int) -> int:
        passed = bisect_right(self._ends, at)
        if passed < len(self._starts):  # an offset within a marker moves to its beginning
            at = min(at, self._starts[passed])
        return at + self._shifts[passed]


def insert_numbers(text: str, added: Iterable[tuple[int, int]]) -> str:
    """Return the stored answer with the numbers of added citations at their offsets."""
    pieces: list[str] = []
    at = 0
    for start, number in sorted(added):
        if at <= start <= len(text):
            pieces += [text[at:start], "" if text.endswith("]", at, start) else " ", f"[{number}]"]
            at = start
    return "".join([*pieces, text[at:]])


def write_footnotes(
    text: str, style: str, sources: Iterable[Shape], citations: Iterable[Shape]
) -> str:
    """Return the footnotes that the style puts below the answer; empty without any."""
    numbers = sorted({int(marker[1]) for marker in find_stored_markers(text)})
    if style != CitationStyle.FOOTNOTE or not numbers:
        return ""
    known = {source["number"]: source for source in sources}
    pages: dict[int, set[int]] = {}
    for citation in citations:
        pages.setdefault(citation["number"], set()).update(filter(None, [citation["page"]]))
    lines = [
        f"[^{number}]: {write_entry(known.get(number, {}), sorted(pages.get(number, ())))}"
        for number in numbers
    ]
    # An answer that was cut may have an open code block.
    closing = f"\n{FENCE}" if text.count(FENCE) % 2 else ""
    return f"{closing}\n\n" + "\n".join(lines)


def write_entry(source: Shape, pages: Sequence[int] = ()) -> str:
    """Return a source as a line of Markdown: Authors. Title (year), p. N. Address."""
    authors = escape_markdown("; ".join(source.get("authors") or ())).rstrip(".")
    named = write_title(source) + (f" ({source['year']})" if source.get("year") else "")
    if pages:
        listed = ", ".join(map(str, pages))
        named += ", " + ngettext("p.\u00a0%(pages)s", "pp.\u00a0%(pages)s", len(pages)) % {
            "pages": listed
        }
    url = source.get("url") or ""
    # A document's address is untrusted.
    address = quote(url, safe=OF_ADDRESSES) if url.startswith(("http://", "https://")) else ""
    parts = [authors, named, address]
    return ". ".join(part for part in parts if part)


def write_title(source: Shape) -> str:
    """Return the source's title as plain Markdown, or that the document was removed."""
    return escape_markdown(source.get("title") or _("A document that was removed"))


def escape_markdown(text: str) -> str:
    """Return the text as one line with Markdown's signs escaped."""
    return MARKDOWN_SIGNS.sub(r"\\\1", " ".join(text.split()))
