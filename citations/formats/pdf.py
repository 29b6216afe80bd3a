"""PDF: the text of each page, under the headings of its outline.

A page that can't be read, or takes too long, is left out and named; a document of which no page has
text is refused, because it is a scan. Pages are pictures of text: lines are joined into paragraphs,
words that were broken at the end of a line are made whole, and what stands at the top or bottom of
most pages is left out.
"""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from pypdf import PdfReader, overwrite_configuration
from pypdf.errors import LimitReachedError
from pypdf.generic import Destination, IndirectObject, NullObject

from citations.formats import lines
from citations.formats.cleaning import clean, names, sensible_title
from citations.formats.reading import Limits, Note, Progress, Reading, Refused
from citations.formats.sections import Sections

# Pages that are looked at to tell a scan, and seconds of computing for each.
SAMPLE, SAMPLE_SECONDS = 8, 0.4
PAGE_SECONDS = 5
# So many pages that take too long are no accident.
MAX_SLOW_PAGES = 5
MAX_HEADINGS = 20_000
Headings = dict[int, list[tuple[int, str]]]


class Slow(BaseException):
    """The page takes too long. Not an Exception, because pypdf passes over some of those."""


def inspect(data: bytes, limits: Limits) -> Reading:
    """Return properties and number of pages, after looking at some of them for text."""
    reader = opened(data, limits)
    count = len(reader.pages)
    stuck = False
    for index in sampled(count):
        text = page_text(reader, index, SAMPLE_SECONDS)
        stuck = stuck or text is None
        if text and any(character.isalnum() for character in text):
            return about(reader, count)
    raise Refused("too_complex" if stuck else "no_text")


def read(data: bytes, limits: Limits, progress: Progress) -> Reading:
    """Return the text of all pages."""
    reader = opened(data, limits)
    texts: list[str | None] = []
    room, slow = limits.characters, 0
    for index in range(len(reader.pages)):
        texts.append(page_text(reader, index, PAGE_SECONDS))
        slow += texts[-1] is None
        room -= len(texts[-1] or "")
        if slow > MAX_SLOW_PAGES:
            raise Refused("too_complex")
        if room < 0:
            break
        progress(index + 1, len(reader.pages))
    if not any(texts):
        raise Refused("no_text")
    sections = Sections(limits)
    add(texts, outline(reader), sections)
    described = about(reader, len(reader.pages))
    return Reading(
        title=described.title,
        sections=sections.finished(described.title),
        authors=described.authors,
        page_count=described.page_count,
        unread=notes(reader, texts, cut_off=room < 0 or sections.full),
    )


def opened(data: bytes, limits: Limits) -> PdfReader:
    """Open the document, or raise Refused."""
    overwrite_configuration(
        page_tree_maximum_entries=limits.pages * 3 + 100,
        zlib_maximum_output_length=30_000_000,
        stream_decoding_work_maximum_length=100_000_000,
        outline_maximum_entries=MAX_HEADINGS,
        jbig2dec_binary=None,  # no other program is started for what a file holds
    )
    reader = PdfReader(BytesIO(data))
    # The password may be empty: then anybody may read, and only printing or changing is restricted.
    if reader.is_encrypted and not reader.decrypt(""):
        raise Refused("encrypted")
    pages = reader.root_object.get("/Pages", NullObject()).get_object()
    declared = pages.get("/Count", 0) if isinstance(pages, dict) else 0
    if isinstance(declared, int) and declared > limits.pages:
        raise Refused("too_many_pages")
    try:
        count = len(reader.pages)
    except LimitReachedError as error:
        raise Refused("too_many_pages") from error
    if count > limits.pages:
        raise Refused("too_many_pages")
    if count == 0:
        raise Refused("empty")
    return reader


def sampled(count: int) -> list[int]:
    """Choose pages to look at: the first few, then some from all over the document."""
    half = SAMPLE // 2
    spread = (count * step // half for step in range(half))
    return list(dict.fromkeys([*range(min(half, count)), *spread]))


def page_text(reader: PdfReader, index: int, seconds: float) -> str | None:
    """Return the page's text, empty if it has none or is broken, None if it takes too long."""
    try:
        with at_most(seconds):
            return clean(lines.without_ligatures(reader.pages[index].extract_text()))
    except (Slow, LimitReachedError, MemoryError, RecursionError):
        return None
    except Exception:  # noqa: BLE001 - what pypdf raises at a broken page is anything; others are whole
        return ""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise Slow after so many seconds of computing."""

    def too_slow(*_: Any) -> None:
        raise Slow

    signal.signal(signal.SIGVTALRM, too_slow)
    # And again: where Python is cleaning up, what is raised is passed over.
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def about(reader: PdfReader, pages: int) -> Reading:
    """Return what the properties say; their dates are those of the file, not of the work."""
    said = reader.metadata
    return Reading(
        title=sensible_title((said and said.title) or ""),
        authors=names((said and said.author) or ""),
        page_count=pages,
    )


def outline(reader: PdfReader) -> Headings:
    """Return level and text of the headings of each page, as far as the outline is whole."""
    found: Headings = {}
    numbers = {
        page.indirect_reference.idnum: index
        for index, page in enumerate(reader.pages)
        if page.indirect_reference is not None
    }
    try:
        with at_most(PAGE_SECONDS):
            for level, entry in flattened(reader.outline):
                page = entry.get("/Page")
                if isinstance(page, IndirectObject) and page.idnum in numbers and entry.title:
                    found.setdefault(numbers[page.idnum], []).append((level, str(entry.title)))
    except (Slow, Exception):  # noqa: BLE001 - as above: without it the text is whole all the same
        return found
    return found


def flattened(entries: Sequence[Any], level: int = 1) -> Iterator[tuple[int, Destination]]:
    for entry in entries:
        if isinstance(entry, list):
            yield from flattened(entry, level + 1)
        else:
            yield level, entry


def add(texts: Sequence[str | None], headings: Headings, sections: Sections) -> None:
    """Add the pages to the sections, each heading where it stands on its page."""
    pages = lines.without_running([lines.split(text or "") for text in texts])
    for index, page in enumerate(pages):
        sections.page(index + 1)
        rest = page
        for level, heading in headings.get(index, []):
            before, rest = lines.parted(rest, heading)
            lines.add(before, sections)
            sections.heading(level, heading)
        lines.add(rest, sections)


def notes(reader: PdfReader, texts: Sequence[str | None], *, cut_off: bool) -> list[Note]:
    """Say which pages could not be read; a page without text and pictures is just empty."""
    slow = [index + 1 for index, text in enumerate(texts) if text is None]
    bare = [index for index, text in enumerate(texts) if text is not None and not text.strip()]
    pictures = [index + 1 for index in bare if has_picture(reader, index)]
    found = [Note("pages_without_text", pictures), Note("pages_too_complex", slow)]
    return [note for note in found if note.pages] + [Note("cut_off")] * cut_off


def has_picture(reader: PdfReader, index: int) -> bool:
    try:
        resources = reader.pages[index].get("/Resources", NullObject()).get_object()
        return isinstance(resources, dict) and bool(resources.get("/XObject"))
    except Exception:  # noqa: BLE001 - as above: a broken page is one that could not be read
        return True
