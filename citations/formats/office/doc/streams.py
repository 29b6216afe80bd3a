"""Streams: the parts of a file of Word 97 to 2003, and where the pieces of its text stand in it."""

import struct
from collections.abc import Iterator
from typing import NamedTuple

from xlrd.compdoc import CompDoc, CompDocError

from citations.formats.office.compound import Nowhere
from citations.formats.reading import BadFile

# Of the head: what it is, its version, its flags, how many characters the text has, and where
# offset and length of the parts of the table stream stand.
IDENT, VERSION, FLAGS, LENGTH = 0x00, 0x02, 0x0A, 0x4C
STYLES, PARAGRAPHS, PIECES = 0xA2, 0x102, 0x1A2
WORD, WORD_97 = 0xA5EC, 0xC1
ENCRYPTED, IN_SECOND = 0x0100, 0x0200
COMPRESSED = 0x40000000  # of a piece's place: one byte for a character


class StoredText(NamedTuple):
    """Text at one place: how many characters, from where, and in how many bytes each."""

    length: int
    offset: int
    width: int


class Streams:
    """The main stream and the one with tables of a file of Word."""

    def __init__(self, data: bytes) -> None:
        try:
            file = CompDoc(data, logfile=Nowhere())
            self.main = file.get_named_stream("WordDocument") or b""
            if len(self.main) < PIECES + 8 or self.number("<H", IDENT) != WORD:
                raise BadFile("unsupported" if self.main else "broken")
            if self.number("<H", FLAGS) & ENCRYPTED:
                raise BadFile("encrypted")
            if self.number("<H", VERSION) < WORD_97:
                raise BadFile("unsupported")
            second = self.number("<H", FLAGS) & IN_SECOND
            self.tables = file.get_named_stream("1Table" if second else "0Table") or b""
        except CompDocError as error:
            raise BadFile("broken") from error
        self.length = self.number("<I", LENGTH)

    def number(self, form: str, at: int) -> int:
        found: int = struct.unpack_from(form, self.main, at)[0]
        return found

    def part(self, at: int) -> bytes:
        """Return a part of the table stream, by where the head says where it is."""
        offset, length = struct.unpack_from("<II", self.main, at)
        return self.tables[offset : offset + length]

    def pieces(self) -> Iterator[StoredText]:
        """Yield the pieces of the text in order."""
        said = self.part(PIECES)
        at = 0
        while at + 3 <= len(said) and said[at] == 1:  # how pieces look, which nothing here asks
            at += 3 + struct.unpack_from("<H", said, at + 1)[0]
        if at + 5 > len(said) or said[at] != 2:
            raise BadFile("broken")
        listed = said[at + 5 : at + 5 + struct.unpack_from("<I", said, at + 1)[0]]
        count = (len(listed) - 4) // 12
        ends = struct.unpack_from(f"<{count + 1}I", listed)
        for number in range(count):
            (place,) = struct.unpack_from("<I", listed, 4 * (count + 1) + 8 * number + 2)
            is_narrow = bool(place & COMPRESSED)
            offset = (place & ~COMPRESSED) // 2 if is_narrow else place
            yield StoredText(max(ends[number + 1] - ends[number], 0), offset, 1 if is_narrow else 2)
