"""Packed files: what gzip packed, as Debian does with its documentation, is read as what it is."""

import zlib
from pathlib import PurePath

from django.conf import settings

from citations.formats.reading import BadFile

GZIP_MARK = b"\x1f\x8b\x08"
GZIP_WINDOW = 31  # with gzip's head
SUFFIX = ".gz"


def unpacked(data: bytes) -> bytes:
    """Return what the file is, or holds if it is packed: at most as much as a file may have."""
    if not data.startswith(GZIP_MARK):
        return data
    unpacking = zlib.decompressobj(GZIP_WINDOW)
    try:
        found = unpacking.decompress(data, settings.MAX_DOCUMENT_BYTES + 1)
    except zlib.error as error:
        raise BadFile("broken") from error
    if len(found) > settings.MAX_DOCUMENT_BYTES:
        raise BadFile("unpacks_too_large")
    if not unpacking.eof:
        raise BadFile("broken")
    return found


def name_inside(file_name: str) -> str:
    """Return the name of the file without that of its packing."""
    path = PurePath(file_name)
    return str(path.with_suffix("")) if path.suffix.lower() == SUFFIX else file_name
