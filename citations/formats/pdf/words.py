"""Words: glyphs that stand together, with what is raised or lowered beside them, and words that the
end of a line parted.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
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
ACCENTS |= {"ˇ": "\u030c", "˚": "\u030a", "˝": "\u030b", "¯": "\u0304", "˘": "\u0306"}
ACCENTS |= {"˙": "\u0307", "˛": "\u0328"}
QUOTES = "`´"
HYPHENATED = re.compile(r"[^\W\d_][-\u2010]$")
LONGEST_WORD = 100  # characters
# A web address, or one of mail, that goes on in the next line.
ADDRESS = re.compile(r"\W?(?:https?://|www\.|[\w.+-]+@)\S*[-./=&?#_]$|\W?https?://$")
LABEL = re.compile(r"[^\W_]+$|^[^\W_]+")
# What has no dot because it has an accent.
DOTLESS = {"ı": "i", "ȷ": "j"}


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
    for glyph in accented(glyphs):
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


def accented(glyphs: Iterable[Glyph]) -> Iterator[Glyph]:
    """Yield the glyphs, an accent that is drawn by itself and the letter under it as one: so old
    LaTeX sets "Müller", the accent before or behind its letter, and above it.
    """
    held: Glyph | None = None
    for glyph in glyphs:
        if held is not None and (one := drawn_over(held, glyph) or drawn_over(glyph, held)):
            held = one
            continue
        if held is not None:
            yield held
        held = glyph
    if held is not None:
        yield held


def drawn_over(accent: Glyph, letter: Glyph) -> Glyph | None:
    """Return the letter with the accent, if the first glyph is one and stands over the second."""
    if accent.char not in ACCENTS or not letter.char.isalpha():
        return None
    middle = (accent.x + accent.right) / 2
    is_over = letter.x <= middle <= letter.right
    is_near = abs(accent.y - letter.y) < letter.style.size
    one = composed(letter.char, ACCENTS[accent.char])
    return letter._replace(char=one) if is_over and is_near and one else None


def composed(letter: str, accent: str) -> str:
    """Return the letter with the accent, or nothing if there is no such letter."""
    one = unicodedata.normalize("NFC", DOTLESS.get(letter, letter) + accent)
    return one if len(one) == 1 else ""


def is_double(before: Glyph, glyph: Glyph) -> bool:
    """Return whether a character is drawn a second time to look bold."""
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
    """Return whether the glyph is small, close behind the word, and raised or lowered."""
    size, rise = word.style.size, glyph.y - word.y
    offset = rise / size
    return (
        glyph.style.size <= SMALLER * size
        and (RAISED[0] < offset < RAISED[1] or LOWERED[0] < offset < LOWERED[1])
        and CLOSE * size <= gap <= SCRIPT_GAP * size
    )


def with_accent(text: str, char: str) -> str:
    """Append the character; an accent that was drawn beside its letter goes onto it, unless it may
    be a quotation mark.
    """
    accent = ACCENTS.get(text[-1:]) if text[-1:] not in QUOTES else None
    if accent and char.isalpha() and (one := composed(char, accent)):
        return text[:-1] + one
    accent = ACCENTS.get(char) if char not in QUOTES else None
    if accent and text[-1:].isalpha() and (one := composed(text[-1], accent)):
        return text[:-1] + one
    return text + char


def is_rightward(char: str) -> bool:
    """Return whether the character is of a script that runs from right to left."""
    return "\u0590" <= char <= "\u08ff" or "\ufb1d" <= char <= "\ufefc"


def join_lines(lines: Sequence[str], known: Collection[str] = ()) -> str:
    """Return lines as one; words that were broken at the end of a line are made whole.

    A hyphen that belongs to the word stays: the word is `known` with it, and not without it. In
    capitals it goes only out of a word that is known without it: they may be names.
    """
    done: list[str] = []
    text = lines[0]
    for line in lines[1:]:
        # Only the last word is looked at again.
        at = max(text.rfind(" ") + 1, len(text) - LONGEST_WORD)
        done.append(text[:at])
        text = text[at:]
        if ADDRESS.match(text) and (line[:1].islower() or (text[-1] == "/" and line[:1].isalnum())):
            text = (text[:-1] if ends_in_hyphenation(text, line, known) else text) + line
        elif HYPHENATED.search(text) and (line[:1].islower() or are_capitals(text, line)):
            begun, rest = text.rpartition(" ")[2], line.partition(" ")[0].strip(".,;:)”")
            is_known = (begun[:-1] + rest).lower() in known
            is_compound = (begun + rest).lower() in known and not is_known
            is_whole = is_known if line[:1].isupper() else not is_compound
            text = (text[:-1] if is_whole else text) + line
        elif text.endswith(("-", "/")) and text[-2:-1].isalnum() and line[:1].isalnum():
            text += line
        else:
            text += " " + line
    return "".join([*done, text])


def ends_in_hyphenation(address: str, line: str, known: Collection[str]) -> bool:
    """Return whether the hyphen at the end of an address is none of its own, but the line's."""
    begun, rest = LABEL.search(address[:-1]), LABEL.match(line)
    is_word = begun and rest and (begun[0] + rest[0]).lower() in known
    return address.endswith("/-") or (address.endswith("-") and bool(is_word))


def are_capitals(begun: str, line: str) -> bool:
    """Return whether the word that a line ends with goes on in capitals, as it began."""
    return begun[-3:-1].isupper() and line[:2].isupper()
