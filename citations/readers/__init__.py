"""Readers: a file becomes its text, in order, with headings and pages.

Each kind of file has a module with one function, `read(data, file_name) -> Reading`. What a file
is, its content decides first and its name second.
"""

from collections.abc import Callable
from pathlib import PurePath

from django.conf import settings
from django.utils.translation import gettext as _

from citations.readers import markdown, plain
from citations.readers.reading import Reading, Section, Unreadable

__all__ = ["Reading", "Section", "Unreadable", "read"]

Reader = Callable[[bytes, str], Reading]

READERS: dict[str, Reader] = {
    "text/markdown": markdown.read,
    "text/plain": plain.read,
}
BY_SUFFIX = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".txt": "text/plain",
    ".text": "text/plain",
}
# What a file of the kind begins with.
SIGNATURES = {
    b"%PDF-": "application/pdf",
    b"PK\x03\x04": "application/zip",
}


def read(data: bytes, file_name: str) -> Reading:
    """Return what the file says, or raise Unreadable."""
    limit = settings.MAX_DOCUMENT_BYTES
    if len(data) > limit:
        raise Unreadable("too_large", _("The file is larger than %d bytes.") % limit)
    if not data.strip():
        raise Unreadable("empty", _("The file is empty."))
    reader = READERS.get(media_type(data, file_name))
    if reader is None:
        raise Unreadable("unsupported", _("Files of this kind can't be read."))
    reading = reader(data, file_name)
    if not any(section.text.strip() for section in reading.sections):
        raise Unreadable("empty", _("The file holds no text."))
    return reading


def media_type(data: bytes, file_name: str) -> str:
    """Tell what kind of file it is; an unknown name without a signature is taken for plain text."""
    for signature, kind in SIGNATURES.items():
        if data.startswith(signature):
            return kind
    return BY_SUFFIX.get(PurePath(file_name).suffix.lower(), "text/plain")
