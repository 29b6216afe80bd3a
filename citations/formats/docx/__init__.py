"""DOCX: the headings, paragraphs, lists, tables and notes of a Word document.

Read from its XML by ourselves: python-docx leaves out what stands in content controls, accepted
changes and footnotes, and loads every picture. Only the parts named here are unpacked, so archives
inside the archive are never opened.
"""

from citations.formats.cleaning import names, sensible_title
from citations.formats.docx.parts import Parts, W
from citations.formats.docx.walking import BodyWalk
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits, silent

DOCUMENT, PROPERTIES = "word/document.xml", "docProps/core.xml"
GLANCE = 2000  # characters in which text and a title are looked for at first
DC = "{http://purl.org/dc/elements/1.1/}"


def inspect(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Return the properties, after looking whether there is text."""
    parts = Parts(data)
    described = about(parts)
    glance = BodyWalk(parts, ReadingLimits(pages=0, characters=GLANCE))
    glance.read(parts.xml(DOCUMENT).find(f"{W}body"))
    if not glance.sections.finished(""):
        raise BadFile("empty")
    return FileReading(title=described.title or glance.title, authors=described.authors)


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of the document; a footnote stands behind the paragraph that has its mark."""
    parts = Parts(data)
    described = about(parts)
    document = BodyWalk(parts, limits)
    document.read(parts.xml(DOCUMENT).find(f"{W}body"))
    document.read_other_notes()
    title = described.title or document.title
    return FileReading(
        title=title,
        sections=document.sections.finished(title),
        authors=described.authors,
        unread=document.sections.unread,
    )


def about(parts: Parts) -> FileReading:
    """Return what the properties say; their dates are those of the file, not of the work."""
    if not parts.has(PROPERTIES):
        return FileReading()
    core = parts.xml(PROPERTIES)
    title, creator = core.findtext(f"{DC}title") or "", core.findtext(f"{DC}creator") or ""
    return FileReading(title=sensible_title(title), authors=names(creator))
