"""Mail: headers, text, forwarded messages and attachments.

A mailbox is read message by message, and a page that a browser saved as a mail as a page.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from itertools import groupby

from citations.formats import html
from citations.formats.attachments import AttachedFile, add_attachments
from citations.formats.cleaning import clean_line, clean_names
from citations.formats.html.content import find_content
from citations.formats.html.walking import ElementWalk
from citations.formats.parts import PartKind, Reason
from citations.formats.plain.encodings import decode_labelled
from citations.formats.plain.typed import add_typed
from citations.formats.reading import GLANCE, BadFile, FileReading, Progress, ReadingLimits
from citations.formats.sections import Sections

HEADERS = ("From", "To", "Cc", "Date", "Subject")
# The line above each message of a mailbox, with the time of its arrival.
ENVELOPE = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\r\n\r\n))From \S+ .*\d{4}\r?\n")
# Maximum number of parts: each is sought in all lines of its parent, which is quadratic.
MOST_PARTS, MOST_MAILS = 200, 2000
PARTED = re.compile(rb"content-type:\s{0,20}(?:multipart/|message/)", re.IGNORECASE)
SIGNATURES = ("application/pkcs7-signature", "application/pgp-signature")
SEALED = ("application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted")
# Suffixes of text files without a name, by type.
ENDINGS = {"text/calendar": ".ics", "text/vcard": ".vcf", "text/csv": ".csv", "text/xml": ".xml"}
SHOWN = ("text/html", "multipart/related", "multipart/mixed")
TEXTS = ("text/plain", "text/html", "text/enriched")
LONGEST_HEADER, MOST_NAMED = 2000, 50
ONE_MARK, QUOTED = re.compile(r">[ \t]?"), re.compile(r"(?:>[ \t]?)+")
# Maximum depth of quotations and of parts, and maximum length of a quotation's introduction.
DEEPEST, DEEPEST_PART = 4, 50
SAID_BY = 200
WORD = re.compile(r"\w+")


def inspect(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Read the headers."""
    if ENVELOPE.match(data):
        return FileReading()
    message = parse_message(data)
    if not message.keys():
        raise BadFile("empty")
    return describe(message)


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the headers and the text of a mail, or of each mail of a mailbox."""
    sections = Sections(limits)
    letter = Letter(sections, limits)
    if ENVELOPE.match(data):
        mails = [each for each in ENVELOPE.split(data)[1:] if each.strip()]
        for mail in mails[:MOST_MAILS]:
            letter.forward(parse_message(mail), 1)
        found = FileReading()
    else:
        message = parse_message(data)
        letter.add(message, 0)
        found = describe(message)
    add_attachments(letter.files, sections, limits, progress)
    return replace(found, sections=sections.finished(""), parts=sections.parts.found)


def parse_message(data: bytes) -> Message:
    """Return the mail, or raise BadFile if it has too many nested parts."""
    if len(PARTED.findall(data)) > MOST_PARTS:
        raise BadFile("too_complex")
    return message_from_bytes(data, policy=policy.compat32)


def describe(message: Message) -> FileReading:
    """Read title, authors and date from the headers."""
    sent = read_date(message)
    senders = getaddresses([read_header(message, "From")])
    return FileReading(
        title=read_header(message, "Subject"),
        authors=clean_names([name or address for name, address in senders]),
        year=int(sent[:4]) if sent else None,
        date=sent,
    )


def read_header(message: Message, name: str) -> str:
    """Return a header as one decoded line."""
    found = next((said for key, said in message.raw_items() if key.lower() == name.lower()), "")
    return decode_words(str(found))


def decode_words(raw: str) -> str:
    """Decode a header; letters that should have been encoded are UTF-8 in most mails."""
    raw = raw[:LONGEST_HEADER].encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    with suppress(LookupError, ValueError):  # an unknown or wrong encoding
        raw = str(make_header(decode_header(raw)))
    return clean_line(raw, LONGEST_HEADER)


def read_date(message: Message) -> str:
    """Return the day of a mail, or nothing if it is missing or impossible."""
    try:
        sent = parsedate_to_datetime(read_header(message, "Date"))
    except (ValueError, TypeError, OverflowError):
        return ""
    return sent.date().isoformat() if sent.year >= 1970 else ""


class Letter:
    """Adds the text of a mail to the sections, and collects the attached files."""

    def __init__(self, sections: Sections, limits: ReadingLimits) -> None:
        self._sections, self._limits = sections, limits
        self.files: list[AttachedFile] = []

    def forward(self, message: Message, depth: int) -> None:
        """Add a forwarded mail, under its subject."""
        self._sections.leave_headings()
        self._sections.heading(1, read_header(message, "Subject") or "Forwarded message")
        self.add(message, depth)
        self._sections.leave_headings()

    def add(self, message: Message, depth: int) -> None:
        """Add the headers and the parts of a mail; forwarded mails come after its text."""
        head = [f"{name}: {said}" for name in HEADERS if (said := read_header(message, name))]
        self._sections.paragraph("\n".join(head))
        before = len(self.files)
        forwarded = list(self._add_part(message, depth))
        if names := [file.name for file in self.files[before:] if file.name][:MOST_NAMED]:
            self._sections.paragraph(f"Attached: {', '.join(names)}")
        for inner in forwarded:
            self.forward(inner, depth + 1)

    def _add_part(self, part: Message, depth: int) -> Iterator[Message]:
        """Add the content of a part; yield the mails in it."""
        inside = part.get_payload()
        kind = part.get_content_type()
        if depth > DEEPEST_PART:
            self._sections.parts.count(PartKind.ATTACHMENT, unread=Reason.BEYOND_LIMIT)
        elif isinstance(inside, list):
            messages = [each for each in inside if isinstance(each, Message)]
            if kind == "message/rfc822":
                yield from messages
            elif kind == "multipart/alternative":
                yield from self._add_alternatives(messages, depth + 1)
            elif kind.startswith("message/"):  # a delivery report consists of headers
                lines = [f"{name}: {said}" for each in messages for name, said in each.items()]
                self._sections.paragraph("\n".join(lines))
            else:
                for each in messages:
                    yield from self._add_part(each, depth + 1)
        elif is_attached(part) or kind not in TEXTS:
            self._attach(part, kind)
        else:
            self._add_text(part, kind)

    def _add_alternatives(self, forms: list[Message], depth: int) -> Iterator[Message]:
        """Add one of several forms of a text, and the files attached to the others."""
        chosen = self._choose_form(forms)
        for form in forms:
            if form is chosen:
                yield from self._add_part(form, depth)
                continue
            for each in form.walk():
                is_file = is_attached(each) or each.get_content_type() == "text/calendar"
                if is_file and not each.is_multipart():
                    self._attach(each, each.get_content_type())

    def _add_text(self, part: Message, kind: str) -> None:
        text = decode_part(part)
        if kind != "text/html":
            add_text(text, self._sections)
            return
        with suppress(BadFile):  # a page without elements
            walk = ElementWalk(self._sections, hidden=self._limits.hidden)
            walk.read(*find_content(html.parse_html(f"\ufeff{text}".encode("utf-8", "replace"))))

    def _choose_form(self, forms: Sequence[Message]) -> Message | None:
        """Return which of several forms of one text is read: plain text, unless it says less."""
        plain = [each for each in forms if each.get_content_type() == "text/plain"]
        others = [each for each in forms if each not in plain and each.get_content_type() in SHOWN]
        said = frozenset(WORD.findall(" ".join(map(decode_part, plain))))
        fuller = [each for each in others if self._says_more(each, said)]
        return next(iter([*fuller, *plain, *others]), None)

    def _says_more(self, form: Message, said: frozenset[str]) -> bool:
        """Return whether most words of a page, as far as a glance goes, are not said elsewhere."""
        pages = [each for each in form.walk() if each.get_content_type() == "text/html"]
        glance = Letter(Sections(replace(self._limits, characters=GLANCE)), self._limits)
        for page in pages[:1]:
            glance._add_text(page, "text/html")
        words = WORD.findall(" ".join(each.text for each in glance._sections.finished("")))
        return 2 * sum(word not in said for word in words) > len(words)

    def _attach(self, part: Message, kind: str) -> None:
        """Collect a file; inline pictures count as images, and signatures are ignored."""
        data = part.get_payload(decode=True)
        if kind in SIGNATURES or not isinstance(data, bytes):
            return
        if kind.startswith("image/"):
            is_shown = part.get("Content-ID") and part.get_content_disposition() != "attachment"
            which = PartKind.IMAGE if is_shown else PartKind.ATTACHMENT
            self._sections.parts.count(which, unread=Reason.NO_TEXT)
            return
        if kind in SEALED:
            self._sections.parts.count(PartKind.ATTACHMENT, unread=Reason.ENCRYPTED)
            return
        name = part.get_filename() or f"attachment{ENDINGS.get(kind, '')}"
        self.files.append(AttachedFile(decode_words(name), data))


def is_attached(part: Message) -> bool:
    """Return whether a part is a file with a name of its own."""
    return part.get_content_disposition() == "attachment" or bool(part.get_filename())


def decode_part(part: Message) -> str:
    """Decode the text of a part by its declared encoding, or else the likeliest."""
    data = part.get_payload(decode=True)
    label = str(part.get_content_charset() or "")
    return decode_labelled(data, label) if isinstance(data, bytes) else ""


def add_text(text: str, sections: Sections, depth: int = 0) -> None:
    """Add the text, and each quotation under a heading that names its author."""
    lines = text.replace("\r\n", "\n").split("\n")
    own: list[str] = []
    for is_quoted, run in groupby(lines, key=lambda line: line.startswith(">")):
        if not is_quoted:
            own = list(run)
            continue
        above, said_by = split_introduction(own)
        add_own(above, sections, depth)
        own = []
        mark = QUOTED if depth + 1 == DEEPEST else ONE_MARK
        sections.heading(depth + 1, said_by or "Quoted")
        add_text("\n".join(mark.sub("", line, count=1) for line in run), sections, depth + 1)
        sections.leave(depth + 1)
    add_own(own, sections, depth)


def split_introduction(lines: Sequence[str]) -> tuple[Sequence[str], str]:
    """Return the lines without a last paragraph like "Ann wrote:", and that paragraph."""
    above, _, last = "\n".join(lines).rstrip().rpartition("\n\n")
    line = " ".join(last.split())
    is_said = len(line) <= SAID_BY and line.endswith(":")
    return (above.split("\n"), line.rstrip(":")) if is_said else (lines, "")


def add_own(lines: Sequence[str], sections: Sections, depth: int) -> None:
    """Add unquoted lines, and the signature as one paragraph."""
    ends = [at for at, line in enumerate(lines) if line.rstrip() == "--"]
    at = ends[0] if ends and not depth else len(lines)
    add_typed("\n".join(lines[:at]), sections)
    signature = [line.strip() for line in lines[at + 1 :] if line.strip()]
    sections.paragraph("\n".join(signature))
