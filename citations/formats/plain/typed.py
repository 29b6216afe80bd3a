"""Typed text: headings, paragraphs, items, tables and code, told by a few signs."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from citations.formats.blocks import BULLET, BlockKind
from citations.formats.captions import is_caption
from citations.formats.cleaning import clean
from citations.formats.sections import Sections
from citations.formats.tables import Cell, add_table

TAB, LONGEST_HEADING = 8, 100
UNDERLINE = re.compile(r"([=\-~^\"*#+])\1{2,}")
RULE = re.compile(r"[|+:=\-_*~.# ]{3,}")
ENDS = re.compile(r"[.!?:;][\"'”’)\]]*$")
ITEM = re.compile(
    r"(?P<bullet>[-*•–—o·])\s+|(?P<number>\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)](?=\s)"
    r"|\^?\[[\w-]{1,20}\]:?(?=\s)|[¹²³⁴-⁹]{1,3}(?=\s)"  # notes at the foot of a text
    r"|\d{1,3}:(?=\s+https?://))\s*"
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
GAP = re.compile(r"\s{2,}|\t+")
HYPHEN = re.compile(r"(?<=[^\W\d_])-\n(?=[^\W\d_])")
DIGIT = re.compile(r"\d+")
# A file is wrapped by hand if nearly no line is longer.
WRAPPED_AT, NEARLY_ALL = 120, 0.95
INDENTED, FEWEST_ROWS, FEWEST_PAGES, FEWEST_WORDS = 4, 3, 3, 8
Chunk = list[str]


def add_typed(text: str, sections: Sections, *, title: str = "") -> None:
    """Add the blocks of a text, without the title at its top."""
    chunks = list(split_chunks(text))
    page = Page(chunks, sections)
    if chunks and " ".join(chunks[0][0].split()) == title:
        first = chunks[0][1 + is_underlined(chunks[0]) :]
        chunks = [first, *chunks[1:]] if first else chunks[1:]
    for at, chunk in enumerate(chunks):
        if sections.full:
            return
        before, after = chunks[at - 1] if at else [], chunks[at + 1] if chunks[at + 1 :] else []
        page.add(chunk, before, after)


def split_chunks(text: str) -> Iterator[Chunk]:
    """Yield the lines between empty lines, without the heads and feet that pages repeat."""
    pages = [clean(page).expandtabs(TAB).strip("\n").split("\n") for page in text.split("\f")]
    edges = Counter(DIGIT.sub("", line) for page in pages for line in {page[0], page[-1]} if line)
    running = {line for line, count in edges.items() if count >= FEWEST_PAGES}
    chunk: Chunk = []
    for page in pages:
        for at, line in enumerate(page):
            is_edge = at in (0, len(page) - 1) and DIGIT.sub("", line) in running
            if line.strip() and not is_edge:
                chunk.append(line.rstrip())
            elif chunk and not is_edge:
                yield chunk
                chunk = []
        if chunk and ENDS.search(chunk[-1]):
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def measure_indent(line: str) -> int:
    """Return how many spaces a line begins with."""
    return len(line) - len(line.lstrip())


def is_underlined(lines: Sequence[str]) -> bool:
    """Return whether a line of signs as long as the first line stands below it."""
    if len(lines) < 2:
        return False
    line, rule = lines[0].strip(), lines[1].strip()
    is_near = 0.6 * len(line) <= len(rule) <= len(line) + 6
    return len(line) <= LONGEST_HEADING and UNDERLINE.fullmatch(rule) is not None and is_near


def is_prose(lines: Sequence[str]) -> bool:
    """Return whether lines are sentences: mostly words of letters."""
    words = " ".join(lines).split()
    plain = sum(word.strip(".,;:!?()\"'`“”").replace("-", "").isalpha() for word in words)
    return len(words) >= FEWEST_WORDS and plain >= 0.8 * len(words)


def heading_level(line: str, before: Sequence[str], after: Sequence[str]) -> int:
    """Return the level of a line that stands alone, 0 if it is no heading."""
    if len(line) > LONGEST_HEADING or sum(map(str.isalpha, line)) < 3:
        return 0
    if named := NAMED.match(line):
        return 0 if line[-1] in ",;" or len(line.split()) > 12 else 3 if named["high"] else 4
    numbered = NUMBERED.match(line)
    is_titled = are_capitalised(line.rstrip(".").split()[1 if numbered else 0 :])
    if line[-1] in ",;:!" or (line[-1] == "." and not (numbered and is_titled)):
        return 0
    if numbered:
        beside = (lines[0].strip() for lines in (before, after) if len(lines) == 1)
        is_list = "." not in numbered[1] and any(
            (other := NUMBERED.match(each)) and "." not in other[1] for each in beside
        )
        return 0 if is_list else 5 + numbered[1].count(".")
    if line.isupper() and line[0].isalnum():
        return 5
    is_titled = is_titled and line[0].isupper() and not are_capitalised(after[0].split())
    return 6 if is_titled or (line[-1] == "?" and line[0].isupper()) else 0


def are_capitalised(words: Sequence[str]) -> bool:
    """Return whether a few words begin with capitals, but for the short ones."""
    long = [word.strip("\"“”'()") for word in words if len(word) > 3]
    return len(words) < 12 and sum(word[:1].isupper() for word in long) >= 0.7 * len(long) > 0


def split_rows(lines: Sequence[str]) -> list[list[Cell]]:
    """Return the cells of a table: between bars, or below one another; none if it is no table."""
    bare = [line.strip().translate(DRAWN) for line in lines]
    if len(bare) > 1 and all(line[0] in "|+" and line[-1] in "|+" for line in bare):
        rules = [at for at, line in enumerate(bare) if RULE.fullmatch(line)]
        end = next((at for at in rules if at), 0)
        return [
            [Cell(cell.strip(), is_header=at < end) for cell in line.strip("|").split("|")]
            for at, line in enumerate(bare)
            if at not in rules
        ]
    rows = [GAP.split(line) for line in bare]
    widths = {len(row) for row in rows}
    if len(rows) < FEWEST_ROWS or len(widths) > 1 or widths == {1} or ITEM.match(bare[0]):
        return []
    has_header = not DIGIT.search(bare[0]) and any(map(DIGIT.search, bare[1:]))
    return [
        [Cell(cell, is_header=has_header and at == 0) for cell in row]
        for at, row in enumerate(rows)
    ]


class Page:
    """The text as it is typed: how wide, how far indented, and which signs underline."""

    def __init__(self, chunks: Sequence[Chunk], sections: Sections) -> None:
        self._sections = sections
        long = [line for chunk in chunks for line in chunk if len(line.strip()) > 40]
        widths = sorted(map(len, long))
        self._width = widths[int(len(widths) * NEARLY_ALL)] if widths else 0
        self._is_wrapped = self._width <= WRAPPED_AT
        self._base = min(map(measure_indent, long), default=0)
        self._signs: list[str] = []
        self._indents: list[int] = []

    def add(self, lines: Chunk, before: Chunk, after: Chunk) -> None:
        """Add a heading, or a table, code or text."""
        if RULE.fullmatch(lines[0].strip()):
            lines = lines[1:]
        if is_underlined(lines):
            sign = lines[1].strip()[0]
            self._signs += [sign] * (sign not in self._signs)
            self._sections.heading(1 + self._signs.index(sign), lines[0].strip())
            lines = lines[2:]
        elif (
            len(lines) == 1 and after and (level := heading_level(lines[0].strip(), before, after))
        ):
            self._sections.heading(level, lines[0].strip())
            return
        elif (
            lines
            and lines[0].isupper()
            and measure_indent(lines[0]) < min(map(measure_indent, lines[1:]), default=0)
        ):
            self._sections.heading(5, lines[0].strip())
            lines = lines[1:]
        if not lines:
            return
        least = min(map(measure_indent, lines))
        bare = [line.strip() for line in lines]
        if rows := split_rows(lines):
            add_table(self._sections, rows)
        elif least >= self._base + INDENTED and not ITEM.match(bare[0]) and not is_prose(bare):
            self._sections.add(BlockKind.CODE, "\n".join(line[least:] for line in lines))
        elif not all(map(RULE.fullmatch, bare)):
            self._add_text(lines)

    def _add_text(self, lines: Sequence[str]) -> None:
        """Add paragraphs and items; what stands before an item in one chunk is its lead."""
        group: Chunk = []
        for line in lines:
            if group and (ITEM.match(line.strip()) or not self._is_wrapped):
                self._add_group(group)
                group = []
            group.append(line)
        self._add_group(group)

    def _add_group(self, lines: Sequence[str]) -> None:
        bare = [" ".join(line.split()) for line in lines]
        item = ITEM.match(bare[0])
        if item is not None and len(bare[0]) > item.end():
            mark = BULLET if item["bullet"] else f"{item['number']} "
            said = join_lines([bare[0][item.end() :], *bare[1:]])
            self._sections.item(said, mark, self._deepen(measure_indent(lines[0])))
            return
        self._indents = []
        is_short = self._is_wrapped and max(map(len, bare)) * 2 < self._width
        text = "\n".join(bare) if is_short else join_lines(bare)
        self._sections.add(BlockKind.CAPTION if is_caption(text) else BlockKind.PARAGRAPH, text)

    def _deepen(self, indent: int) -> int:
        """Return how deep an item is below those before it."""
        while self._indents and self._indents[-1] > indent + 1:
            self._indents.pop()
        if not self._indents or indent > self._indents[-1] + 1:
            self._indents.append(indent)
        return len(self._indents) - 1


def join_lines(lines: Sequence[str]) -> str:
    """Return wrapped lines as one, with words that were broken at a line's end whole."""
    return HYPHEN.sub("-", "\n".join(lines).replace("\u2010\n", "")).replace("\n", " ")
