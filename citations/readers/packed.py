"""Packed files: what gzip packed, as Debian does with its documentation, is read as what it is."""

import zlib

from django.conf import settings

from citations.formats.reading import BadFile

GZIP_MARK = b"\x1f\x8b\x08"
GZIP_WINDOW = 31  # with gzip's head
SUFFIX = ".gz"


def unpack_gzip(data: bytes) -> bytes:
    """Return the file, unpacked if it is packed; it may hold as much as a file may have."""
    if not data.startswith(GZIP_MARK):
        return data
    unpacking = zlib.decompressobj(GZIP_WINDOW)
    try:
        found = unpacking.decompress(data, settings.MAX_DOCUMENT_BYTES + 1)
    except zlib.error as error:
        raise BadFile("broken") from error
    if len(found) > settings.MAX_DOCUMENT_BYTES:
        raise BadFile("unpacks_too_large")
    if not unpacking.eof or unpacking.unused_data.strip(b"\0"):
        raise BadFile("broken")
    return found


def strip_packing(file_name: str) -> str:
    """Return the name of the file without that of its packing."""
    is_packed = file_name.lower().endswith(SUFFIX)
    return file_name[: -len(SUFFIX)] or file_name if is_packed else file_name
