"""Drawing: a page as a picture in shades of grey, large enough for its text to be recognised."""

import struct
import zlib
from base64 import b64encode
from typing import Any

import pypdfium2.raw as pdfium

DOTS, POINTS = 300, 72  # an inch
MOST_DOTS = 25_000_000
GREY, EIGHT_BITS = 0, 8


def png(page: Any) -> str:
    """Return the page as PNG in base64."""
    width, height = page.get_size()
    scale = min(DOTS / POINTS, (MOST_DOTS / max(width * height, 1.0)) ** 0.5)
    bitmap = page.render(scale=scale, grayscale=True)
    assert bitmap.format == pdfium.FPDFBitmap_Gray  # noqa: S101 - what was asked for
    stride, wide = bitmap.stride, bitmap.width
    data = bytes(bitmap.buffer)
    # Each row begins with a byte that says that it is stored as it is.
    rows = b"".join(b"\0" + data[at * stride : at * stride + wide] for at in range(bitmap.height))
    head = struct.pack(">IIBBBBB", wide, bitmap.height, EIGHT_BITS, GREY, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b"")]
    return b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(map(chunk, parts))).decode()


def chunk(part: tuple[bytes, bytes]) -> bytes:
    name, data = part
    check = struct.pack(">I", zlib.crc32(name + data))
    return struct.pack(">I", len(data)) + name + data + check
