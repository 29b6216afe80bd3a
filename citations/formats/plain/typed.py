"""Typed text: headings, paragraphs, items, tables and code, recognised by a few signs."""

import re
from collections.abc import Iterator, Sequence

from citations.formats.blocks import BULLET, BlockKind
from citations.formats.cleaning import clean
from citations.formats.sections import Sections
from citations.formats.tables import Cell, add_table
from citations.formats.titles import is_caption

LONGEST_HEADING = 100
UNDERLINE = re.compile(r"([=\-~^\"*#+])\1{2,}")
RULE = re.compile(r"[|+:=\-_*~.# ]{3,}")
ENDS = re.compile(r"[.!?:;][\"'”’)\]]*$")
ITEM = re.compile(
    r"(?P<bullet>[-*•–—o·])\s+|(?P<number>\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)](?=\s)"
    r"|\^?\[[\w-]{1,20}\]:?(?=\s))\s*"
)
NUMBERED = re.compile(r"((?:\d{1,2}|[A-Z])(?:\.\d{1,3}){0,5})[.:]?\s+(?=[A-ZÀ-ÞА-Я\"“¿(/])")
# "Article 5", "§ 12 Kündigung": as laws and contracts name their sections.
NAMED = re.compile(
    r"(?:(?P<high>part|title|chapter|appendix|annex|schedule|teil|kapitel|anhang|título|capítulo"
    r"|anexo|titre|chapitre|annexe|глава|раздел)|article|section|artikel|abschnitt|artículo"
    r"|sección|статья|§)\s?(?:\d{1,4}[a-z]?|[IVXLC]{1,6})\b",
    re.IGNORECASE,
)
DRAWN = str.maketrans("│┃║─━═┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝", "|||---" + "+" * 18)
GAP = re.compile(r"\s*\|\s*|\s{2,}")
HYPHEN = re.compile(r"(?<=[^\W\d_])-\n(?=[^\W\d_])")
# Longest line of a hard-wrapped file, and the share of lines within it.
WRAPPED_AT, NEARLY_ALL = 120, 0.95
INDENTED, FEWEST_ROWS = 4, 3
Chunk = list[str]


def add_typed(text: str, sections: Sections, *, title: str = "") -> None:
    """Add the blocks of a text, without the title at its top."""
    chunks = list(split_chunks(text))
    if chunks and " ".join(chunks[0][0].split()) == title:
        chunks[0] = chunks[0][1 + is_underlined(chunks[0]) :]
    page = Page(chunks, sections)
    for at, chunk in enumerate(chunks):
        if sections.full:
            return
        beside = [each for each in (chunks[at - 1 : at] + chunks[at + 1 : at + 2]) if each]
        page.add(chunk, beside, is_last=at + 1 == len(chunks))


def split_chunks(text: str) -> Iterator[Chunk]:
    """Yield the groups of lines between empty lines."""
    chunk: Chunk = []
    for line in clean(text).expandtabs().split("\n"):
        if line.strip():
            chunk.append(line.rstrip())
        elif chunk:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def measure_indent(line: str) -> int:
    """Return the number of spaces at the beginning of a line."""
    return len(line) - len(line.lstrip())


def is_underlined(lines: Sequence[str]) -> bool:
    """Return whether the second line is a rule about as long as the first."""
    if len(lines) < 2 or len(lines[0]) > LONGEST_HEADING:
        return False
    line, rule = lines[0].strip(), lines[1].strip()
    is_near = 0.6 * len(line) <= len(rule) <= len(line) + 6
    return UNDERLINE.fullmatch(rule) is not None and is_near


def detect_heading_level(line: str, beside: Sequence[Chunk]) -> int:
    """Return the level of a line that is set apart, 0 if it is no heading."""
    if len(line) > LONGEST_HEADING or sum(map(str.isalpha, line)) < 3 or line[-1] in ",;:!":
        return 0
    if named := NAMED.match(line):
        return 3 if named["high"] else 4
    numbered = NUMBERED.match(line)
    if numbered and "." not in numbered[1]:  # items of a list with empty lines between them
        numbered = None if any(NUMBERED.match(each[0].strip()) for each in beside) else numbered
    words = line.rstrip(".").split()[1 if numbered else 0 :]
    long = [word.strip("\"“”'()") for word in words if len(word) > 3]
    is_titled = len(words) < 12 and sum(word[:1].isupper() for word in long) >= 0.7 * len(long) > 0
    if line[-1] == "." and not (numbered and is_titled):
        return 0
    if numbered:
        return 5 + numbered[1].count(".")
    if line.isupper() and line[0].isalnum():
        return 5
    is_heading = (is_titled and not ITEM.match(line)) or line[-1] == "?"
    return 6 if is_heading and line[0].isupper() else 0


def split_rows(lines: Sequence[str]) -> list[list[Cell]]:
    """Return the cells of a table, between bars or wide gaps; none if it is no table."""
    bare = [line.strip().translate(DRAWN) for line in lines]
    rows = [GAP.split(line.strip("| ")) for line in bare if not RULE.fullmatch(line)]
    if len(rows) < FEWEST_ROWS or len(set(map(len, rows))) > 1 or len(rows[0]) < 2:
        return []
    has_header = not any(map(str.isdigit, "".join(rows[0])))
    return [
        [Cell(cell, is_header=has_header and at == 0) for cell in row]
        for at, row in enumerate(rows)
    ]


class Page:
    """The layout of the text: its width, its indentation, and its underlining signs."""

    def __init__(self, chunks: Sequence[Chunk], sections: Sections) -> None:
        self._sections = sections
        long = [line for chunk in chunks for line in chunk if len(line.strip()) > 40]
        widths = sorted(map(len, long))
        self._width = widths[int(len(widths) * NEARLY_ALL)] if widths else 0
        self._is_wrapped = self._width <= WRAPPED_AT
        self._base = min(map(measure_indent, long), default=0)
        self._signs: list[str] = []

    def add(self, lines: Chunk, beside: Sequence[Chunk], *, is_last: bool) -> None:
        """Add a heading, or a table, code or text."""
        if is_underlined(lines):
            sign = lines[1].strip()[0]
            self._signs += [sign] * (sign not in self._signs)
            self._sections.heading(1 + self._signs.index(sign), lines[0].strip())
            lines = lines[2:]
        elif (
            len(lines) == 1
            and not is_last
            and (level := detect_heading_level(lines[0].strip(), beside))
        ):
            self._sections.heading(level, lines[0].strip())
            return
        least = min(map(measure_indent, lines), default=0)
        if rows := split_rows(lines):
            add_table(self._sections, rows)
        elif least >= self._base + INDENTED and not ITEM.match(lines[0].strip()):
            is_code = not any(map(ENDS.search, lines))
            text = "\n".join(line[least:] for line in lines) if is_code else join_lines(lines)
            self._sections.add(BlockKind.CODE if is_code else BlockKind.PARAGRAPH, text)
        elif not all(map(RULE.fullmatch, map(str.strip, lines))):
            self._add_text(lines)

    def _add_text(self, lines: Sequence[str]) -> None:
        """Add paragraphs and items; in a chunk, the text before an item is its lead."""
        group: Chunk = []
        for line in lines:
            if group and (ITEM.match(line.strip()) or not self._is_wrapped):
                self._add_group(group)
                group = []
            group.append(line)
        self._add_group(group)

    def _add_group(self, lines: Sequence[str]) -> None:
        text, item = join_lines(lines), ITEM.match(lines[0].strip())
        if item is not None and len(text) > item.end():
            mark = BULLET if item["bullet"] else f"{item['number']} "
            level = (measure_indent(lines[0]) - self._base) // 2
            self._sections.item(text[item.end() :], mark, max(level, 0))
            return
        if self._is_wrapped and max(map(len, lines)) * 2 < self._width:  # verses, addresses
            text = "\n".join(" ".join(line.split()) for line in lines)
        self._sections.add(BlockKind.CAPTION if is_caption(text) else BlockKind.PARAGRAPH, text)


def join_lines(lines: Sequence[str]) -> str:
    """Return wrapped lines as one, with words joined that a line end broke."""
    text = "\n".join(" ".join(line.split()) for line in lines).replace("\u2010\n", "")
    return HYPHEN.sub("-", text).replace("\n", " ")
