"""The parts of a Word file: an archive of XML, unpacked within limits."""

import zlib
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, ZipFile, ZipInfo

from lxml import etree

from citations.formats.reading import BadFile

# Of an honest document: some 100 parts; a thick book's text is 10 MB; text packs to a tenth.
MAX_PARTS = 10_000
MAX_PART, MAX_UNPACKED = 50_000_000, 500_000_000
MAX_RATIO, RATIO_COUNTS_FROM = 200, 5_000_000
ENCRYPTED = 0x1

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
STRICT = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
TRANSITIONAL = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT_MATH = b"http://purl.oclc.org/ooxml/officeDocument/math"
TRANSITIONAL_MATH = b"http://schemas.openxmlformats.org/officeDocument/2006/math"


class Parts:
    """The parts of the package, unpacked one at a time and never beyond the limits."""

    def __init__(self, data: bytes) -> None:
        try:
            self._archive = ZipFile(BytesIO(data))
        except BadZipFile as error:
            raise BadFile("broken") from error
        entries = self._archive.infolist()
        self._entries = {entry.filename: entry for entry in entries}
        if any(entry.flag_bits & ENCRYPTED for entry in entries):
            raise BadFile("encrypted")
        if len(entries) > MAX_PARTS or sum(entry.file_size for entry in entries) > MAX_UNPACKED:
            raise BadFile("unpacks_too_large")

    def has(self, name: str) -> bool:
        return name in self._entries

    def xml(self, name: str) -> Any:
        """Return the root element of a part."""
        if name not in self._entries:
            raise BadFile("broken")
        # Word's strict variant differs in its names only.
        text = self._unpacked(self._entries[name]).replace(STRICT, TRANSITIONAL)
        text = text.replace(STRICT_MATH, TRANSITIONAL_MATH)
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True
        )
        try:
            root = etree.fromstring(text, parser)
        except etree.XMLSyntaxError as error:
            raise BadFile("broken") from error
        # No program that writes DOCX declares a document type; entities begin there.
        if root.getroottree().docinfo.internalDTD is not None:
            raise BadFile("broken")
        return root

    def _unpacked(self, entry: ZipInfo) -> bytes:
        ratio = entry.file_size / max(entry.compress_size, 1)
        if entry.file_size > MAX_PART or (
            ratio > MAX_RATIO and entry.file_size > RATIO_COUNTS_FROM
        ):
            raise BadFile("unpacks_too_large")
        try:
            with self._archive.open(entry) as part:
                data = part.read(MAX_PART + 1)
        except (BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
            raise BadFile("broken") from error
        if len(data) > MAX_PART:  # the size that was declared is a claim
            raise BadFile("unpacks_too_large")
        return data


def value(parent: Any, name: str) -> str:
    """Return the value of the property, or nothing."""
    found = None if parent is None else parent.find(f"{W}{name}")
    return "" if found is None else found.get(f"{W}val", "")


def is_on(parent: Any, name: str) -> bool:
    """Tell whether a property is there and not switched off."""
    found = None if parent is None else parent.find(f"{W}{name}")
    return found is not None and found.get(f"{W}val") not in ("0", "false", "off")
