"""The parts of an archive (Office, OpenDocument or EPUB), unpacked within limits.

Only requested parts are unpacked, so archives inside the archive are never opened.
"""

import re
import zlib
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, ZipFile, ZipInfo

from lxml import etree

from citations.formats.reading import BadFile

# For comparison: files have some 100 parts; a thick book's text is 10 MB and packs to a tenth.
MAX_PARTS = 10_000
MAX_PART, MAX_UNPACKED = 50_000_000, 500_000_000
MAX_RATIO, RATIO_COUNTS_FROM = 200, 5_000_000
ENCRYPTED = 0x1
# Office's strict variant differs only in the names of its vocabularies.
STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/([a-zA-Z]+)/([a-zA-Z]+)")
TRANSITIONAL = rb"http://schemas.openxmlformats.org/\1/2006/\2"
# Nothing is fetched, and no entity is expanded.
SAFE: dict[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "remove_comments": True,
}


class Parts:
    """The parts of an archive, unpacked one at a time and within limits."""

    def __init__(self, data: bytes) -> None:
        try:
            self._archive = ZipFile(BytesIO(data))
        except BadZipFile as error:
            raise BadFile("broken") from error
        entries = self._archive.infolist()
        self._entries = {entry.filename: entry for entry in entries}
        if any(entry.flag_bits & ENCRYPTED for entry in entries):
            raise BadFile("encrypted")
        if len(entries) > MAX_PARTS:
            raise BadFile("too_many_parts")
        if sum(entry.file_size for entry in entries) > MAX_UNPACKED:
            raise BadFile("unpacks_too_large")

    def has(self, name: str) -> bool:
        return name in self._entries

    def xml(self, name: str) -> Any:
        """Return the root element of a part."""
        try:
            root = etree.fromstring(self.content(name), etree.XMLParser(**SAFE))
        except (etree.XMLSyntaxError, ValueError) as error:
            raise BadFile("broken") from error
        # No program declares entities in such files.
        declared = root.getroottree().docinfo.internalDTD
        if declared is not None and next(declared.iterentities(), None) is not None:
            raise BadFile("broken")
        return root

    def content(self, name: str) -> bytes:
        """Return the bytes of a part, with the transitional names of Office's vocabularies."""
        if name not in self._entries:
            raise BadFile("broken")
        return STRICT.sub(TRANSITIONAL, self._unpacked(self._entries[name]))

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
        if len(data) > MAX_PART:  # the declared size may be wrong
            raise BadFile("unpacks_too_large")
        return data
