"""Glyphs: the characters of a page, each with its place and the style it is drawn in.

Text that runs upwards, downwards or head over is turned, a sheet for each direction: in what is
returned, x always goes with the reading and y upwards.
"""

import ctypes
import math
import re
from collections import defaultdict
from functools import lru_cache
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

# Characters of a page that are looked at: ten times a dense one.
MOST = 60_000
FIXED_PITCH, FORCED_BOLD = 1 << 0, 1 << 18
BOLD = re.compile(r"bold|black|heavy|demi|[-,]b(?![a-z])|^(?:[A-Z]{6}\+)?cmb|sfbx|ecbx", re.I)
REGULAR = re.compile(r"regular|book|light|medium|[-,](?:roman|italic|oblique)$", re.I)
# Of TeX's, the slanted and the italic ones are typewriters, too.
MONO = re.compile(
    r"mono|courier|typewriter|consol|menlo|cm(?:sl|i)?tt|cmtcsc|(?:sf|ec|lm)(?:tt|[si]t\d)|txtt"
    r"|inconsol",
    re.I,
)
MATH = re.compile(r"cmmi|cmsy|cmex|cmbsy|msam|msbm|lmmath|math|symbol|eufm|rsfs|stix.*math", re.I)
SKEWED = math.radians(10)
LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
LIGATURES |= {"\uf0b7": "•", "\uf0a7": "▪", "\x02": "-", "\xad": "-", "\ufffe": "-"}
# What fonts of TeX have in the place of controls, where a file doesn't say what its codes are.
CORK = dict(zip("\x10\x11\x12\x13\x14\x15\x16\x19\x1a", "“”„«»–—ıȷ", strict=True))
CORK |= {"\x1b": "ff", "\x1c": "fi", "\x1d": "fl", "\x1e": "ffi", "\x1f": "ffl"}

# Fonts of TeX that are pictures name their glyphs by code, "a97", which are names of dingbats, too:
# what the codes from 33 and those of ligatures and signs stand for.
DINGBATS = (
    "✦✧★✩✪✫✬✭✮✯✰✱✲✳✴✵✶✷✸✹✺✻✼✽✾✿❀❁❂❃❄❅❆❇❈❉❊❋●❍■❏❑▲▼◆❖ ◗❘❙❚❯❱❲❳❨❩❬❭❪❫❴❵❛❜❝❞❡❢❣❤✐❥❦❧♠♥♦♣    ✉✈✇①②③④⑤⑥⑦"
)
CODED = {sign: chr(code) for code, sign in enumerate(DINGBATS, 33) if sign != " "}
CODED |= {"☛": "ff", "☞": "fi", "✌": "fl", "✍": "ffi", "✎": "ffl", "✏": "“", "✑": "”", "✒": "„"}
CODED |= {"✕": "–", "✖": "—", "✛": "ff", "✜": "fi", "✢": "fl", "✣": "ffi", "✤": "ffl"}
CODED |= {"✬": "’", "❭": "“", "❵": "‘"}


class GlyphStyle(NamedTuple):
    """How a run of glyphs is drawn: its size in points, and what its font is for."""

    size: float
    is_bold: bool = False
    is_mono: bool = False
    is_math: bool = False


class Glyph(NamedTuple):
    """A character where it is drawn: its left end on the baseline, and its right end."""

    char: str
    x: float
    y: float
    right: float
    style: GlyphStyle
    # The run that it is drawn with: of a ligature, all characters come from one place.
    run: int = 0


def sheets(page: Any) -> list[list[Glyph]]:
    """Return the glyphs in the order of the file, those of each direction apart, the most first."""
    left, bottom, right, top = page.get_bbox()
    text = page.get_textpage()  # as long as it is held, it is open
    raw = text.raw
    x, y, box = ctypes.c_double(), ctypes.c_double(), pdfium.FS_RECTF()
    at_x, at_y, at_box = ctypes.byref(x), ctypes.byref(y), ctypes.byref(box)
    known: dict[int, tuple[GlyphStyle, int | None]] = {}
    found: dict[int, list[Glyph]] = defaultdict(list)
    sheet: list[Glyph] = []
    for index in range(min(pdfium.FPDFText_CountChars(raw), MOST)):
        code = pdfium.FPDFText_GetUnicode(raw, index)
        run = pdfium.FPDFText_GetTextObject(raw, index)
        if not run:  # a space that is not in the file, but follows from the widths of its font
            if sheet and code == ord(" "):
                sheet.append(sheet[-1]._replace(char=" "))
            continue
        address = ctypes.addressof(run.contents)
        if address not in known:
            known[address] = glyph_style(raw, index), quarter_of(raw, index)
        style, quarter = known[address]
        pdfium.FPDFText_GetCharOrigin(raw, index, at_x, at_y)
        seen = left <= x.value <= right and bottom <= y.value <= top
        if quarter is None or not code or not seen:
            continue
        pdfium.FPDFText_GetLooseCharBox(raw, index, at_box)
        char = chr(code)
        sheet = found[quarter]
        sheet.append(
            turned(quarter, LIGATURES.get(char, char), x.value, y.value, box, style, address)
        )
    return [
        by_code(without_controls(sheet)) for sheet in sorted(found.values(), key=len, reverse=True)
    ]


def without_controls(sheet: list[Glyph]) -> list[Glyph]:
    """Return the glyphs, controls as what they are in fonts of TeX, if most of them touch letters:
    in what a chart is drawn with they stand for anything.
    """
    places = [at for at, glyph in enumerate(sheet) if glyph.char in CORK]
    beside = (sheet[at - 1].char + sheet[min(at + 1, len(sheet) - 1)].char for at in places)
    if not places or 2 * sum(any(map(str.isalpha, chars)) for chars in beside) < len(places):
        return sheet
    return [glyph._replace(char=CORK.get(glyph.char, glyph.char)) for glyph in sheet]


def by_code(sheet: list[Glyph]) -> list[Glyph]:
    """Return the glyphs, those named by their code as what it stands for."""
    coded = [glyph.char for glyph in sheet if glyph.char in CODED]
    # Of a text, one letter in twenty is an e at least; of a chart of signs none may be.
    if 2 * len(coded) <= len(sheet) or 20 * coded.count("❡") < len(coded):
        return sheet
    return [glyph._replace(char=CODED.get(glyph.char, glyph.char)) for glyph in sheet]


def turned(
    quarter: int, char: str, x: float, y: float, box: Any, style: GlyphStyle, run: int
) -> Glyph:
    if quarter == 0:
        return Glyph(char, x, y, max(box.right, x), style, run)
    if quarter == 1:
        return Glyph(char, y, -x, max(box.top, y), style, run)
    if quarter == 2:
        return Glyph(char, -x, -y, max(-box.left, -x), style, run)
    return Glyph(char, -y, x, max(-box.bottom, -y), style, run)


def glyph_style(raw: Any, index: int) -> GlyphStyle:
    flags = ctypes.c_int()
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(raw, index, name, len(name), ctypes.byref(flags))
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(raw, index, ctypes.byref(matrix))
    size = pdfium.FPDFText_GetFontSize(raw, index) * math.hypot(matrix.c, matrix.d)
    is_heavy = pdfium.FPDFText_GetFontWeight(raw, index) >= 600
    bold, regular, mono, is_math = purposes(name.value.decode("utf-8", "replace"))
    # The weight is guessed from the width of stems: a name that says otherwise knows better.
    forced = bool(flags.value & FORCED_BOLD) or (is_heavy and not regular)
    is_mono = mono or bool(flags.value & FIXED_PITCH)
    return GlyphStyle(round(size, 1) or 1.0, bold or forced, is_mono, is_math)


@lru_cache(maxsize=1000)
def purposes(font: str) -> tuple[bool, bool, bool, bool]:
    """Return whether a font of this name is bold, regular, of fixed pitch, or for formulas."""
    patterns = (BOLD, REGULAR, MONO, MATH)
    return tuple(pattern.search(font) is not None for pattern in patterns)  # type: ignore[return-value]


def quarter_of(raw: Any, index: int) -> int | None:
    """Return how many quarter turns the text is turned by, or None if it stands askew."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(raw, index, ctypes.byref(matrix))
    angle = math.atan2(matrix.b, matrix.a)
    quarters = round(angle / (math.pi / 2))
    return quarters % 4 if abs(angle - quarters * math.pi / 2) < SKEWED else None
