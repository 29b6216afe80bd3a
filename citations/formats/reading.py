"""The result of reading a file, the same for every format."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from citations.formats.blocks import Block, BlockKind, join_blocks
from citations.formats.parts import Part, unpack_parts

# About twelve thick books; what is beyond is left out, and said. The passages of more would take
# longer than some three seconds to write, in which nobody else could write to SQLite.
MAX_CHARACTERS = 6_000_000
ISO_DATE = re.compile(r"(?:1[5-9]|20)\d\d(?:-[01]\d(?:-[0-3]\d)?)?")
YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
# Raised with a release that reads, cuts or profiles some file otherwise than the one before: then
# what older versions have read can be read again (citations.ingestion.renewal.rereading).
READING_VERSION = 11
GLANCE = 2000  # characters in which text and a title are looked for at first
Progress = Callable[[int, int], None]


class BadFile(Exception):
    """A file that can't become a document; the code says why (readers.failures has the words)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class ReadingLimits:
    """How much of a file is read."""

    pages: int
    characters: int = MAX_CHARACTERS
    # Pages that ended the child that read them, from 0: they are left out.
    skipped: tuple[int, ...] = ()
    # A document without text is taken all the same: its pages can be drawn, and recognised.
    scans: bool = False
    # Hidden rows, columns, sheets, slides and text are read and marked, else left out and counted.
    hidden: bool = True
    # The page to draw, from 0, and the most pixels of its picture for people.
    drawn: int = 0
    pixels: int = 0
    # How many files this one is attached to, one in the other.
    depth: int = 0


@dataclass(frozen=True)
class Section:
    """Blocks under one heading: the headings above them, outermost first, and their page if any."""

    headings: list[str]
    blocks: list[Block]
    page: int | None = None

    @property
    def text(self) -> str:
        return join_blocks(self.blocks).text


@dataclass(frozen=True)
class FileReading:
    """A file as text, and what it says about itself; inspected only, it has no sections."""

    title: str = ""
    sections: list[Section] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)
    year: int | None = None
    # Of the work, as exactly as the file says: YYYY, YYYY-MM or YYYY-MM-DD.
    date: str = ""
    url: str = ""
    # What else the file declares of the work, as raw CSL-JSON (citations.formats.metadata).
    csl: dict[str, Any] = field(default_factory=dict)
    page_count: int | None = None
    parts: list[Part] = field(default_factory=list)
    # A page that was drawn, as PNG in base64.
    picture: str = ""
    # The letters of a page that was drawn for people (citations.formats.pdf.letters).
    letters: dict[str, Any] = field(default_factory=dict)

    def packed(self) -> dict[str, Any]:
        """Return the reading as JSON can hold it."""
        sections = [[each.headings, each.blocks, each.page] for each in self.sections]
        return vars(self) | {"sections": sections}


def unpack_reading(packed: dict[str, Any]) -> FileReading:
    """Return the reading that `FileReading.packed` packed."""
    sections = [
        Section(headings, [Block(BlockKind(kind), text) for kind, text in blocks], page)
        for headings, blocks, page in packed["sections"]
    ]
    parts = unpack_parts(packed["parts"])
    return FileReading(**packed | {"sections": sections, "parts": parts})


def drop_title(title: str, sections: Iterable[Section]) -> list[Section]:
    """Leave the document's own title out of the headings: it is known already."""
    own = Block(BlockKind.HEADING, title)
    return [
        Section(
            section.headings[is_title(section.headings[:1], title) :],
            [block for block in section.blocks if block != own],
            section.page,
        )
        for section in sections
    ]


def is_title(headings: list[str], title: str) -> bool:
    """Return whether the first heading is the title, to which a page may add the site's name."""
    if not headings or not title.startswith(headings[0]):
        return False
    rest = title[len(headings[0]) :].lstrip()
    return not rest or rest[0] in "-–—|·:"


def ignore_progress(done: int, total: int) -> None:
    """Tell nobody how far the reading is."""


def glance(
    read: Callable[[bytes, ReadingLimits, Progress], FileReading],
    data: bytes,
    limits: ReadingLimits,
    progress: Progress = ignore_progress,
) -> FileReading:
    """Inspect a file: what it says about itself, after looking whether there is text."""
    found = read(data, replace(limits, characters=GLANCE), progress)
    if not found.sections:
        raise BadFile("empty")
    return replace(found, sections=[], parts=[])
