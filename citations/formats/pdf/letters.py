"""Letters: the visible characters of a page, each with its box on the page as it is drawn."""

import ctypes
import sys
from array import array
from base64 import b64encode
from typing import Any

import pypdfium2.raw as pdfium

from citations.formats.pdf.words import MOST_CHARACTERS

# The longer side of a page; boxes are whole numbers below it, in two bytes.
LONGER_SIDE = 20_000


def read_letters(page: Any) -> dict[str, Any]:
    """Return the page's size in points, its frame, its text without spaces and a box for each
    character. A box is left, top, right and bottom in the displayed page's frame.
    """
    width, height = page.get_size()
    unit = LONGER_SIDE / max(width, height, 1.0)
    frame = max(round(width * unit), 1), max(round(height * unit), 1)
    letters, boxes = [], array("H")
    for letter, box in read_shown_letters(page, frame):
        letters.append(letter)
        boxes.extend(box)
    if sys.byteorder == "big":
        boxes.byteswap()
    packed = b64encode(boxes.tobytes()).decode()
    points = [round(width, 1), round(height, 1)]
    return {"points": points, "frame": frame, "text": "".join(letters), "boxes": packed}


def read_shown_letters(page: Any, frame: tuple[int, int]) -> Any:
    """Yield the characters inside the displayed page, cropped and turned, with their boxes."""
    text = page.get_textpage()  # closed when it is collected
    raw, box = text.raw, pdfium.FS_RECTF()
    at_box, place = ctypes.byref(box), make_point_mapper(page, frame)
    for index in range(min(pdfium.FPDFText_CountChars(raw), MOST_CHARACTERS)):
        letter = chr(pdfium.FPDFText_GetUnicode(raw, index))
        if not letter.isprintable() or letter.isspace():
            continue
        pdfium.FPDFText_GetLooseCharBox(raw, index, at_box)
        (x0, y0), (x1, y1) = place(box.left, box.top), place(box.right, box.bottom)
        left, right = (max(0, min(x, frame[0])) for x in sorted((x0, x1)))
        top, bottom = (max(0, min(y, frame[1])) for y in sorted((y0, y1)))
        if left < right and top < bottom:
            yield letter, (left, top, right, bottom)


def make_point_mapper(page: Any, frame: tuple[int, int]) -> Any:
    """Return the function from a point of the page to one of the frame. PDFium's mapping is affine,
    so three points determine it.
    """

    def device(x: float, y: float) -> tuple[int, int]:
        at_x, at_y = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page, 0, 0, *frame, 0, x, y, at_x, at_y)
        return at_x.value, at_y.value

    far = max(page.get_size())
    (x0, y0), (x_right, y_right), (x_up, y_up) = device(0, 0), device(far, 0), device(0, far)
    a, b = (x_right - x0) / far, (y_right - y0) / far
    c, d = (x_up - x0) / far, (y_up - y0) / far
    return lambda x, y: (round(x0 + a * x + c * y), round(y0 + b * x + d * y))
