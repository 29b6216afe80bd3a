"""Readers: a file becomes its text, in order, with headings and pages.

There are two stages. `inspect` is quick and runs when a file arrives: it returns the file's kind
and metadata, or refuses it with a reason for people. `read` returns all of the text, and may take
minutes. Files are parsed in a child process (citations.readers.apart), except for small text and
Markdown, whose cost is known from their size.
"""

import re
from dataclasses import dataclass, replace
from pathlib import PurePath

from django.conf import settings

from citations.formats import plain
from citations.formats.cleaning import clean_line
from citations.formats.html import markdown
from citations.formats.kinds import MARKDOWN, PDF, PLAIN, detect_kind, find_format
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits, ignore_progress
from citations.readers import file_failures, recognition
from citations.readers.apart import run_apart
from memory.errors import Refusal

# Malicious Markdown takes a fifth of a second at this size, four times that at twice the size.
# Plain text with nothing but short lines takes five seconds.
SMALL = {MARKDOWN: 8_000, PLAIN: 1_000_000}
MAX_FILE_NAME = 255
VERSION = re.compile(r"\d\.\d{1,3}$")


class Unreadable(Refusal):
    """A file that can't become a document, with the code of the reason."""

    def __init__(self, code: str, message: str = "") -> None:
        super().__init__(message or file_failures.get_failure_sentence(code))
        self.code = code


@dataclass(frozen=True)
class Inspection:
    """The kind and the metadata of a file."""

    media_type: str
    about: FileReading


def inspect_file(data: bytes, file_name: str, *, media_type: str | None = None) -> Inspection:
    """Return the file's kind and metadata, within seconds, or raise Unreadable.

    A given media type is trusted: 'text/markdown' or 'text/plain', for a text without a file.
    """
    try:
        found = inspect_by_kind(data, file_name, media_type)
    except BadFile as refusal:
        raise Unreadable(refusal.code) from refusal
    return replace(
        found, about=replace(found.about, title=found.about.title or make_title(file_name))
    )


def inspect_by_kind(data: bytes, file_name: str, media_type: str | None) -> Inspection:
    if len(data) > settings.MAX_DOCUMENT_BYTES:
        raise BadFile("too_large")
    if not data.strip():
        raise BadFile("empty")
    kind = media_type or detect_kind(data, file_name)
    if kind == PLAIN:
        return Inspection(kind, plain.inspect(data, get_reading_limits(), ignore_progress))
    if is_quick(data, kind):
        return Inspection(kind, markdown.inspect(data, get_reading_limits(), ignore_progress))
    return Inspection(kind, run_apart("inspect", find_format(kind), data, get_reading_limits()))


def read_file(data: bytes, media_type: str, progress: Progress = ignore_progress) -> FileReading:
    """Read all of a file of the kind, or raise Unreadable."""
    try:
        if is_quick(data, media_type):
            quick = plain if media_type == PLAIN else markdown
            reading = quick.read(data, get_reading_limits(), progress)
        else:
            fmt = find_format(media_type)
            reading = run_apart("read", fmt, data, get_reading_limits(), progress)
    except BadFile as refusal:
        raise Unreadable(refusal.code) from refusal
    if settings.OCR != "none" and media_type == PDF:
        reading = recognition.add_recognised(data, reading, get_reading_limits(), progress)
    if not reading.sections:
        raise Unreadable("no_text" if media_type == PDF else "empty")
    return reading


def is_quick(data: bytes, kind: str) -> bool:
    """Return whether a file is read in this process: short text, or Markdown without tags."""
    return len(data) <= SMALL.get(kind, 0) and (kind == PLAIN or b"<" not in data)


def get_reading_limits() -> ReadingLimits:
    return ReadingLimits(
        pages=settings.MAX_DOCUMENT_PAGES,
        scans=settings.OCR != "none",
        hidden=settings.READ_HIDDEN,
    )


def clean_file_name(file_name: str) -> str:
    """Return the file's name as one clean line, without its folders."""
    return clean_line(PurePath(file_name.replace("\\", "/")).name, MAX_FILE_NAME)


def make_title(file_name: str) -> str:
    """Make a title of a file's name."""
    name = clean_file_name(file_name)
    path = PurePath(name)
    bare = name if VERSION.search(name) else path.stem  # "Apache-2.0" has no suffix
    words = clean_line(bare.replace("_", " ").replace("-", " "))
    return words[:1].upper() + words[1:] or name
