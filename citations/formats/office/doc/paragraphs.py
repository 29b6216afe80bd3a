"""Paragraphs of a file of Word 97 to 2003: their text without fields' codes, and their style."""

import re
import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from citations.formats.office.doc.streams import PARAGRAPHS, STYLES, Streams

# Bytes of a page of properties, and of what stands for each of its paragraphs; so many at most.
PAGE, ENTRY, MOST_OF_PAGE = 512, 13, 29
LONGEST_CHAIN = 20  # of styles that are based on one another
MOST_STYLES = 4095
HEADINGS, TITLE, CONTENTS, LISTS = range(1, 10), 62, range(19, 28), range(48, 59)
BODY = 9  # the level of what is no heading
# Properties of a paragraph by their codes; and of how many bytes the value is, by the code's kind.
IN_TABLE, ENDS_ROW, LIST, DEPTH, LEVEL = 0x2416, 0x2417, 0x460B, 0x260A, 0x2640
SIZES = (1, 1, 2, 4, 2, 2, 0, 3)
LONG = 0xD608  # whose length has two bytes
END = re.compile("[\r\x07\x0c]")
CELL = "\x07"
FIELD = re.compile("[\x13\x14\x15]")
BEGINS, ENDS_CODE = "\x13", "\x14"
SHOWN = str.maketrans({"\x0b": "\n", "\x1e": "-", "\x1f": "", "\xa0": " "})
UNSEEN = re.compile("[\x00-\x08\x0e-\x1f]")


@dataclass(frozen=True)
class NamedStyle:
    """What a style makes of a paragraph."""

    level: int = 0
    is_title: bool = False
    is_item: bool = False
    is_contents: bool = False


@dataclass(frozen=True)
class Paragraph:
    """A paragraph, or what stands in a cell of a table."""

    text: str
    style: NamedStyle
    level: int
    is_item: bool
    depth: int
    is_in_table: bool
    ends_cell: bool
    ends_row: bool


def paragraphs(streams: Streams, most: int) -> Iterator[Paragraph]:
    """Yield the paragraphs of the text that have some, and the ends of rows."""
    properties, styles = ParagraphProperties(streams), styles_of(streams.part(STYLES))
    for text, end, place in parts(streams, most):
        style_id, own = properties.at(place)
        style = styles[style_id] if style_id < len(styles) else NamedStyle()
        level = own.get(LEVEL, BODY)
        found = Paragraph(
            text=text,
            style=style,
            level=style.level or (level + 1 if level < BODY else 0),
            is_item=bool(own.get(LIST, 0)) or style.is_item,
            depth=own.get(DEPTH, 0),
            is_in_table=bool(own.get(IN_TABLE, 0)) or end == CELL,
            ends_cell=end == CELL,
            ends_row=bool(own.get(ENDS_ROW, 0)),
        )
        if (text or found.is_in_table) and not style.is_contents:
            yield found


def parts(streams: Streams, most: int) -> Iterator[tuple[str, str, int]]:
    """Yield the text of each paragraph, the mark at its end, and where that stands in the file."""
    left = min(streams.length, most)
    begun: list[str] = []
    # Of the fields around, whether it is their code that is read, or that of one around them.
    codes: list[bool] = []
    for piece in streams.pieces():
        count = min(piece.length, left)
        left -= count
        data = streams.main[piece.offset : piece.offset + count * piece.width]
        text = data.decode("cp1252" if piece.width == 1 else "utf-16-le", "replace")
        at = 0
        for mark in END.finditer(text):
            begun.append(seen(text[at : mark.start()], codes))
            yield "".join(begun).strip(), mark.group(), piece.offset + mark.start() * piece.width
            begun, at = [], mark.end()
        begun.append(seen(text[at:], codes))
        if not left:
            break
    if rest := "".join(begun).strip():
        yield rest, "\r", -1


def seen(text: str, codes: list[bool]) -> str:
    """Return what is shown of the text: of a field its result."""
    found: list[str] = []
    at = 0
    for mark in FIELD.finditer(text):
        found.append("" if codes[-1:] == [True] else text[at : mark.start()])
        at = mark.end()
        if mark.group() == BEGINS:
            codes.append(True)
        elif codes and mark.group() == ENDS_CODE:
            codes[-1] = codes[-2:-1] == [True]
        elif codes:
            codes.pop()
    found.append("" if codes[-1:] == [True] else text[at:])
    return UNSEEN.sub("", "".join(found).translate(SHOWN))


class ParagraphProperties:
    """The style of the paragraphs and their own properties, by where they end in the file."""

    def __init__(self, streams: Streams) -> None:
        self._main = streams.main
        listed = streams.part(PARAGRAPHS)
        count = max((len(listed) - 4) // 8, 0)
        said = struct.unpack_from(f"<{2 * count + 1}I", listed) if count else ()
        self._firsts = list(said[:count])
        self._pages = [each & 0x3FFFFF for each in said[count + 1 :]]

    def at(self, place: int) -> tuple[int, dict[int, int]]:
        """Return the style's number, and the paragraph's own properties."""
        number = bisect_right(self._firsts, place) - 1
        page = b""
        if 0 <= number < len(self._pages):
            begin = self._pages[number] * PAGE
            page = self._main[begin : begin + PAGE]
        if len(page) < PAGE:
            return 0, {}
        count = min(page[-1], MOST_OF_PAGE)
        run = bisect_right(struct.unpack_from(f"<{count + 1}I", page), place) - 1
        if not 0 <= run < count or not (begin := 2 * page[4 * (count + 1) + ENTRY * run]):
            return 0, {}
        size, begin = (
            (2 * page[begin] - 1, begin + 1) if page[begin] else (2 * page[begin + 1], begin + 2)
        )
        stored = page[begin : begin + size]
        if len(stored) < 2:
            return 0, {}
        return struct.unpack_from("<H", stored)[0], properties_in(stored[2:])


def properties_in(data: bytes) -> dict[int, int]:
    """Return the values of properties by their codes."""
    found: dict[int, int] = {}
    at = 0
    while at + 3 <= len(data):
        (code,) = struct.unpack_from("<H", data, at)
        size = SIZES[code >> 13]
        if not size:
            size = 1 + data[at + 2] + (code == LONG and at + 3 < len(data) and data[at + 3] << 8)
        found[code] = int.from_bytes(data[at + 2 : at + 2 + min(size, 2)], "little")
        at += 2 + size
    return found


def styles_of(data: bytes) -> list[NamedStyle]:
    """Return the styles by their numbers."""
    if len(data) < 6:
        return []
    (head,) = struct.unpack_from("<H", data)
    at = 2 + head
    kinds: list[tuple[int, int]] = []
    while at + 2 <= len(data) and len(kinds) < MOST_STYLES:
        (size,) = struct.unpack_from("<H", data, at)
        is_whole = size >= 4 and at + 6 <= len(data)
        kind, base = struct.unpack_from("<HH", data, at + 2) if is_whole else (0, 0)
        kinds.append((kind & 0xFFF, base >> 4))
        at += 2 + size + size % 2
    return [style_of(kinds, number) for number in range(len(kinds))]


def style_of(kinds: list[tuple[int, int]], number: int) -> NamedStyle:
    """Return what a style is, or the first that it is based on and that Word knows."""
    for _ in range(LONGEST_CHAIN):
        if number >= len(kinds):
            break
        kind, number = kinds[number]
        if kind in HEADINGS:
            return NamedStyle(level=kind)
        if kind == TITLE or kind in LISTS or kind in CONTENTS:
            return NamedStyle(
                is_title=kind == TITLE, is_item=kind in LISTS, is_contents=kind in CONTENTS
            )
    return NamedStyle()
