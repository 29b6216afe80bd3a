"""Plain text: paragraphs apart by empty lines, no headings."""

import re

from django.utils.translation import gettext as _

from citations.readers.reading import Reading, Section, Unreadable, title_from

# A line that goes on where the one before it was wrapped; list items keep their line.
WRAP = re.compile(r"[ \t]*\n(?![ \t]*(?:\n|[-*•–]\s|\d+[.)]\s))[ \t]*")
GAP = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")


def read(data: bytes, file_name: str) -> Reading:
    """Return the text of a UTF-8 file."""
    text = "\n\n".join(WRAP.sub(" ", part).strip() for part in GAP.split(decoded(data)))
    return Reading(
        title=title_from(file_name),
        media_type="text/plain",
        sections=[Section(headings=[], text=text.strip())],
    )


def decoded(data: bytes) -> str:
    """Return the bytes as text with plain line ends, or raise Unreadable."""
    if b"\x00" in data:
        raise Unreadable("binary", _("The file isn't text."))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("not_utf8", _("The text isn't encoded as UTF-8.")) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")
