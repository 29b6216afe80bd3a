"""PDF: blocks under headings, from the places of the characters on each page.

A page that can't be read, or takes too long, is left out and named; a document of which no page has
text is refused, because it is a scan. What a page does to the machine only a process can bound: one
that takes too long, or breaks the parser, ends the child, and another begins without it
(citations.readers.apart).
"""

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

import pypdfium2
import pypdfium2.raw as pdfium

from citations.formats import drawing
from citations.formats.cleaning import clean_line, names, sensible_title
from citations.formats.parts import PartKind, Reason
from citations.formats.pdf.gutters import read_columns
from citations.formats.pdf.page_lines import cells_of
from citations.formats.pdf.pages import Columns, Outline, PageWriter
from citations.formats.pdf.word_boxes import read_words
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits, silent
from citations.formats.sections import Sections

# Pages that are looked at to tell a scan, and seconds of computing for each.
SAMPLE, SAMPLE_SECONDS = 8, 0.4
PAGE_SECONDS = 5.0
MAX_HEADINGS = 20_000
# What a program calls a page in the outline: nobody's heading.
NUMBERED_PAGE = re.compile(
    r"(?:slide|page|folie|seite|diapo(?:sitiv[ae])?|p[áa]gina|sheet|blatt)[ _-]?\d+", re.IGNORECASE
)


def inspect(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Return properties and number of pages, after looking at some of them for text."""
    document = open_pdf(data, limits)
    count = len(document)
    for index in sampled(count):
        if index in limits.skipped:
            continue
        progress(index, count)
        if has_text(document, index, SAMPLE_SECONDS):
            return about(document, count)
    if limits.scans and not limits.skipped:
        return about(document, count)
    raise BadFile("too_complex" if limits.skipped else "no_text")


def draw(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return one page as a picture, for its text to be recognised."""
    document = open_pdf(data, limits)
    if not 0 <= limits.drawn < len(document):
        raise BadFile("broken")
    return FileReading(picture=drawing.png(document[limits.drawn]))


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of all pages."""
    document = open_pdf(data, limits)
    count = len(document)
    pages: list[Columns] = []
    room = limits.characters
    for index in range(count):
        progress(index, count)
        pages.append([] if index in limits.skipped else columns_of(document, index))
        room -= sum(len(line.text) for column in pages[-1] for line in column)
        if room < 0:
            break
    progress(count, count)
    if not any(pages) and not limits.scans:
        raise BadFile("no_text")
    sections = Sections(limits)
    found = about(document, count)
    writer = PageWriter(pages, outline_of(document), sections)
    for index in range(len(pages)):
        writer.add(index)
    title = found.title or writer.title
    count_pages(document, pages, limits, sections)
    return FileReading(
        title=title,
        sections=sections.finished(title),
        authors=found.authors,
        page_count=count,
        parts=sections.parts.found,
    )


def open_pdf(data: bytes, limits: ReadingLimits) -> pypdfium2.PdfDocument:
    """Open the document, or raise BadFile."""
    try:
        # Without a password: then anybody may read, and only printing or changing is restricted.
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


def sampled(count: int) -> list[int]:
    """Choose pages to look at: the first few, then some from all over the document."""
    half = SAMPLE // 2
    spread = (count * step // half for step in range(half))
    return list(dict.fromkeys([*range(min(half, count)), *spread]))


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Have this process ended if that takes more seconds of computing."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def has_text(document: pypdfium2.PdfDocument, index: int, seconds: float) -> bool:
    with at_most(seconds):
        try:
            text: str = document[index].get_textpage().get_text_range()
        except pypdfium2.PdfiumError:
            return False
    return any(character.isalnum() for character in text)


def columns_of(document: pypdfium2.PdfDocument, index: int) -> Columns:
    """Return the columns of a page in reading order, none if it is broken or bare."""
    with at_most(PAGE_SECONDS):
        try:
            sheets = read_words(document[index])
        except pypdfium2.PdfiumError:
            return []
        return [column for words in sheets for column in read_columns(cells_of(words))]


def about(document: pypdfium2.PdfDocument, pages: int) -> FileReading:
    """Return what the properties say; their dates are those of the file, not of the work."""
    said = document.get_metadata_dict()
    return FileReading(
        title=sensible_title(said.get("Title", "")),
        authors=names(said.get("Author", "")),
        page_count=pages,
    )


def outline_of(document: pypdfium2.PdfDocument) -> Outline:
    """Return level and text of the headings of each page, as far as the outline is whole."""
    found: Outline = {}
    with at_most(PAGE_SECONDS):
        for entry in islice(document.get_toc(max_depth=8), MAX_HEADINGS):
            place = entry.get_dest()
            index = None if place is None else place.get_index()
            title = clean_line(entry.get_title() or "")
            if index is not None and title and not NUMBERED_PAGE.fullmatch(title):
                found.setdefault(index, []).append((entry.level + 1, title))
    return found


def count_pages(
    document: pypdfium2.PdfDocument, pages: list[Columns], limits: ReadingLimits, sections: Sections
) -> None:
    """Count the pages; one without text and pictures is just empty."""
    parts = sections.parts
    for index, columns in enumerate(pages):
        if columns:
            parts.count(PartKind.PAGE)
        elif index in limits.skipped:
            parts.count(PartKind.PAGE, unread=Reason.BEYOND_LIMIT, pages=[index + 1])
        elif has_picture(document, index):
            parts.count(PartKind.PAGE, unread=Reason.NO_TEXT, pages=[index + 1])
    beyond = range(len(pages) + 1, len(document) + 1)
    parts.count(PartKind.PAGE, len(beyond), unread=Reason.BEYOND_LIMIT, pages=beyond)


def has_picture(document: pypdfium2.PdfDocument, index: int) -> bool:
    try:
        page = document[index]
        wanted = (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM)
        return any(True for _ in page.get_objects(filter=wanted, max_depth=2))
    except pypdfium2.PdfiumError:
        return True  # a broken page is one that could not be read
