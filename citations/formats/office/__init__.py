"""Office Open XML: the main part, relations and properties of Word, Excel and PowerPoint files."""

import posixpath
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import unquote

from citations.formats.cleaning import clean_title, split_names
from citations.formats.metadata import describe_work
from citations.formats.office.archive import Parts
from citations.formats.reading import FileReading
from citations.formats.sections import Sections

PROPERTIES = "docProps/core.xml"
DECLARED = ("language", "identifier", "publisher")
DC = "{http://purl.org/dc/elements/1.1/}"
INITIAL_CREATOR = "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}initial-creator"
RELATED = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
DRAWN = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


class Relation(NamedTuple):
    """The kind and the target of a part's relation to another part."""

    kind: str
    part: str


def read_relations(parts: Parts, name: str) -> dict[str, Relation]:
    """Return the relations of a part by their ids."""
    folder, file = posixpath.split(name)
    described = posixpath.join(folder, "_rels", f"{file}.rels")
    if not parts.has(described):
        return {}
    found = {}
    for each in parts.xml(described).iter(RELATION):
        if each.get("TargetMode") != "External":
            target = posixpath.join("/", folder, unquote(each.get("Target", "")))
            part = posixpath.normpath(target).lstrip("/")
            found[each.get("Id", "")] = Relation(posixpath.basename(each.get("Type", "")), part)
    return found


def main_part(parts: Parts, usual: str) -> str:
    """Return the name of the main part."""
    main = (
        each.part for each in read_relations(parts, "").values() if each.kind == "officeDocument"
    )
    found = next(main, usual)
    return found if parts.has(found) else usual


def describe(parts: Parts, properties: str = PROPERTIES) -> FileReading:
    """Read the properties of a file; their dates are those of the file, not of the work."""
    if not parts.has(properties):
        return FileReading()
    core = parts.xml(properties)
    title, creator = (core.findtext(f".//{DC}{name}") or "" for name in ("title", "creator"))
    creator = core.findtext(f".//{INITIAL_CREATOR}") or creator
    said = {f"dc:{name}": [core.findtext(f".//{DC}{name}") or ""] for name in DECLARED}
    return FileReading(
        title=clean_title(title), authors=split_names(creator), csl=describe_work(said)
    )


def finish_reading(
    described: FileReading, title: str, sections: Sections, *, page_count: int | None = None
) -> FileReading:
    """Return the reading of a file, with the title of its properties or else of its text."""
    title = described.title or title
    return replace(
        described,
        title=title,
        sections=sections.finished(title),
        page_count=page_count,
        parts=sections.parts.found,
    )


def parse_number(text: str | None, otherwise: int = 1) -> int:
    """Return a count in an attribute, or the default."""
    is_count = text and text.isascii() and text.isdecimal() and len(text) < 9
    return int(text) if text and is_count else otherwise
