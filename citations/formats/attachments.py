"""Attachments: files in a mail or a PDF, read as parts under their own names."""

import importlib
import posixpath
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from citations.formats.cleaning import clean_line
from citations.formats.kinds import detect_kind, find_format
from citations.formats.parts import PartKind, Reason
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits, ignore_progress
from citations.formats.sections import Sections

DEEPEST = 2  # a file in a mail in a mail
MOST_FILES, MOST_BYTES = 200, 100 << 20
REASONS = {"encrypted": Reason.ENCRYPTED, "empty": Reason.NO_TEXT, "no_text": Reason.NO_TEXT}
REASONS |= dict.fromkeys(("unsupported", "old_word", "binary", "not_utf8"), Reason.UNSUPPORTED)
REASONS |= dict.fromkeys(("too_large", "too_many_pages", "too_many_parts"), Reason.BEYOND_LIMIT)
REASONS |= dict.fromkeys(("unpacks_too_large", "too_complex"), Reason.BEYOND_LIMIT)


class AttachedFile(NamedTuple):
    """A file inside another one."""

    name: str
    data: bytes


def add_attachments(
    files: Sequence[AttachedFile],
    sections: Sections,
    limits: ReadingLimits,
    progress: Progress = ignore_progress,
    *,
    pages: int = 0,
) -> None:
    """Add the text of each file under its name, and count it as read or unread.

    Files are numbered after the pages, so that the next child leaves out one that ended a child.
    """
    room = MOST_BYTES
    for at, (given, data) in enumerate(files, start=pages):
        progress(at, pages + len(files))
        room -= len(data)
        is_beyond = limits.depth >= DEEPEST or at - pages >= MOST_FILES or room < 0
        name = clean_line(posixpath.basename(given.replace("\\", "/"))) or f"{at - pages + 1}"
        try:
            if is_beyond or at in limits.skipped or sections.full:
                raise BadFile("too_large")
            found = read_attachment(name, data, limits, room=sections.room)
        except BadFile as refusal:
            reason = REASONS.get(refusal.code, Reason.BROKEN)
            sections.parts.count(PartKind.ATTACHMENT, unread=reason)
            continue
        sections.parts.count(PartKind.ATTACHMENT)
        sections.parts.add(found.parts)
        sections.nest(name, found.sections)


def read_attachment(name: str, data: bytes, limits: ReadingLimits, *, room: int) -> FileReading:
    """Read a file by its own format. Raises BadFile."""
    if not data.strip():
        raise BadFile("empty")
    inner = replace(limits, characters=room, depth=limits.depth + 1, skipped=(), scans=False)
    reader = importlib.import_module(f"citations.formats.{find_format(detect_kind(data, name))}")
    try:
        found: FileReading = reader.read(data, inner, ignore_progress)
    except BadFile:
        raise
    except Exception as error:  # a parser's; the outer file is read all the same
        raise BadFile("broken") from error
    if not found.sections:
        raise BadFile("no_text")
    return found
