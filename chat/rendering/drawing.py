"""Marks drawn in an answer's text: citation numbers, and signs of unsupported claims.

Each has an offset. A placeholder of private-use characters is inserted there, which survives
Markdown as text and is replaced by HTML afterwards.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape

from django.urls import reverse
from django.utils.translation import gettext as _

from citations.attribution.statements import place_of_number
from citations.models import Citation, Claim
from memory.models.conversations import CitationStyle

OPEN, CLOSE, BEGIN = "\ue000", "\ue001", "\ue002"
NEUTRAL = str.maketrans(dict.fromkeys((OPEN, CLOSE, BEGIN), "\ufffd"))
# The placeholder of a number or a sign, with the space before it; and of a claim's beginning.
PLACEHOLDER = re.compile(f" ?{OPEN}([0-9]+){CLOSE}")
BEGINNING = re.compile(f"{BEGIN}([0-9]+){CLOSE}")
EITHER = re.compile(f"( ?{OPEN}[0-9]+{CLOSE}|{BEGIN}[0-9]+{CLOSE})")
# Emphasis marks, which stay before the claim's beginning.
SETS_OFF = re.compile(r"[*_~]*")
# The markup at the beginning of a block, before which a sign would change the block.
BLOCK_BEGINS = re.compile(r"[-*+] |\d{1,9}[.)] |```|~~~|[#>|]")
BLOCK_ENDS = ("```", "~~~", "|")
# Classes of unsupported claims and of the signs at their ends.
STATES = [state for state in Claim.State.values if state != Claim.State.SUPPORTED]
SPANS = {f"{kind} is-{state}" for kind in ("claim", "claim-sign") for state in STATES}
SPANS.add("visually-hidden")


@dataclass(frozen=True)
class ShownCitation:
    """A citation in the text of the turn at a position, in a citation style."""

    citation: Citation
    style: str
    turn: int

    @property
    def link(self) -> str:
        if self.style == CitationStyle.FOOTNOTE:
            return f"#note-{self.turn}-{self.citation.source.number}"
        return reverse("chat:citation", args=[self.citation.pk])

    @property
    def id(self) -> str:
        return f"mark-{self.citation.pk}"

    @property
    def written(self) -> str:
        """Its text in code, which can have no link; empty for a number that was added."""
        return "" if self.citation.is_added else str(self.citation.source)

    @property
    def html(self) -> str:
        number = self.citation.source.number
        if self.style == CitationStyle.REFERENCE:
            return ""
        if self.style == CitationStyle.FOOTNOTE:
            label = escape(_("Footnote %(number)d") % {"number": number})
            place = f'id="{self.id}" href="{self.link}"'
            return f'<sup><a class="footnote" {place} aria-label="{label}">{number}</a></sup>'
        label = escape(_("Source %(number)d") % {"number": number})
        return f'<a class="citation" href="{self.link}" aria-label="{label}">{number}</a>'


@dataclass(frozen=True)
class Sign:
    """The sign at the end of an unsupported claim."""

    claim: Claim
    written = ""

    @property
    def html(self) -> str:
        label = escape(str(Claim.State(self.claim.state).label))
        kind = f"claim-sign is-{self.claim.state}"
        words = f'<span class="visually-hidden"> ({label})</span>'
        return f'<span class="{kind}" title="{label}">{words}</span>'


@dataclass
class Drawing:
    """The marks drawn in an answer, by the numbers of their placeholders."""

    drawn: list[ShownCitation | Sign] = field(default_factory=list)

    @property
    def placed(self) -> list[ShownCitation]:
        return [one for one in self.drawn if isinstance(one, ShownCitation)]


def insert_placeholders(
    response: str, citations: Iterable[ShownCitation], claims: Iterable[Claim], drawing: Drawing
) -> str:
    """Insert a placeholder for each number and sign; skip missing markers."""
    text, at = response.translate(NEUTRAL), 0
    pieces: list[str] = []
    for start, _order, placeholder, length in sorted(
        _find_places(text, citations, claims, drawing)
    ):
        if start >= at:
            pieces += [text[at:start], placeholder]
            at = start + length
    return "".join([*pieces, text[at:]])


def _find_places(
    text: str, citations: Iterable[ShownCitation], claims: Iterable[Claim], drawing: Drawing
) -> Iterator[tuple[int, int, str, int]]:
    """Yield the offset of each placeholder, its order there, its text, and the length replaced."""
    for placed in citations:
        citation, marker = placed.citation, str(placed.citation.source)
        is_there = text.startswith(marker, citation.start)
        if citation.is_added and citation.start <= len(text):
            yield citation.start, 1, f" {OPEN}{len(drawing.drawn)}{CLOSE}", 0
        elif is_there and not citation.is_added:
            yield citation.start, 4, f"{OPEN}{len(drawing.drawn)}{CLOSE}", len(marker)
        else:
            continue
        drawing.drawn.append(placed)
    for claim in claims:
        place = place_of_number(text, claim.start, claim.end)
        if claim.state == Claim.State.SUPPORTED or text.endswith(BLOCK_ENDS, claim.start, place):
            continue
        begin = SETS_OFF.match(text, claim.start, place)
        first = begin.end() if begin else claim.start
        if first < place and not BLOCK_BEGINS.match(text, claim.start):
            yield first, 3, f"{BEGIN}{len(drawing.drawn)}{CLOSE}", 0
        if claim.start < place:
            yield place, 2, f" {OPEN}{len(drawing.drawn)}{CLOSE}", 0
            drawing.drawn.append(Sign(claim))


def read_placeholder(found: re.Match[str], drawing: Drawing) -> str:
    """Return the placeholder's text for code, with the space before it."""
    text = drawing.drawn[int(found.group(1))].written
    return found.group()[: -len(found.group().lstrip())] + text if text else ""
