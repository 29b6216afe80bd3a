"""Drawing: a page as a PNG picture, in grey for text recognition or in colour for people."""

import struct
import zlib
from base64 import b64encode
from typing import Any

DOTS, POINTS = 300, 72  # an inch
MOST_DOTS = 25_000_000
# In pixels a point: small pages are not enlarged further.
LARGEST = 4.0
GREY, COLOUR, EIGHT_BITS = 0, 2, 8


def draw_png(page: Any) -> str:
    """Draw the page in grey, large enough for text recognition; return it in base64."""
    bitmap = page.render(scale=fit_scale(page, DOTS / POINTS, MOST_DOTS), grayscale=True)
    return encode(bytes(bitmap.buffer), bitmap.stride, bitmap.width, GREY)


def colour_png(page: Any, pixels: int) -> str:
    """Draw the page within so many pixels; return it in base64, in grey if it is colourless."""
    bitmap = page.render(scale=fit_scale(page, LARGEST, pixels), rev_byteorder=True)
    data, stride = bytes(bitmap.buffer), bitmap.stride
    rows = b"".join(data[start : start + 3 * bitmap.width] for start in range(0, len(data), stride))
    reds = rows[::3]
    if reds == rows[1::3] == rows[2::3]:
        return encode(reds, bitmap.width, bitmap.width, GREY)
    return encode(rows, 3 * bitmap.width, bitmap.width, COLOUR)


def fit_scale(page: Any, largest: float, pixels: int) -> float:
    width, height = page.get_size()
    return float(min(largest, (pixels / max(width * height, 1.0)) ** 0.5))


def encode(data: bytes, stride: int, width: int, colours: int) -> str:
    """Encode rows of pixels as PNG in base64."""
    used = width * (3 if colours == COLOUR else 1)
    starts = range(0, len(data), stride)
    # Each row begins with a byte that marks it as unfiltered.
    rows = b"".join(b"\0" + data[start : start + used] for start in starts)
    head = struct.pack(">IIBBBBB", width, len(starts), EIGHT_BITS, colours, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b"")]
    return b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(map(chunk, parts))).decode()


def chunk(part: tuple[bytes, bytes]) -> bytes:
    name, data = part
    check = struct.pack(">I", zlib.crc32(name + data))
    return struct.pack(">I", len(data)) + name + data + check
