"""Words: glyphs that stand together, with what is raised or lowered beside them."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from citations.formats.pdf.glyphs import Glyph, GlyphStyle
from citations.formats.scripts import written_script

# In sizes of the font: a gap that parts words, and one that is still within what was typeset
# closely; how far apart baselines of one line are; how small and how far off a script is.
SPACE, CLOSE = 0.15, -0.4
SAME_LINE = 0.12
SMALLER, RAISED, LOWERED = 0.87, (0.12, 0.95), (-0.6, -0.07)
SCRIPT_GAP = 0.4
ACCENTS = {"´": "\u0301", "`": "\u0300", "ˆ": "\u0302", "¨": "\u0308", "˜": "\u0303", "¸": "\u0327"}
ACCENTS |= {"ˇ": "\u030c", "˚": "\u030a", "˝": "\u030b"}


@dataclass(slots=True)
class Word:
    """Characters without a gap between them, on one baseline."""

    text: str
    x0: float
    x1: float
    y: float
    style: GlyphStyle
    # Begun behind a space that the file has.
    is_apart: bool = True
    script: str = ""
    script_y: float = 0.0
    chars: int = field(default=1)

    def close(self) -> None:
        """End what is raised or lowered."""
        if self.script:
            self.text += written_script(self.text, self.script, is_raised=self.script_y > self.y)
            self.script = ""


def words_of_page(glyphs: Sequence[Glyph]) -> Iterator[Word]:
    """Yield the words in the order of the file."""
    word: Word | None = None
    space = False
    last: Glyph | None = None
    for glyph in glyphs:
        if glyph.char.isspace() or glyph.char == "\xa0":
            space = True
            continue
        if last is not None and is_double(last, glyph):
            continue
        last = glyph
        if word is not None and not space and joins_word(word, glyph):
            continue
        if word is not None:
            word.close()
            yield word
        word = Word(glyph.char, glyph.x, glyph.right, glyph.y, glyph.style, is_apart=space)
        space = False
    if word is not None:
        word.close()
        yield word


def is_double(before: Glyph, glyph: Glyph) -> bool:
    """Tell whether a character is drawn a second time to look bold."""
    near = 0.15 * glyph.style.size
    return (
        glyph.char == before.char
        and glyph.run != before.run
        and abs(glyph.x - before.x) < near
        and abs(glyph.y - before.y) < near
    )


def joins_word(word: Word, glyph: Glyph) -> bool:
    """Add the glyph to the word, or tell that it doesn't belong to it."""
    size = word.style.size
    gap, rise = glyph.x - word.x1, glyph.y - word.y
    if is_rightward(glyph.char):
        gap = min(gap, word.x0 - glyph.right, key=abs)
    is_logo = glyph.char == "E" and word.text.endswith("T") and -0.35 < rise / size < 0 >= gap
    if abs(rise) <= SAME_LINE * size or is_logo:
        if word.script and glyph.style.size <= SMALLER * size:
            return False
        if not CLOSE * size <= gap <= SPACE * max(size, glyph.style.size):
            return False
        word.close()
        word.text = with_accent(word.text, glyph.char)
        if glyph.style.size > word.style.size:
            word.style = glyph.style
    elif is_script(word, glyph, gap):
        if word.script and abs(glyph.y - word.script_y) > SAME_LINE * size:
            return False
        word.script += glyph.char
        word.script_y = glyph.y
    else:
        return False
    word.x0, word.x1 = min(word.x0, glyph.x), max(word.x1, glyph.right)
    word.chars += 1
    return True


def is_script(word: Word, glyph: Glyph, gap: float) -> bool:
    """Tell whether the glyph is small, close behind the word, and raised or lowered."""
    size, rise = word.style.size, glyph.y - word.y
    offset = rise / size
    return (
        glyph.style.size <= SMALLER * size
        and (RAISED[0] < offset < RAISED[1] or LOWERED[0] < offset < LOWERED[1])
        and CLOSE * size <= gap <= SCRIPT_GAP * size
    )


def with_accent(text: str, char: str) -> str:
    """Append the character; an accent that was drawn apart goes onto its letter."""
    accent = ACCENTS.get(text[-1:])
    if (
        accent
        and char.isalpha()
        and len(composed := unicodedata.normalize("NFC", char + accent)) == 1
    ):
        return text[:-1] + composed
    accent = ACCENTS.get(char) if char not in "`´" else None
    if accent and text[-1:].isalpha():
        composed = unicodedata.normalize("NFC", text[-1] + accent)
        return text[:-1] + composed if len(composed) == 1 else text + char
    return text + char


def is_rightward(char: str) -> bool:
    """Tell whether the character is of a script that runs from right to left."""
    return "\u0590" <= char <= "\u08ff" or "\ufb1d" <= char <= "\ufefc"
