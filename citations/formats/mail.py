"""Mail: who wrote to whom, when and about what, and the text; what is attached is named only."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from itertools import groupby

from citations.formats import html
from citations.formats.blocks import Block, BlockKind
from citations.formats.cleaning import clean, clean_line, sensible_names
from citations.formats.plain.encodings import decode_text
from citations.formats.plain.typed import ITEM, add_typed
from citations.formats.reading import (
    BadFile,
    FileReading,
    Note,
    Progress,
    ReadingLimits,
    Section,
    silent,
)
from citations.formats.sections import Sections

HEADERS = ("From", "To", "Cc", "Date", "Subject")
# Each part is looked for in all lines of the one that it is in.
MOST_PARTS = 200
PARTED = re.compile(rb"content-type:\s{0,20}multipart/", re.IGNORECASE)
LONGEST_HEADER, MOST_NAMED = 2000, 50
ONE_MARK, QUOTED = re.compile(r">[ \t]?"), re.compile(r"(?:>[ \t]?)+")
# How deep quotations in quotations are told apart, and how long the line is that says whose it is.
DEEPEST = 4
SAID_BY, SAID_BY_LINES = 200, 3


def inspect(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Return what the headers say."""
    message = message_of(data)
    if not message.keys():
        raise BadFile("empty")
    return described(message, [])


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the headers and the text of a mail."""
    message = message_of(data)
    parts = list(leaves(message))
    text = body(parts, limits, progress)
    head = [f"{name}: {said}" for name in HEADERS if (said := header(message, name))]
    blocks = [Block(BlockKind.PARAGRAPH, "\n".join(head))] if head else []
    if attached := [name for part in parts if (name := attachment(part))]:
        blocks.append(Block(BlockKind.PARAGRAPH, f"Attached: {', '.join(attached[:MOST_NAMED])}"))
    first = [Section([], blocks)] if blocks else []
    return described(message, [*first, *text.sections], text.unread)


def message_of(data: bytes) -> Message:
    """Return the mail, or raise BadFile where too many parts stand in parts."""
    if len(PARTED.findall(data)) > MOST_PARTS:
        raise BadFile("too_complex")
    return message_from_bytes(data, policy=policy.compat32)


def described(
    message: Message, sections: list[Section], unread: Sequence[Note] = ()
) -> FileReading:
    """Return the reading with what the headers say of it."""
    sent = sent_on(message)
    senders = getaddresses([header(message, "From")])
    return FileReading(
        title=header(message, "Subject"),
        sections=sections,
        authors=sensible_names([name or address for name, address in senders]),
        year=int(sent[:4]) if sent else None,
        date=sent,
        unread=list(unread),
    )


def header(message: Message, name: str) -> str:
    """Return a header as one line, with what is encoded in it decoded."""
    found = next((said for key, said in message.raw_items() if key.lower() == name.lower()), "")
    # Letters that should have been encoded, and are UTF-8 in most mails.
    raw = str(found)[:LONGEST_HEADER].encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    with suppress(LookupError, ValueError):  # an encoding that nobody knows, or that it isn't in
        raw = str(make_header(decode_header(raw)))
    return clean_line(raw, LONGEST_HEADER)


def sent_on(message: Message) -> str:
    """Return the day of a mail, or nothing if it says none that can be."""
    try:
        sent = parsedate_to_datetime(header(message, "Date"))
    except (ValueError, TypeError, OverflowError):
        return ""
    return sent.date().isoformat() if sent.year >= 1970 else ""


def leaves(message: Message) -> Iterator[Message]:
    """Yield the parts that hold something themselves, also those of what is forwarded."""
    waiting = [message]
    while waiting:
        part = waiting.pop(0)
        inside = part.get_payload()
        if part.is_multipart() and isinstance(inside, list):
            waiting[:0] = [each for each in inside if isinstance(each, Message)]
        else:
            yield part


def attachment(part: Message) -> str:
    """Return what an attached file is called, or nothing if the part is none."""
    name = part.get_filename() if is_attached(part) else ""
    return clean_line(name, 200) if name else ""


def is_attached(part: Message) -> bool:
    return part.get_content_disposition() == "attachment" or bool(part.get_filename())


def body(parts: Sequence[Message], limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of a mail, or of its page where it has no other."""
    shown = [part for part in parts if not is_attached(part)]
    texts = [text for part in shown if (text := text_of(part, "text/plain")).strip()]
    if texts:
        sections = Sections(limits)
        add_text("\n\n".join(texts), sections)
        return FileReading(sections=sections.finished(""), unread=sections.unread)
    pages = [text for part in shown if (text := text_of(part, "text/html")).strip()]
    if pages:
        return html.read(f"\ufeff{pages[0]}".encode(), limits, progress)
    return FileReading()


def text_of(part: Message, kind: str) -> str:
    if part.get_content_type() != kind:
        return ""
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    charset = str(part.get_content_charset() or "utf-8")
    if html.ENCODINGS.fullmatch(charset):
        return data.decode(charset, "replace")
    try:
        return decode_text(data)
    except BadFile:
        return data.decode("windows-1252", "replace")


def add_text(text: str, sections: Sections, depth: int = 0) -> None:
    """Add the text, and what it answers apart: unwrapped, under the line that says whose it is."""
    lines = text.replace("\r\n", "\n").split("\n")
    own: list[str] = []
    for is_quoted, run in groupby(lines, key=lambda line: line.startswith(">")):
        if not is_quoted:
            own = list(run)
            continue
        above, said_by = parted_from(own)
        add_own(above, sections, depth)
        own = []
        mark = QUOTED if depth + 1 == DEEPEST else ONE_MARK
        sections.heading(depth + 1, said_by or "Quoted")
        add_text("\n".join(mark.sub("", line, count=1) for line in run), sections, depth + 1)
        sections.leave(depth + 1)
    add_own(own, sections, depth)


def parted_from(lines: Sequence[str]) -> tuple[Sequence[str], str]:
    """Return the lines without the last ones, which say whose words follow: "Ann wrote:"."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    start = end
    while start and lines[start - 1].strip() and end - start <= SAID_BY_LINES:
        start -= 1
    line = " ".join(each.strip() for each in lines[start:end])
    is_said = end - start <= SAID_BY_LINES and len(line) <= SAID_BY and line.endswith(":")
    return (lines[:start], line.rstrip(":")) if is_said else (lines, "")


def add_own(lines: Sequence[str], sections: Sections, depth: int) -> None:
    """Add lines that have no mark; those of a quotation, which mailers wrap anew, as paragraphs."""
    if depth == 0:
        own, signed = without_signature(lines)
        add_typed("\n".join(own), sections)
        sections.paragraph(clean("\n".join(signed)))
        return
    for is_text, chunk in groupby(lines, key=lambda line: bool(line.strip())):
        if is_text:
            for line in unwrapped(list(chunk)):
                sections.paragraph(line)


def without_signature(lines: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the lines, and those below the mark that parts a signature from a mail."""
    at = next((at for at, line in enumerate(lines) if line.rstrip() == "--"), len(lines))
    return lines[:at], [line.strip() for line in lines[at + 1 :] if line.strip()]


def unwrapped(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a paragraph as one, and each item of a list."""
    joined: list[str] = []
    for line in map(str.strip, lines):
        if joined and ITEM.match(line):
            yield " ".join(joined)
            joined = []
        joined.append(line)
    yield " ".join(joined)
