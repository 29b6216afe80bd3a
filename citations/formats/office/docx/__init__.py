"""DOCX: the text of a Word document, with its notes, comments and boxes.

We read the XML ourselves: python-docx leaves out content controls, accepted changes and footnotes,
and loads every picture.
"""

from collections import Counter
from typing import Any

from citations.formats.office import describe, finish_reading, main_part, read_relations
from citations.formats.office.archive import Parts
from citations.formats.office.docx.fields import is_field
from citations.formats.office.docx.vocabulary import W
from citations.formats.office.docx.walking import BodyWalk
from citations.formats.parts import PartKind, Parts as PartCounts, Reason
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits

DOCUMENT = "word/document.xml"
CHANGES = [f"{W}{name}" for name in ("ins", "del", "moveFrom", "moveTo")]
UNREAD = {"chartEx": PartKind.CHART} | dict.fromkeys(
    ("package", "oleObject", "aFChunk"), PartKind.ATTACHMENT
)


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of the document, with notes, comments and boxes after their references."""
    package = Parts(data)
    main = main_part(package, DOCUMENT)
    body, walk = package.xml(main).find(f"{W}body"), BodyWalk(package, main, limits)
    if body is None:
        raise BadFile("broken")
    named: dict[str, list[str]] = {kind: [] for kind in ("header", "footer", *UNREAD)}
    for kind, part in dict.fromkeys(read_relations(package, main).values()):
        if kind in named and package.has(part):
            named[kind].append(part)
    walk.read_margins("header", named["header"])
    walk.read(body)
    walk.read_other_notes()
    sections = walk.sections
    sections.leave_headings()
    walk.read_margins("footer", named["footer"])
    for kind, part in UNREAD.items():
        sections.parts.count(part, len(named[kind]), unread=Reason.UNSUPPORTED)
    count_parts(body, sections.parts)
    return finish_reading(describe(package), walk.title, sections)


def count_parts(body: Any, parts: PartCounts) -> None:
    """Count the tracked changes, of which the result is read, and the form fields."""
    tags = Counter(each.tag for each in body.iter() if len(each))
    parts.count(PartKind.CHANGE, sum(tags[tag] for tag in CHANGES))
    parts.count(PartKind.FIELD, tags[f"{W}ffData"] + sum(map(is_field, body.iter(f"{W}sdt"))))
