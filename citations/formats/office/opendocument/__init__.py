"""OpenDocument: texts, spreadsheets and presentations of LibreOffice.

We read the XML ourselves: odfpy builds a tree of Python objects, which takes some 50 times the
memory. It knows no more of a text's visibility than lxml.
"""

from citations.formats.office import describe, finish_reading
from citations.formats.office.archive import Parts
from citations.formats.office.opendocument.sheets import add_sheets
from citations.formats.office.opendocument.slides import add_slides
from citations.formats.office.opendocument.styles import Styles
from citations.formats.office.opendocument.vocabulary import OFFICE, TEXT
from citations.formats.office.opendocument.walking import TextWalk
from citations.formats.parts import PartKind
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits
from citations.formats.sections import Sections

CONTENT, PROPERTIES, MANIFEST = "content.xml", "meta.xml", "META-INF/manifest.xml"
ENCRYPTED = "{urn:oasis:names:tc:opendocument:xmlns:manifest:1.0}encryption-data"


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text under its headings, the names of sheets or the titles of slides."""
    package, sections, slides = Parts(data), Sections(limits), None
    refuse_encrypted(package)
    root = package.xml(CONTENT)
    styles = Styles(package, root)
    walk = TextWalk(package, root, styles, sections, hidden=limits.hidden)
    for body in root.iterfind(f"{OFFICE}body/{OFFICE}spreadsheet"):
        add_sheets(body, walk, limits, progress)
    for body in root.iterfind(f"{OFFICE}body/{OFFICE}text"):
        walk.add_margins("header")
        walk.add(body)
        sections.leave_headings()
        walk.add_margins("footer")
        changes = sum(1 for _ in body.iter(f"{TEXT}changed-region"))
        sections.parts.count(PartKind.CHANGE, changes)
    for body in root.iterfind(f"{OFFICE}body/{OFFICE}presentation"):
        slides = add_slides(body, walk, limits, progress)
    return finish_reading(describe(package, PROPERTIES), walk.title, sections, page_count=slides)


def refuse_encrypted(package: Parts) -> None:
    """Raise BadFile if the file is encrypted with a password."""
    if not package.has(MANIFEST):
        return
    if next(package.xml(MANIFEST).iter(ENCRYPTED), None) is not None:
        raise BadFile("encrypted")
