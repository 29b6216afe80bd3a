"""The result of reading a file, the same for every format."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from citations.formats.blocks import Block, BlockKind, join_blocks
from citations.formats.parts import Part, unpack_parts

# Longest text of a document, about twelve thick books; the rest is left out, with a notice. Writing
# the passages of more would lock SQLite for more than some three seconds.
MAX_CHARACTERS = 6_000_000
ISO_DATE = re.compile(r"(?:1[5-9]|20)\d\d(?:-[01]\d(?:-[0-3]\d)?)?")
YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
# Increased by a release that reads, cuts or profiles some file differently; older readings can then
# be renewed (citations.ingestion.renewal.rereading).
READING_VERSION = 11
GLANCE = 2000  # first characters in which text and a title are sought
Progress = Callable[[int, int], None]


class BadFile(Exception):
    """A file that can't become a document, with a code (readers.file_failures has the words)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class ReadingLimits:
    """The limits of reading a file."""

    pages: int
    characters: int = MAX_CHARACTERS
    # Pages, from 0, that ended an earlier child and are left out.
    skipped: tuple[int, ...] = ()
    # Whether a document without text is accepted, so that its pages can be drawn and recognised.
    scans: bool = False
    # Whether hidden rows, columns, sheets, slides and text are read and marked, or only counted.
    hidden: bool = True
    # The page to draw, from 0, and the maximum number of pixels in its picture for people.
    drawn: int = 0
    pixels: int = 0
    # The depth of this file as an attachment of attachments.
    depth: int = 0


@dataclass(frozen=True)
class Section:
    """Blocks under one path of headings, outermost first, and their page if known."""

    headings: list[str]
    blocks: list[Block]
    page: int | None = None

    @property
    def text(self) -> str:
        return join_blocks(self.blocks).text


@dataclass(frozen=True)
class FileReading:
    """A file as text, with its metadata; without sections if it was only inspected."""

    title: str = ""
    sections: list[Section] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)
    year: int | None = None
    # The date of the work, as exact as the file states it: YYYY, YYYY-MM or YYYY-MM-DD.
    date: str = ""
    url: str = ""
    # The file's other metadata of the work, as raw CSL-JSON (citations.formats.metadata).
    csl: dict[str, Any] = field(default_factory=dict)
    page_count: int | None = None
    parts: list[Part] = field(default_factory=list)
    # A drawn page, as PNG in base64.
    picture: str = ""
    # The letters of a page that was drawn for people (citations.formats.pdf.letters).
    letters: dict[str, Any] = field(default_factory=dict)

    def packed(self) -> dict[str, Any]:
        """Return the reading in a form for JSON."""
        sections = [[each.headings, each.blocks, each.page] for each in self.sections]
        return vars(self) | {"sections": sections}


def unpack_reading(packed: dict[str, Any]) -> FileReading:
    """Return the reading from its packed form."""
    sections = [
        Section(headings, [Block(BlockKind(kind), text) for kind, text in blocks], page)
        for headings, blocks, page in packed["sections"]
    ]
    parts = unpack_parts(packed["parts"])
    return FileReading(**packed | {"sections": sections, "parts": parts})


def drop_title(title: str, sections: Iterable[Section]) -> list[Section]:
    """Drop the document's own title from the headings, since it is known."""
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
    """Ignore the progress."""


def glance(
    read: Callable[[bytes, ReadingLimits, Progress], FileReading],
    data: bytes,
    limits: ReadingLimits,
    progress: Progress = ignore_progress,
) -> FileReading:
    """Return a file's metadata, after checking for text."""
    found = read(data, replace(limits, characters=GLANCE), progress)
    if not found.sections:
        raise BadFile("empty")
    return replace(found, sections=[], parts=[])
