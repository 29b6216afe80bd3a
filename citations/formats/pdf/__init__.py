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
from citations.formats.pdf.beside import in_order
from citations.formats.pdf.glyphs import sheets
from citations.formats.pdf.lines import Flow, flows
from citations.formats.pdf.segments import segments
from citations.formats.pdf.whole import add_pages
from citations.formats.pdf.words import words_of_page
from citations.formats.reading import BadFile, FileReading, Note, Progress, ReadingLimits, silent
from citations.formats.sections import Sections

# Pages that are looked at to tell a scan, and seconds of computing for each.
SAMPLE, SAMPLE_SECONDS = 8, 0.4
PAGE_SECONDS = 5.0
MAX_HEADINGS = 20_000
# What a program calls a page in the outline: nobody's heading.
NUMBERED_PAGE = re.compile(
    r"(?:slide|page|folie|seite|diapo(?:sitiv[ae])?|p[áa]gina|sheet|blatt)[ _-]?\d+", re.IGNORECASE
)
Headings = dict[int, list[tuple[int, str]]]
Pages = list[list[Flow] | None]


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
    pages: Pages = []
    room = limits.characters
    for index in range(count):
        progress(index, count)
        pages.append(None if index in limits.skipped else flows_of(document, index))
        room -= sum(len(line.text) for flow in pages[-1] or () for line in flow)
        if room < 0:
            break
    progress(count, count)
    if not any(pages) and not limits.scans:
        raise BadFile("no_text")
    sections = Sections(limits)
    found = about(document, count)
    shown = add_pages([flows or [] for flows in pages], outline(document), sections)
    title = found.title or shown
    return FileReading(
        title=title,
        sections=sections.finished(title),
        authors=found.authors,
        page_count=count,
        unread=unread_pages(document, pages, cut_off=room < 0 or sections.full),
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


def flows_of(document: pypdfium2.PdfDocument, index: int) -> list[Flow]:
    """Return the columns of a page, none if it is broken or bare."""
    with at_most(PAGE_SECONDS):
        try:
            found = sheets(document[index])
        except pypdfium2.PdfiumError:
            return []
        return [in_order(flow) for sheet in found for flow in flows(segments(words_of_page(sheet)))]


def about(document: pypdfium2.PdfDocument, pages: int) -> FileReading:
    """Return what the properties say; their dates are those of the file, not of the work."""
    said = document.get_metadata_dict()
    return FileReading(
        title=sensible_title(said.get("Title", "")),
        authors=names(said.get("Author", "")),
        page_count=pages,
    )


def outline(document: pypdfium2.PdfDocument) -> Headings:
    """Return level and text of the headings of each page, as far as the outline is whole."""
    found: Headings = {}
    with at_most(PAGE_SECONDS):
        for entry in islice(document.get_toc(max_depth=8), MAX_HEADINGS):
            place = entry.get_dest()
            index = None if place is None else place.get_index()
            title = clean_line(entry.get_title() or "")
            if index is not None and title and not NUMBERED_PAGE.fullmatch(title):
                found.setdefault(index, []).append((entry.level + 1, title))
    return found


def unread_pages(document: pypdfium2.PdfDocument, pages: Pages, *, cut_off: bool) -> list[Note]:
    """Say which pages could not be read; a page without text and pictures is just empty."""
    slow = [index + 1 for index, flows in enumerate(pages) if flows is None]
    bare = [index for index, flows in enumerate(pages) if flows is not None and not flows]
    pictures = [index + 1 for index in bare if has_picture(document, index)]
    found = [Note("pages_without_text", pictures), Note("pages_too_complex", slow)]
    return [note for note in found if note.pages] + [Note("cut_off")] * cut_off


def has_picture(document: pypdfium2.PdfDocument, index: int) -> bool:
    try:
        page = document[index]
        wanted = (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM)
        return any(True for _ in page.get_objects(filter=wanted, max_depth=2))
    except pypdfium2.PdfiumError:
        return True  # a broken page is one that could not be read
