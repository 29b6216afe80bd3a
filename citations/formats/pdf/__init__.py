"""PDF: blocks under headings, from the places of the characters on each page.

A page that can't be read, or takes too long, is left out and named. A document without text on any
page is refused as a scan. Only a process can bound the cost of a page. One that takes too long, or
breaks the parser, ends the child, and another begins without it (citations.readers.apart).
"""

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from citations.formats.attachments import add_attachments
from citations.formats.cleaning import clean_line, clean_title, split_names
from citations.formats.metadata import describe_work, read_xmp
from citations.formats.parts import PartKind, Reason
from citations.formats.pdf import drawing
from citations.formats.pdf.columns import read_columns
from citations.formats.pdf.extras import (
    Aside,
    count_large_pictures,
    read_asides,
    read_attached,
    read_xfa,
)
from citations.formats.pdf.letters import read_letters
from citations.formats.pdf.lines import make_cells
from citations.formats.pdf.pages import Columns, Outline, PageWriter
from citations.formats.pdf.words import read_words, split_hidden
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits
from citations.formats.sections import Sections

# Pages that are sampled to detect a scan, and seconds of computing for each.
SAMPLE, SAMPLE_SECONDS = 8, 0.4
PAGE_SECONDS = 5.0
MAX_HEADINGS = 20_000
# A page's number that a program put into the outline as its title.
NUMBERED_PAGE = re.compile(
    r"(?:slide|page|folie|seite|diapo(?:sitiv[ae])?|p[áa]gina|sheet|blatt)[ _-]?\d+", re.IGNORECASE
)


def inspect(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return properties and number of pages, after checking some of them for text."""
    document = open_pdf(data, limits)
    count = len(document)
    # The first few, then some from all over the document.
    half = SAMPLE // 2
    sample = [*range(min(half, count)), *(count * step // half for step in range(half))]
    for index in dict.fromkeys(sample):
        if index not in limits.skipped:
            progress(index, count)
            if has_text(document, index):
                return describe(document)
    if limits.scans and not limits.skipped:
        return describe(document)
    raise BadFile("too_complex" if limits.skipped else "no_text")


def draw(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return one page as a picture for text recognition."""
    return FileReading(picture=drawing.draw_png(open_page(data, limits)))


def show(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return one page as a picture for people, and its letters with their boxes."""
    page = open_page(data, limits)
    picture = drawing.colour_png(page, limits.pixels)
    return FileReading(picture=picture, letters=read_letters(page))


def open_page(data: bytes, limits: ReadingLimits) -> pypdfium2.PdfPage:
    """Open the page that is to be drawn, with its fields."""
    document = open_pdf(data, limits)
    if not 0 <= limits.drawn < len(document):
        raise BadFile("broken")
    document.init_forms()
    return document[limits.drawn]


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of all pages."""
    document = open_pdf(data, limits)
    count = len(document)
    document.init_forms()
    pages: list[Page] = []
    room = limits.characters
    for index in range(count):
        progress(index, count)
        is_skipped = index in limits.skipped
        pages.append(Page(Reason.BEYOND_LIMIT) if is_skipped else read_page(document, index))
        room -= sum(len(line.text) for column in pages[-1].columns for line in column)
        if room < 0:
            break
    progress(count, count)
    if not any(page.columns or page.asides for page in pages) and not limits.scans:
        raise BadFile("no_text")
    sections = Sections(limits)
    found = describe(document)
    writer = PageWriter([page.columns for page in pages], read_outline(document), sections)
    for index, page in enumerate(pages):
        writer.add(index)
        add_extras(page, index + 1, limits, sections)
    beyond = range(len(pages) + 1, count + 1)
    sections.parts.count(PartKind.PAGE, len(beyond), unread=Reason.BEYOND_LIMIT, pages=beyond)
    for value in read_xfa(document):
        sections.paragraph(value)
        sections.parts.count(PartKind.FIELD)
    if files := read_attached(document):
        add_attachments(files, sections, limits, progress, pages=count)
    declared = read_xmp(data)
    title = found.title or clean_title(declared.get("dc:title", [""])[0]) or writer.title
    return replace(
        found,
        title=title,
        sections=sections.finished(title),
        parts=sections.parts.found,
        csl=describe_work(declared | read_info(document)),
    )


def read_info(document: pypdfium2.PdfDocument) -> dict[str, list[str]]:
    """Read the properties that publishers add to a file."""
    declared = ((name, document.get_metadata_value(name)) for name in ("doi", "WPS-ARTICLEDOI"))
    return {name.lower(): [value] for name, value in declared if value}


def open_pdf(data: bytes, limits: ReadingLimits) -> pypdfium2.PdfDocument:
    """Open the document, or raise BadFile."""
    try:
        # Without a password: then reading is allowed, and only printing or changing is restricted.
        document = pypdfium2.PdfDocument(data)
        count = len(document)
    except pypdfium2.PdfiumError as error:
        is_locked = error.err_code == pdfium.FPDF_ERR_PASSWORD
        raise BadFile("encrypted" if is_locked else "broken") from error
    if count > limits.pages:
        raise BadFile("too_many_pages")
    if count == 0:
        raise BadFile("empty")
    return document


@contextmanager
def bound_seconds(seconds: float) -> Iterator[None]:
    """End this process if the block takes more seconds of computing."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def has_text(document: pypdfium2.PdfDocument, index: int) -> bool:
    """Return whether a page has a letter or a digit."""
    with bound_seconds(SAMPLE_SECONDS):
        try:
            text: str = document[index].get_textpage().get_text_range()
        except pypdfium2.PdfiumError:
            return False
    return any(map(str.isalnum, text))


@dataclass(frozen=True)
class Page:
    """The content of a page, or the reason why it is unread."""

    unread: Reason | None = None
    columns: Columns = field(default_factory=list)
    asides: list[Aside] = field(default_factory=list)
    hidden: str = ""
    pictures: int = 0


def read_page(document: pypdfium2.PdfDocument, index: int) -> Page:
    """Read the columns of a page in reading order, with its comments, fields and pictures."""
    with bound_seconds(PAGE_SECONDS):
        try:
            page = document[index]
            shown, hidden = split_hidden(read_words(page))
            columns = [column for words in shown for column in read_columns(make_cells(words))]
            pictures = count_large_pictures(page)
            is_bare = not columns and not has_picture(page)
            reason = None if columns or is_bare else Reason.NO_TEXT
            return Page(reason, columns, list(read_asides(document, page)), hidden, pictures)
        except pypdfium2.PdfiumError:
            return Page(Reason.BROKEN)


def add_extras(page: Page, number: int, limits: ReadingLimits, sections: Sections) -> None:
    """Add the comments, fields, hidden text and pictures of a page, and count them."""
    parts, pages = sections.parts, [number]
    if page.unread or page.columns:
        parts.count(PartKind.PAGE, unread=page.unread, pages=pages if page.unread else ())
    for kind, text in page.asides:
        sections.paragraph(text)
        parts.count(kind)
    if page.hidden:
        reason = None if limits.hidden else Reason.LEFT_OUT
        parts.count(PartKind.HIDDEN_TEXT, unread=reason, pages=pages)
        sections.paragraph(f"[hidden: {page.hidden}]" if limits.hidden else "")
    if page.columns:
        parts.count(PartKind.IMAGE, page.pictures, unread=Reason.NO_TEXT, pages=pages)


def describe(document: pypdfium2.PdfDocument) -> FileReading:
    """Read the properties of a file; their dates are those of the file, not of the work."""
    said = document.get_metadata_dict()
    title, authors = clean_title(said.get("Title", "")), split_names(said.get("Author", ""))
    return FileReading(title=title, authors=authors, page_count=len(document))


def read_outline(document: pypdfium2.PdfDocument) -> Outline:
    """Return level and text of the headings of each page, as far as the outline is intact."""
    found: Outline = {}
    with bound_seconds(PAGE_SECONDS):
        for entry in islice(document.get_toc(max_depth=8), MAX_HEADINGS):
            place = entry.get_dest()
            index = None if place is None else place.get_index()
            title = clean_line(entry.get_title() or "")
            if index is not None and title and not NUMBERED_PAGE.fullmatch(title):
                found.setdefault(index, []).append((entry.level + 1, title))
    return found


def has_picture(page: Any) -> bool:
    """Return whether a page without text has a picture; otherwise it is empty."""
    wanted = (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM)
    return any(True for _ in page.get_objects(filter=wanted, max_depth=2))
