"""Line-based files: settings with comments, calendars, logs.

Comments become paragraphs; everything else keeps its lines, as code.
"""

import quopri
import re
from collections.abc import Iterable
from itertools import groupby

from citations.formats.blocks import BlockKind
from citations.formats.cleaning import clean
from citations.formats.parts import PartKind, Reason
from citations.formats.plain.encodings import decode_labelled, decode_text
from citations.formats.reading import FileReading, Progress, ReadingLimits
from citations.formats.sections import Sections

# A comment such as "# Names of servers"; "#port 22" is a setting that isn't set.
COMMENT = re.compile(r"\s{0,12}(?:#+|;+|//+)(?:\s+|$)(?P<said>.*)")
GROUP = re.compile(r"\[\[?[\w .:/-]{1,100}\]\]?\s*")
MOST_LINES = 25  # of a block of code
CARD = "BEGIN:V"  # a calendar, or the card of a person
ESCAPED = re.compile(r"\\(?:[nN]|(?=[,;:\\]))")
DAY = re.compile(r"(?<=:)(\d{4})(\d\d)(\d\d)(?=T\d{6}Z?$|$)", re.M)
TIME = re.compile(r"(?<=-\d\d)T(\d\d)(\d\d)\d\d(?=Z?$)", re.M)
QUOTED = re.compile(r"^([^\n:]*QUOTED-PRINTABLE[^\n:]*:)((?:[^\n]*=\n)*[^\n]*)", re.M | re.I)
# Pictures and files in a card, as letters.
CARRIED = re.compile(
    r"^[^\n:]{1,200}(?:;(?:ENCODING=)?B(?:ASE64)?[:;]|:data:[^\n,]{0,99};base64,)[^\n]*\n?",
    re.M | re.I,
)
CHARSET = re.compile(r"CHARSET=([\w-]+)", re.I)
SENTENCE = re.compile(r"[^\W\d_]{2,}")


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return comments as paragraphs, groups as headings, and the rest as code."""
    sections, text = Sections(limits), clean(decode_text(data))
    if text.startswith(CARD):
        text, count = CARRIED.subn("", join_card(text))
        sections.parts.count(PartKind.ATTACHMENT, count, unread=Reason.UNSUPPORTED)
    for kind, run in groupby(text.expandtabs().split("\n"), key=detect_line):
        if sections.full:
            break
        if kind == "comment":
            add_comments(run, sections)
        elif kind == "group":
            for line in run:
                sections.heading(1, line.strip().strip("[]"))
        else:
            add_code(run, sections)
    return FileReading(sections=sections.finished(""), parts=sections.parts.found)


def join_card(text: str) -> str:
    """Return a calendar or a card with unfolded lines, readable dates and no escapes."""
    text = QUOTED.sub(decode_quoted, text).replace("\n ", "")
    text = DAY.sub(r"\1-\2-\3", ESCAPED.sub(lambda found: " " * (found[0] != "\\"), text))
    return TIME.sub(r" \1:\2", text)


def decode_quoted(found: re.Match[str]) -> str:
    charset = CHARSET.search(found[1])
    value = decode_labelled(quopri.decodestring(found[2]), charset[1] if charset else "utf-8")
    return found[1] + " ".join(clean(value).split())


def detect_line(line: str) -> str:
    """Return the kind of a line: a comment, a group's name, code, or empty."""
    if COMMENT.match(line):
        return "comment"
    return "group" if GROUP.fullmatch(line) else "code" if line.strip() else ""


def add_comments(lines: Iterable[str], sections: Sections) -> None:
    """Add the text of comments as paragraphs, split at empty and decorative lines."""
    said = (match["said"].strip("# ") for line in lines if (match := COMMENT.match(line)))
    for is_filled, run in groupby(said, key=lambda line: SENTENCE.search(line) is not None):
        if is_filled:
            sections.paragraph(" ".join(run))


def add_code(lines: Iterable[str], sections: Sections) -> None:
    """Add lines unchanged, in blocks that fit a passage."""
    code = [line.rstrip() for line in lines]
    for at in range(0, len(code), MOST_LINES):
        sections.add(BlockKind.CODE, "\n".join(code[at : at + MOST_LINES]))
