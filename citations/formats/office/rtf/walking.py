"""Walking: the tokens of RTF in order become headings, paragraphs, items, rows and footnotes."""

from dataclasses import dataclass, field, replace

from citations.formats.blocks import BULLET, BlockKind
from citations.formats.cleaning import sensible_title
from citations.formats.office.rtf.vocabulary import (
    CHARSETS,
    ENDS,
    HEADING,
    KEPT,
    MOST_LISTED,
    PAGES,
    SIGNS,
    TITLE,
    TOKEN,
    UNREAD,
    WRITTEN,
)
from citations.formats.reading import ReadingLimits
from citations.formats.sections import Sections
from citations.formats.titles import heading_in


@dataclass(frozen=True)
class RichGroup:
    """What is so inside of a group: what it holds, and how its letters are written."""

    holds: str = ""
    font: int | None = None
    is_hidden: bool = False
    is_bold: bool = False
    skipped: int = 1  # characters that stand in for one of Unicode


@dataclass
class ParagraphLook:
    """What a paragraph is, by its words of control."""

    style: int = 0
    outline: int | None = None
    is_in_table: bool = False
    level: int = 0


@dataclass
class Words:
    """Text in the making, by what it is of."""

    parts: list[str] = field(default_factory=list)
    bold: int = 0
    length: int = 0

    def add(self, text: str, *, is_bold: bool) -> None:
        self.parts.append(text)
        self.length += len(text)
        self.bold += len(text) if is_bold else 0

    def taken(self) -> str:
        text = "".join(self.parts)
        self.parts, self.bold, self.length = [], 0, 0
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")


class RichText:
    """Reads the tokens of a file and gives its blocks to the sections."""

    def __init__(self, limits: ReadingLimits) -> None:
        self.sections = Sections(limits)
        self.title = self.author = ""
        self._group, self._outer = RichGroup(), list[RichGroup]()
        self._look = ParagraphLook()
        self._encoding = "cp1252"
        self._fonts: dict[int, str] = {}
        self._styles: dict[int, int] = {}
        self._bytes = bytearray()
        self._skip = 0
        self._is_starred = False
        self._words: dict[str, Words] = {}
        self._notes: list[str] = []
        self._cells: list[str] = []
        self._is_header = False
        # The number of the font or the style that is listed, and the level of the style.
        self._number, self._outline = 0, None

    def read(self, text: str) -> None:
        at = 0
        while not self.sections.full and (found := TOKEN.match(text, at)):
            at = found.end()
            if found["byte"]:
                self._byte(int(found["byte"], 16))
                continue
            self._decode()
            if found["word"]:
                value = int(found["value"]) if found["value"] else None
                at += max(value or 0, 0) if found["word"] == "bin" else 0
                self._control(found["word"], value)
            elif found["brace"] == "{":
                self._outer.append(self._group)
                self._skip, self._is_starred = 0, False
            elif found["brace"]:
                self._close()
            elif found["text"]:
                self._literal(found["text"])
            elif found["sign"]:
                self._sign(found["sign"])
        self._decode()
        self._end_paragraph()

    # --- Letters ----------------------------------------------------------------------------------

    def _byte(self, value: int) -> None:
        if self._skip:
            self._skip -= 1
        else:
            self._bytes.append(value)

    def _decode(self) -> None:
        if self._bytes:
            encoding = self._fonts.get(self._group.font or 0, self._encoding)
            self._said(self._bytes.decode(encoding, "replace"))
            self._bytes.clear()

    def _literal(self, text: str) -> None:
        skipped = min(self._skip, len(text))
        self._skip -= skipped
        self._said(text[skipped:])

    def _said(self, text: str) -> None:
        holds = self._group.holds
        if text and holds != "unread" and not self._group.is_hidden:
            self._words.setdefault(holds, Words()).add(text, is_bold=self._group.is_bold)

    def _taken(self, holds: str) -> str:
        return self._words[holds].taken().strip() if holds in self._words else ""

    def _sign(self, sign: str) -> None:
        if sign == "*":
            self._is_starred = True
        elif sign in "\r\n":
            self._end_paragraph()
        else:
            self._said(SIGNS.get(sign, ""))

    # --- Words of control -------------------------------------------------------------------------

    def _control(self, word: str, value: int | None) -> None:
        is_starred, self._is_starred = self._is_starred, False
        if word in KEPT or word in UNREAD or is_starred:
            self._open(word)
        elif word == "u" and value is not None:
            self._said(chr(value % 0x10000))
            self._skip = self._group.skipped
        elif word in WRITTEN:
            self._said(WRITTEN[word])
        elif self._group.holds in ("font", "style"):
            self._of_list(word, value or 0)
        elif word in ENDS and not self._group.holds:
            self._end_paragraph()
        elif word == "cell":
            self._cells.append(" ".join(self._taken("").split()))
        elif word == "row":
            cells, self._cells = self._cells, []
            self._taken("mark")
            self.sections.row(cells, is_header=self._is_header)
        else:
            self._look_of(word, value)

    def _open(self, word: str) -> None:
        """Begin what isn't the text around it; in what isn't read only its title is."""
        holds = KEPT.get(word, "unread")
        inside = self._group.holds
        if inside in ("note", "mark") and holds != "unread":
            return
        if inside == "unread" and holds not in ("title", "author"):
            return
        self._group = replace(self._group, holds=holds or inside)

    def _of_list(self, word: str, value: int) -> None:
        """Note what a font or a style is."""
        if word == "fcharset" and value in CHARSETS and len(self._fonts) < MOST_LISTED:
            self._fonts[self._number] = CHARSETS[value]
        elif word in ("f", "s") and word == self._group.holds[0]:
            self._number, self._outline = value, None
        elif word == "outlinelevel" and len(self._styles) < MOST_LISTED:
            self._styles[self._number] = value + 1

    def _look_of(self, word: str, value: int | None) -> None:
        is_on = value is None or value > 0
        if word == "pard":
            self._look = ParagraphLook()
        elif word == "s":
            self._look.style = value or 0
        elif word == "outlinelevel":
            self._look.outline = (value or 0) + 1
        elif word == "intbl":
            self._look.is_in_table = True
        elif word == "ilvl":
            self._look.level = min(max(value or 0, 0), 8)
        elif word == "trowd":
            self._is_header = False
        elif word == "trhdr":
            self._is_header = True
        elif word == "b":
            self._group = replace(self._group, is_bold=is_on)
        elif word in ("v", "deleted"):
            self._group = replace(self._group, is_hidden=is_on)
        elif word == "plain":
            self._group = replace(self._group, is_bold=False, is_hidden=False)
        elif word == "f":
            self._group = replace(self._group, font=value)
        elif word == "uc":
            self._group = replace(self._group, skipped=min(max(value or 0, 0), 10))
        elif word == "ansicpg" and PAGES.fullmatch(str(value)):
            self._encoding = {65001: "utf-8", 10000: "mac_roman"}.get(value or 0, f"cp{value}")

    # --- Blocks -----------------------------------------------------------------------------------

    def _close(self) -> None:
        ended = self._group.holds
        self._skip, self._is_starred = 0, False
        self._group = self._outer.pop() if self._outer else RichGroup()
        if ended in ("font", "style"):
            self._name_style(self._taken(ended))
        if ended == self._group.holds:
            return
        if ended == "note":
            self._notes.append(self._taken(ended))
        elif ended == "title":
            self.title = sensible_title(self._taken(ended))
        elif ended == "author":
            self.author = self._taken(ended)

    def _name_style(self, name: str) -> None:
        name = name.rstrip(";").strip()
        found = HEADING.match(name[:40])
        if self._number and len(self._styles) < MOST_LISTED:
            if found:
                self._styles[self._number] = int(found[1])
            elif TITLE.fullmatch(name[:40]):
                self._styles[self._number] = 1

    def _end_paragraph(self) -> None:
        if self._look.is_in_table:
            self._said(" ")
            return
        words = self._words.get("", Words())
        is_bold = 0 < words.length <= words.bold + 1
        text = "\n".join(" ".join(line.split()) for line in self._taken("").split("\n"))
        mark = self._taken("mark")
        level = self._look.outline or self._styles.get(self._look.style, 0)
        if text and 0 < level < 7:
            self.sections.heading(level, text)
        elif text and mark:
            is_number = any(map(str.isalnum, mark)) and len(mark) < 12
            self.sections.item(text, f"{mark} " if is_number else BULLET, self._look.level)
        elif text and is_bold and not self._styles and (heading := heading_in(text)):
            self.sections.heading(6, heading)
        else:
            self.sections.paragraph(text)
        for note in self._notes:
            self.sections.add(BlockKind.FOOTNOTE, " ".join(note.split()))
        self._notes = []
