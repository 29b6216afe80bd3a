"""Words of a page: PDFium's characters between its own spaces, with their boxes and fonts.

Text turned by a quarter is turned back: x always follows the reading direction, and y upwards.
"""

import ctypes
import math
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple
from unicodedata import combining

import pypdfium2.raw as pdfium

from citations.formats.scripts import format_script

MOST_CHARACTERS = 60_000  # of a page: ten times a dense one
FIXED_PITCH, FORCED_BOLD, HEAVY = 1 << 0, 1 << 18, 600
BOLD = re.compile(r"bold|black|heavy|demi|[-,]b(?![a-z])|^(?:[A-Z]{6}\+)?cmb|sfbx|ecbx", re.I)
REGULAR = re.compile(r"regular|book|light|medium|[-,](?:roman|italic|oblique)$", re.I)
MONO = re.compile(
    r"mono|courier|typewriter|consol|menlo|cm(?:sl|i)?tt|(?:sf|ec|lm)tt|inconsol", re.I
)
SKEWED = math.radians(10)
SIGNS = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
SIGNS |= {"\uf0b7": "•", "\uf0a7": "▪", "\x02": "-", "\xad": "-", "\ufffe": "-", "\0": ""}
# In sizes of the font: the gap between words, the overlap of characters, the distance of baselines
# in one line, and the size and largest offset of a superscript.
GAP, OVERLAP, SAME_LINE, SMALLER, FARTHEST = 0.2, -0.4, 0.12, 0.87, 0.95
SMALLEST = 2.0  # points: smaller type is unreadable


class Style(NamedTuple):
    """The look of a run of characters; `quarter` is its number of turns by 90 degrees."""

    size: float
    is_bold: bool
    is_mono: bool
    is_hidden: bool
    quarter: int | None


@dataclass(slots=True)
class Word:
    """Characters without a space between them, on one baseline."""

    text: str
    x0: float
    x1: float
    y: float
    style: Style
    run: int
    # Begun after a space, of the file or found by PDFium.
    is_apart: bool = True
    script: str = ""
    script_y: float = 0.0

    @property
    def size(self) -> float:
        return self.style.size

    def add(self, other: "Word") -> bool:
        """Add a character; return whether it belongs to the word."""
        gap, rise = other.x0 - self.x1, other.y - self.y
        if is_rightward(other.text):
            gap = min(gap, self.x0 - other.x1, key=abs)
        size = self.size
        is_near = OVERLAP * size <= gap <= GAP * max(size, other.size)
        if abs(rise) > SAME_LINE * size:
            if other.size > SMALLER * size or abs(rise) > FARTHEST * size or not is_near:
                return False
            self.script, self.script_y = self.script + other.text, other.y
        elif (
            other.is_apart
            or not (is_near or self.run == other.run)
            or self.style.is_hidden != other.style.is_hidden
        ):
            return False
        else:
            self.close()
            # Shaped letters are drawn from the left, so a right-to-left word comes last letter
            # first.
            is_last_first = is_rightward(other.text) and 2 * other.x0 > self.x0 + self.x1
            is_last_first = is_last_first and not combining(other.text)
            self.text = other.text + self.text if is_last_first else self.text + other.text
        self.x0, self.x1, self.run = min(self.x0, other.x0), max(self.x1, other.x1), other.run
        return True

    def close(self) -> None:
        """Write a pending superscript or subscript into the line."""
        if self.script:
            self.text += format_script(self.text, self.script, is_raised=self.script_y > self.y)
            self.script = ""


def read_words(page: Any) -> list[list[Word]]:
    """Read the words on a page, grouped by direction, the largest group first."""
    left, bottom, right, top = page.get_bbox()
    found: dict[int, list[Word]] = defaultdict(list)
    word: Word | None = None
    is_apart = True
    for char, x, y, box, style, run in read_characters(page):
        if style is None:  # PDFium begins a line before and behind what is raised, too
            is_apart = True
        elif left <= x <= right and bottom <= y <= top and style.quarter is not None:
            x0, x1, y = turn_back(style.quarter, x, y, box)
            new = Word(char, x0, x1, y, style, run, is_apart=is_apart)
            if word is None or word.style.quarter != style.quarter or not word.add(new):
                found[style.quarter].append(new)
                word = new
            is_apart = False
    for words in found.values():
        for each in words:
            each.close()
    return sorted(found.values(), key=len, reverse=True)


def split_hidden(sheets: list[list[Word]]) -> tuple[list[list[Word]], str]:
    """Return the visible words, and the hidden text, if it is less than half of the page.

    The recognised text of a scan is hidden as a whole, and counts as visible.
    """
    hidden = [word.text for words in sheets for word in words if word.style.is_hidden]
    if not hidden or 2 * len(hidden) > sum(map(len, sheets)):
        return sheets, ""
    shown = [[word for word in words if not word.style.is_hidden] for words in sheets]
    return [words for words in shown if words], " ".join(hidden)


def read_characters(page: Any) -> Iterator[tuple[str, float, float, Any, Style | None, int]]:
    """Yield each character with its origin, box, style and run; without a style for a space."""
    text = page.get_textpage()  # closed when it is collected
    raw = text.raw
    x, y, box = ctypes.c_double(), ctypes.c_double(), pdfium.FS_RECTF()
    at_x, at_y, at_box = ctypes.byref(x), ctypes.byref(y), ctypes.byref(box)
    styles: dict[int, Style] = {}
    for index in range(min(pdfium.FPDFText_CountChars(raw), MOST_CHARACTERS)):
        char = chr(pdfium.FPDFText_GetUnicode(raw, index))
        drawn = pdfium.FPDFText_GetTextObject(raw, index)
        run = int.from_bytes(bytes(drawn), "little")
        if char.isspace() or not run:  # a space that PDFium inserted has no object
            yield "", 0.0, 0.0, box, None, 0
            continue
        if run not in styles:
            styles[run] = read_style(raw, index, drawn)
        pdfium.FPDFText_GetCharOrigin(raw, index, at_x, at_y)
        pdfium.FPDFText_GetLooseCharBox(raw, index, at_box)
        if char := SIGNS.get(char, char):
            yield char, x.value, y.value, box, styles[run], run


def turn_back(quarter: int, x: float, y: float, box: Any) -> tuple[float, float, float]:
    """Return a character's start and end along its line, and the height of its baseline."""
    match quarter:
        case 0:
            return x, max(box.right, x), y
        case 1:
            return y, max(box.top, y), -x
        case 2:
            return -x, max(-box.left, -x), -y
        case _:
            return -y, max(-box.bottom, -y), x


def read_style(raw: Any, index: int, drawn: Any) -> Style:
    """Return the style of a character, by the name of its font as well."""
    flags, matrix = ctypes.c_int(), pdfium.FS_MATRIX()
    buffer = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(raw, index, buffer, len(buffer), ctypes.byref(flags))
    pdfium.FPDFText_GetMatrix(raw, index, ctypes.byref(matrix))
    size = pdfium.FPDFText_GetFontSize(raw, index) * math.hypot(matrix.c, matrix.d)
    name = buffer.value.decode("utf-8", "replace")
    # The weight is estimated from the stems, so a font's name takes precedence.
    is_heavy = not REGULAR.search(name) and pdfium.FPDFText_GetFontWeight(raw, index) >= HEAVY
    mode = pdfium.FPDFTextObj_GetTextRenderMode(drawn)
    angle = math.atan2(matrix.b, matrix.a) / (math.pi / 2)
    is_straight = abs(angle - round(angle)) * math.pi / 2 < SKEWED
    return Style(
        size=round(size, 1) or 1.0,
        is_bold=is_heavy or bool(BOLD.search(name)) or bool(flags.value & FORCED_BOLD),
        is_mono=bool(MONO.search(name)) or bool(flags.value & FIXED_PITCH),
        is_hidden=mode == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE or size < SMALLEST,
        quarter=round(angle) % 4 if is_straight else None,
    )


def is_rightward(char: str) -> bool:
    """Return whether the character is of a right-to-left script."""
    return "\u0590" <= char <= "\u08ff" or "\ufb1d" <= char <= "\ufefc"
