"""DOCX: the headings, paragraphs, lists, tables and notes of a Word document.

Read from its XML by ourselves: python-docx leaves out what stands in content controls, accepted
changes and footnotes, and loads every picture.
"""

from citations.formats.office import about, main_part
from citations.formats.office.archive import Parts
from citations.formats.office.docx.vocabulary import W
from citations.formats.office.docx.walking import BodyWalk
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits, silent

DOCUMENT = "word/document.xml"
GLANCE = 2000  # characters in which text and a title are looked for at first


def inspect(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Return the properties, after looking whether there is text."""
    parts = Parts(data)
    described = about(parts)
    glance = BodyWalk(parts, ReadingLimits(pages=0, characters=GLANCE))
    glance.read(parts.xml(main_part(parts, DOCUMENT)).find(f"{W}body"))
    if not glance.sections.finished(""):
        raise BadFile("empty")
    return FileReading(title=described.title or glance.title, authors=described.authors)


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of the document; a footnote stands behind the paragraph that has its mark."""
    parts = Parts(data)
    described = about(parts)
    document = BodyWalk(parts, limits)
    document.read(parts.xml(main_part(parts, DOCUMENT)).find(f"{W}body"))
    document.read_other_notes()
    title = described.title or document.title
    return FileReading(
        title=title,
        sections=document.sections.finished(title),
        authors=described.authors,
        unread=document.sections.unread,
    )
