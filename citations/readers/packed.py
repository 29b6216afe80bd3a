"""Packed files: what gzip packed, as Debian does with its documentation, is read as what it is."""

import zlib
from collections.abc import Iterator

from django.conf import settings

from citations.formats.reading import BadFile

GZIP_MARK = b"\x1f\x8b\x08"
GZIP_WINDOW = 31  # with gzip's head
SUFFIX = ".gz"
# Files packed one by one and put together are one file: with a member for each 64 kB at most.
MOST_MEMBERS = 2000
# What is left of it behind each member is copied, so little is given at a time.
STEP = 1 << 14


def unpack_gzip(data: bytes) -> bytes:
    """Return the file, unpacked if it is packed; it may hold as much as a file may have."""
    if not data.startswith(GZIP_MARK):
        return data
    found, size = [], 0
    try:
        for part in unpack_members(data, settings.MAX_DOCUMENT_BYTES + 1):
            found.append(part)
            size += len(part)
            if size > settings.MAX_DOCUMENT_BYTES:
                raise BadFile("unpacks_too_large")
    except zlib.error as error:
        raise BadFile("broken") from error
    return b"".join(found)


def unpack_members(data: bytes, most: int) -> Iterator[bytes]:
    """Yield what the members hold, in parts of at most so many bytes; zeros may follow the last."""
    at = 0
    for _ in range(MOST_MEMBERS):
        unpacking = zlib.decompressobj(GZIP_WINDOW)
        while not unpacking.eof:
            given = data[at : at + STEP]
            if not given:
                raise BadFile("broken")
            yield unpacking.decompress(given, most)
            at += len(given) - len(unpacking.unconsumed_tail or unpacking.unused_data)
        if not data.startswith(GZIP_MARK, at):
            if data[at:].strip(b"\0"):
                raise BadFile("broken")
            return
    raise BadFile("too_many_parts")


def strip_packing(file_name: str) -> str:
    """Return the name of the file without that of its packing."""
    is_packed = file_name.lower().endswith(SUFFIX)
    return file_name[: -len(SUFFIX)] or file_name if is_packed else file_name
