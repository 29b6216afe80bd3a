"""Identifiers on a work's first pages: its own DOI and ISBN, not those that it cites."""

import re
from collections.abc import Iterator, Sequence

from citations.formats.blocks import ROWS, BlockKind
from citations.formats.reading import Section
from citations.sources.identifiers import DOI, parse_isbn

BEGINNING = 6000  # characters
# The copyright page of a book is one of its first.
DOI_PAGES, ISBN_PAGES = 1, 5
CITED = frozenset({*ROWS, BlockKind.FOOTNOTE, BlockKind.ITEM, BlockKind.CODE})
REFERENCES = re.compile(
    r"\W*(?:[\dIVX.]+\s+)?(?:references?|bibliography|works cited|literature cited|literatur"
    r"(?:verzeichnis)?|bibliograf[ií]a|referencias|bibliographie|références)\W*",
    re.IGNORECASE,
)
NUMBERED = re.compile(r"\s*(?:\[\d{1,3}\]|\d{1,3}\.)\s")
ISBN = re.compile(r"\bISBN(?:-1[03])?[:\s]*((?:[\dX][\s‐-–-]?){9,16}[\dX])", re.IGNORECASE)


def find_identifiers(sections: Sequence[Section]) -> dict[str, str]:
    """Find the DOI and the ISBN that a work states as its own.

    A DOI counts if the first page, without its notes, lists and references, has no other. An ISBN
    counts if it has its label and a valid check digit.
    """
    found: dict[str, str] = {}
    texts = list(_read_first_texts(sections, DOI_PAGES))
    named = {doi.group().rstrip(".,;:)]'").lower(): doi.group() for text in texts
             for doi in DOI.finditer(text)}  # fmt: skip
    if len(named) == 1:
        found["DOI"] = next(iter(named.values())).rstrip(".,;:)]'")
    for text in _read_first_texts(sections, ISBN_PAGES):
        for match in ISBN.finditer(text):
            try:
                return found | {"ISBN": parse_isbn(match[1])}
            except ValueError:
                continue
    return found


def _read_first_texts(sections: Sequence[Section], pages: int) -> Iterator[str]:
    """Yield the running text of the first pages, up to the references."""
    room = BEGINNING
    for section in sections:
        is_over = (section.page or 1) > pages
        if is_over or any(REFERENCES.fullmatch(heading[:100]) for heading in section.headings):
            return
        for block in section.blocks:
            if REFERENCES.fullmatch(block.text[:100]) or room <= 0:
                return
            if block.kind not in CITED and not NUMBERED.match(block.text):
                yield block.text[:room]
            room -= len(block.text)
