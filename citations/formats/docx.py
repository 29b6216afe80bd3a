"""DOCX: the paragraphs, lists and tables of a Word document, under its headings.

Read from its XML by ourselves: python-docx leaves out what stands in content controls, accepted
changes and footnotes, and loads every picture. Only the parts named here are unpacked, so archives
inside the archive are never opened.
"""

import re
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, ZipFile, ZipInfo

from lxml import etree

from citations.formats.blocks import BULLET
from citations.formats.cleaning import names, sensible_title
from citations.formats.reading import Limits, Progress, Reading, Refused, silent
from citations.formats.sections import Sections

DOCUMENT, STYLES = "word/document.xml", "word/styles.xml"
FOOTNOTES, PROPERTIES = "word/footnotes.xml", "docProps/core.xml"
# Of an honest document: some 100 parts; a thick book's text is 10 MB; text packs to a tenth.
MAX_PARTS = 10_000
MAX_PART, MAX_UNPACKED = 50_000_000, 500_000_000
MAX_RATIO, RATIO_COUNTS_FROM = 200, 5_000_000
ENCRYPTED = 0x1
GLANCE = 2000  # characters in which text and a title are looked for at first

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
STRICT = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
TRANSITIONAL = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
DC = "{http://purl.org/dc/elements/1.1/}"
HEADING = re.compile(r"heading (\d)", re.I)
LIST_STYLE = re.compile(r"list\b", re.I)
SIGNS = {f"{W}tab": " ", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
# Deleted text, text that a field computes from, and the copy of a drawing for old programs.
UNSEEN = {f"{W}del", f"{W}moveFrom", f"{W}instrText", FALLBACK}
AROUND = {f"{W}sdt", f"{W}sdtContent", f"{W}customXml", f"{W}ins", f"{W}moveTo"}


def inspect(data: bytes, limits: Limits, progress: Progress = silent) -> Reading:
    """Return the properties, after looking whether there is text."""
    parts = Parts(data)
    described = about(parts)
    glance = Document(parts, Limits(pages=0, characters=GLANCE))
    glance.read(parts.xml(DOCUMENT).find(f"{W}body"))
    if not glance.sections.finished(""):
        raise Refused("empty")
    return Reading(title=described.title or glance.title, authors=described.authors)


def read(data: bytes, limits: Limits, progress: Progress) -> Reading:
    """Return the text of the document, its footnotes last."""
    parts = Parts(data)
    described = about(parts)
    document = Document(parts, limits)
    document.read(parts.xml(DOCUMENT).find(f"{W}body"))
    if parts.has(FOOTNOTES):
        for note in parts.xml(FOOTNOTES):
            document.read(note)
    title = described.title or document.title
    return Reading(
        title=title,
        sections=document.sections.finished(title),
        authors=described.authors,
        unread=document.sections.unread,
    )


def about(parts: "Parts") -> Reading:
    """Return what the properties say; their dates are those of the file, not of the work."""
    if not parts.has(PROPERTIES):
        return Reading()
    core = parts.xml(PROPERTIES)
    title, creator = core.findtext(f"{DC}title") or "", core.findtext(f"{DC}creator") or ""
    return Reading(title=sensible_title(title), authors=names(creator))


class Parts:
    """The parts of the package, unpacked one at a time and never beyond the limits."""

    def __init__(self, data: bytes) -> None:
        try:
            self._archive = ZipFile(BytesIO(data))
        except BadZipFile as error:
            raise Refused("broken") from error
        entries = self._archive.infolist()
        self._entries = {entry.filename: entry for entry in entries}
        if any(entry.flag_bits & ENCRYPTED for entry in entries):
            raise Refused("encrypted")
        if len(entries) > MAX_PARTS or sum(entry.file_size for entry in entries) > MAX_UNPACKED:
            raise Refused("unpacks_too_large")

    def has(self, name: str) -> bool:
        return name in self._entries

    def xml(self, name: str) -> Any:
        """Return the root element of a part."""
        if name not in self._entries:
            raise Refused("broken")
        # Word's strict variant differs in its names only.
        text = self._unpacked(self._entries[name]).replace(STRICT, TRANSITIONAL)
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True
        )
        try:
            root = etree.fromstring(text, parser)
        except etree.XMLSyntaxError as error:
            raise Refused("broken") from error
        # No program that writes DOCX declares a document type; entities begin there.
        if root.getroottree().docinfo.internalDTD is not None:
            raise Refused("broken")
        return root

    def _unpacked(self, entry: ZipInfo) -> bytes:
        ratio = entry.file_size / max(entry.compress_size, 1)
        if entry.file_size > MAX_PART or (
            ratio > MAX_RATIO and entry.file_size > RATIO_COUNTS_FROM
        ):
            raise Refused("unpacks_too_large")
        try:
            with self._archive.open(entry) as part:
                data = part.read(MAX_PART + 1)
        except (BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
            raise Refused("broken") from error
        if len(data) > MAX_PART:  # the size that was declared is a claim
            raise Refused("unpacks_too_large")
        return data


class Document:
    """Walks the blocks of the body in order and gives their text to the sections."""

    def __init__(self, parts: Parts, limits: Limits) -> None:
        self.sections = Sections(limits)
        self.title = ""
        self._styles = dict(styles(parts))

    def read(self, body: Any) -> None:
        for block in blocks(body):
            if self.sections.full:
                return
            if block.tag == f"{W}tbl":
                self._table(block)
            elif text := text_of(block).strip():
                self._paragraph(block, text)

    def _paragraph(self, block: Any, text: str) -> None:
        properties = block.find(f"{W}pPr")
        style = self._styles.get(value(properties, "pStyle"), "")
        level = value(properties, "outlineLvl")
        heading = HEADING.match(style)
        if style.lower() == "title" and not self.title:
            self.title = text
        elif heading or (level.isdecimal() and int(level) < 9):
            self.sections.heading(int(heading[1] if heading else level), text)
        elif LIST_STYLE.match(style) or has(properties, "numPr"):
            self.sections.item(text, BULLET)
        else:
            self.sections.paragraph(text)

    def _table(self, table: Any) -> None:
        """Add each row as a line; what stands in a cell, an inner table too, is one text."""
        for row in blocks(table, f"{W}tr"):
            cells = (" ".join(text_of(cell).split()) for cell in blocks(row, f"{W}tc"))
            self.sections.row(list(cells))


def blocks(parent: Any, *tags: str) -> Iterator[Any]:
    """Yield the blocks in the element, those that stand in content controls too."""
    wanted = tags or (f"{W}p", f"{W}tbl")
    pending = list(reversed(parent)) if parent is not None else []
    while pending:
        child = pending.pop()
        if child.tag in wanted:
            yield child
        elif child.tag in AROUND:
            pending += reversed(child)


def text_of(block: Any) -> str:
    """Return what a reader sees of the element: neither deleted nor hidden text."""
    words: list[str] = []
    walker = etree.iterwalk(block, events=("start", "end"))
    for event, element in walker:
        if event == "end":
            if element.tag == f"{W}p" and element is not block:  # in a cell or a text box
                words.append("\n")
        elif element.tag in UNSEEN or (element.tag == f"{W}r" and is_hidden(element)):
            walker.skip_subtree()
        elif element.tag == f"{W}t":
            words.append(element.text or "")
        else:
            words.append(SIGNS.get(element.tag, ""))
    return "".join(words)


def is_hidden(run: Any) -> bool:
    properties = run.find(f"{W}rPr")
    vanish = None if properties is None else properties.find(f"{W}vanish")
    return vanish is not None and vanish.get(f"{W}val") not in ("0", "false", "off")


def styles(parts: Parts) -> Iterator[tuple[str, str]]:
    """Yield the id of each paragraph style with the name that says what it is for."""
    if not parts.has(STYLES):
        return
    found = {style.get(f"{W}styleId", ""): style for style in parts.xml(STYLES)}
    for key, style in found.items():
        name, base = value(style, "name"), value(style, "basedOn")
        if not HEADING.match(name) and base in found:  # "Chapter", based on "heading 1"
            parent = value(found[base], "name")
            name = parent if HEADING.match(parent) else name
        yield key, name


def value(parent: Any, name: str) -> str:
    """Return the value of the property, or nothing."""
    found = None if parent is None else parent.find(f"{W}{name}")
    return "" if found is None else found.get(f"{W}val", "")


def has(parent: Any, name: str) -> bool:
    return parent is not None and parent.find(f"{W}{name}") is not None
