"""OpenDocument: texts, spreadsheets and presentations of LibreOffice.

Read from its XML by ourselves: odfpy builds a tree of Python objects, which takes some 50 times the
memory, and knows as little as lxml what of it is seen.
"""

from collections.abc import Callable
from typing import Any

from citations.formats.cleaning import names, sensible_title
from citations.formats.office import DC
from citations.formats.office.archive import Parts
from citations.formats.office.opendocument.sheets import add_sheets
from citations.formats.office.opendocument.slides import add_slides
from citations.formats.office.opendocument.styles import Styles
from citations.formats.office.opendocument.vocabulary import META, OFFICE, Seen
from citations.formats.office.opendocument.walking import TextWalk
from citations.formats.reading import (
    BadFile,
    FileReading,
    Note,
    Progress,
    ReadingLimits,
    silent,
)
from citations.formats.sections import Sections

CONTENT, PROPERTIES, MANIFEST = "content.xml", "meta.xml", "META-INF/manifest.xml"
ENCRYPTED = "{urn:oasis:names:tc:opendocument:xmlns:manifest:1.0}encryption-data"
GLANCE = 2000  # characters in which text and a title are looked for at first


def add_text(body: Any, styles: Styles, sections: Sections, seen: Seen, progress: Progress) -> None:
    """Add the text of a document, with its notes."""
    walk = TextWalk(styles, sections)
    walk.add(body)
    seen.title = walk.title


KINDS: dict[str, Callable[[Any, Styles, Sections, Seen, Progress], None]] = {
    f"{OFFICE}text": add_text,
    f"{OFFICE}spreadsheet": add_sheets,
    f"{OFFICE}presentation": add_slides,
}


def inspect(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Return the properties, after looking whether there is text."""
    parts = Parts(data)
    sections, seen = Sections(ReadingLimits(pages=0, characters=GLANCE)), Seen()
    add_content(parts, sections, seen, silent)
    if not sections.finished(""):
        raise BadFile("empty")
    if (seen.pages or 0) > limits.pages:
        raise BadFile("too_many_pages")
    described = about(parts)
    return FileReading(
        title=described.title or seen.title, authors=described.authors, page_count=seen.pages
    )


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text under its headings, under the names of sheets or the titles of slides."""
    parts, sections, seen = Parts(data), Sections(limits), Seen()
    add_content(parts, sections, seen, progress)
    described = about(parts)
    title = described.title or seen.title
    return FileReading(
        title=title,
        sections=sections.finished(title),
        authors=described.authors,
        page_count=seen.pages,
        unread=[*sections.unread, *([Note("hidden")] if seen.has_hidden else [])],
    )


def add_content(parts: Parts, sections: Sections, seen: Seen, progress: Progress) -> None:
    refuse_encrypted(parts)
    root = parts.xml(CONTENT)
    styles = Styles.of(parts, root)
    for body in root.iterfind(f"{OFFICE}body/*"):
        if body.tag in KINDS:
            KINDS[body.tag](body, styles, sections, seen, progress)


def refuse_encrypted(parts: Parts) -> None:
    """Raise BadFile if a password protects the file: its parts are noise then."""
    if not parts.has(MANIFEST):
        return
    if next(parts.xml(MANIFEST).iter(ENCRYPTED), None) is not None:
        raise BadFile("encrypted")


def about(parts: Parts) -> FileReading:
    """Return what the properties say; their dates are those of the file, not of the work."""
    if not parts.has(PROPERTIES):
        return FileReading()
    said = parts.xml(PROPERTIES)
    title = said.findtext(f".//{DC}title") or ""
    creator = said.findtext(f".//{META}initial-creator") or said.findtext(f".//{DC}creator") or ""
    return FileReading(title=sensible_title(title), authors=names(creator))
