"""Cutting: sections become pieces that the embedder sees whole.

A piece is a stretch of its section's text as it stands there, so that a quote can be found again.
It ends at the end of a section or paragraph if it can, at the end of a sentence otherwise, and
inside a sentence only where one sentence is too long. A piece that begins inside a paragraph
repeats the sentence before it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from citations.readers import Section
from memory.embedding import count_pieces
from memory.words import sentences

# The embedder sees 256 word pieces, its two marks included; other tokenizers may count a few more.
MAX_PIECES = 230
# Word pieces don't bound the text: any unbroken run of letters may count as one.
MAX_CHARACTERS = 2000
TITLE_PIECES, HEADING_PIECES = 40, 60
OVERLAP_CHARACTERS = 300
SEPARATOR = " › "

Span = tuple[int, int]
Fits = Callable[[str], bool]


@dataclass(frozen=True)
class Piece:
    """A passage in the making."""

    heading: str
    text: str
    page: int | None


def in_full(title: str, heading: str, text: str) -> str:
    """Return the text of a passage as it is embedded and indexed: under its title and heading."""
    title, heading = clipped(title, TITLE_PIECES), clipped(heading, HEADING_PIECES)
    return "\n".join(part for part in (title, heading, text) if part)


def cut(sections: Iterable[Section], *, title: str) -> Iterator[Piece]:
    """Yield the pieces of a document in order; each fits in full into MAX_PIECES."""
    for section in sections:
        heading = SEPARATOR.join(section.headings)
        room = MAX_PIECES - count_pieces(in_full(title, heading, ""))

        def fits(text: str, room: int = room) -> bool:
            return len(text) <= MAX_CHARACTERS and count_pieces(text) <= room

        for start, end in spans(section.text, fits):
            yield Piece(heading, section.text[start:end], section.page)


def spans(text: str, fits: Fits) -> Iterator[Span]:
    """Yield start and end of each piece of the text."""
    units = [unit for sentence in sentences(text) for unit in broken(text, sentence, fits)]
    first = 0
    while first < len(units):
        after = first + 1
        while after < len(units) and fits(text[units[first][0] : units[after][1]]):
            after += 1
        after = at_paragraph(text, units, first, after)
        yield units[first][0], units[after - 1][1]
        first = after - overlap(text, units, first, after, fits)


def at_paragraph(text: str, units: list[Span], first: int, after: int) -> int:
    """Move the end of a piece back to a paragraph's end, if at least half of it is left."""
    if after == len(units):
        return after
    start, end = units[first][0], units[after - 1][1]
    for earlier in range(after, first, -1):
        if units[earlier - 1][1] - start < (end - start) / 2:
            return after
        if ends_paragraph(text, units, earlier):
            return earlier
    return after


def overlap(text: str, units: list[Span], first: int, after: int, fits: Fits) -> int:
    """Return how many units the next piece repeats: the last one, if it leads into the next."""
    start, end = units[after - 1]
    leads = after < len(units) and after - first > 1 and not ends_paragraph(text, units, after)
    if leads and end - start <= OVERLAP_CHARACTERS and fits(text[start : units[after][1]]):
        return 1
    return 0


def ends_paragraph(text: str, units: list[Span], after: int) -> bool:
    return "\n\n" in text[units[after - 1][1] : units[after][0]]


def broken(text: str, span: Span, fits: Fits) -> Iterator[Span]:
    """Yield the sentence, or halves of halves of it that fit, split between words if it can."""
    start, end = span
    if fits(text[start:end]) or end - start < 2:
        yield span
        return
    middle = (start + end) // 2
    space = text.rfind(" ", start + 1, middle)
    split = space + 1 if space > start + (end - start) // 4 else middle
    yield from broken(text, (start, split), fits)
    yield from broken(text, (split, end), fits)


def clipped(text: str, limit: int) -> str:
    """Return the text with words left out at its end until it has at most so many word pieces."""
    text = text[: limit * 10]
    while text and count_pieces(text) > limit:
        shorter = text.rpartition(" ")[0]
        text = shorter or text[: len(text) // 2]
    return text
