"""Plain text: paragraphs apart by empty lines, no headings."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE

from citations.formats.cleaning import clean
from citations.formats.reading import Limits, Progress, Reading, Refused, silent
from citations.formats.sections import Sections

# An item of a list keeps its line; any other line goes on where the one before it was wrapped.
ITEM = re.compile(r"[-*•–]\s|\d{1,9}[.)]\s")
# The longer mark first: UTF-32's begins with UTF-16's.
MARKS = {
    BOM_UTF32_LE: "utf-32",
    BOM_UTF32_BE: "utf-32",
    BOM_UTF16_LE: "utf-16",
    BOM_UTF16_BE: "utf-16",
}


def inspect(data: bytes, limits: Limits, progress: Progress = silent) -> Reading:
    """Say that there is text: a text file says nothing about itself."""
    if not clean(decoded(data)).strip():
        raise Refused("empty")
    return Reading()


def read(data: bytes, limits: Limits, progress: Progress) -> Reading:
    """Return the text of a file in UTF-8, or in UTF-16 or UTF-32 with its mark."""
    sections = Sections(limits)
    paragraph: list[str] = []
    for line in clean(decoded(data)).split("\n"):
        stripped = line.strip()
        if stripped:
            gap = "\n" if ITEM.match(stripped) else " "
            paragraph += [gap, stripped] if paragraph else [stripped]
        elif paragraph:
            sections.paragraph("".join(paragraph))
            paragraph = []
    sections.paragraph("".join(paragraph))
    return Reading(sections=sections.finished(""), unread=sections.unread)


def decoded(data: bytes) -> str:
    """Return the bytes as text, or raise Refused."""
    encoding = next((name for mark, name in MARKS.items() if data.startswith(mark)), "utf-8-sig")
    if encoding == "utf-8-sig" and b"\x00" in data:
        raise Refused("binary")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise Refused("not_utf8") from error
