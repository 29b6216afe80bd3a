"""RTF: the text of a document by striprtf.

striprtf knows no headings and no rows, and drops notes and comments. Signs that occur in no text
are inserted into the file in their places.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from striprtf.striprtf import font_table_group, rtf_to_text

from citations.formats.blocks import BULLET, BlockKind
from citations.formats.cleaning import clean_title, split_names
from citations.formats.office import finish_reading
from citations.formats.office.asides import add_margins, format_hidden_text
from citations.formats.parts import PartKind, Reason
from citations.formats.reading import FileReading, Progress, ReadingLimits
from citations.formats.scripts import format_run
from citations.formats.sections import Sections
from citations.formats.tables import Cell, add_table
from citations.formats.titles import find_heading, is_caption

MOST_BYTES = 500  # bytes of the file per character of text
MOST_FONTS, MOST_ASIDES = 500, 2000
SAME_EDGE = 60  # twentieths of a point
# Pictures and embedded files as digits; text has no runs of that length.
DATA = re.compile(
    r"(?<![0-9a-f])(?:(?:[0-9a-f]{60,}+[\r\n]++){4,}+|[0-9a-f]{1000,}+)", re.IGNORECASE
)
# Noncharacters, which occur in no text.
CELL, ROW, ROW_END, HEADER, NOTE, HEADING, EDGE, ABOVE, RUN = map(chr, range(0xFDD0, 0xFDD9))
SIGNS = dict.fromkeys(map(ord, (CELL, ROW, ROW_END, HEADER, NOTE, HEADING, "\xa0")), " ") | {
    0x2011: "-"
}
WORDS = {
    "cell": CELL,
    "nestcell": " ",
    "trowd": ROW,
    "row": ROW_END,
    "trhdr": HEADER,
    "clvmrg": ABOVE,
    "line": "\u2028",
}
WORD = re.compile(rf"\\({'|'.join(WORDS)})(?![a-z]) ?")
EDGED = re.compile(r"\\cellx(-?\d{1,6})(?!\d) ?")
PLACED = re.compile(f"{ABOVE}|{EDGE}(-?\\d+){EDGE}")
DRAWN = re.compile(  # what is raised, lowered or struck out
    r"\\(super|sub|striked?)(?![a-z0-9]) ?"
    r"((?:\\[a-z]+-?\d* ?)*+)((?:[^\\{}]|\\'[0-9a-f]{2}){1,200}+)"
)
RUNS = re.compile(f"{RUN}(\\w+) ([^{RUN}]*){RUN}")
STYLE = re.compile(r"\{\\s(\d+)[^{}]*?(?:\\outlinelevel(\d)|heading (\d))", re.IGNORECASE)
STYLED = re.compile(r"\\s(\d+)(?!\d) ?|\\outlinelevel(\d) ?")
FONT = re.compile(r"\\f(\d{1,5})(?:\\[a-z]+-?\d* ?){0,9}?\\fcharset(\d{1,3})")
UNWRAPPED = re.compile(r"(?:\\\*)?\\(?:shpinst|shp|(shptxt)|pntext)(?![a-z]) ?")
UNSEEN = re.compile(r"\{([^{}]{0,200}?\\(deleted|v)(?![a-z0-9])[^{}]*)\}")
ASIDE = re.compile(r"\{(?:\\\*)?\\(header|footer|footnote|annotation|atnauthor)[lrf]?(?![a-z]) ?")
BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
COUNTED = (
    (PartKind.IMAGE, Reason.NO_TEXT, re.compile(r"\\pict(?![a-z])")),
    (PartKind.ATTACHMENT, Reason.UNSUPPORTED, re.compile(r"\\object(?![a-z])")),
    (PartKind.FIELD, Reason.UNSUPPORTED, re.compile(r"\\formfield(?![a-z])")),
    (PartKind.CHANGE, None, re.compile(r"\\(?:deleted|revised)(?![a-z0-9])")),
    (PartKind.TEXT_BOX, None, re.compile(r"\\shptxt(?![a-z])")),
)
TITLE, AUTHOR = (re.compile(rf"\{{\\{name} ([^{{}}]*)\}}") for name in ("title", "author"))
ITEM = re.compile(r"(?:[·•▪■§o-]|(\w{1,4}[.)]|\(\w{1,4}\)))\t\s*(.*)", re.DOTALL)
BLOCK = re.compile(f"{ROW}[^{ROW_END}]*+{ROW_END}?|[^\n{ROW}]++")


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of a file under its headings."""
    text = DATA.sub("", data.decode("latin-1"))[: limits.characters * MOST_BYTES]
    rich = RichText(text, Sections(limits), hidden=limits.hidden)
    title, author = (rich.line("".join(each.findall(text)[:1])) for each in (TITLE, AUTHOR))
    rich.read(text)
    described = FileReading(title=clean_title(title), authors=split_names(author))
    return finish_reading(described, rich.sections.title or rich.title or "", rich.sections)


class RichText:
    """The text of a file, and its headers, notes and comments."""

    def __init__(self, text: str, sections: Sections, *, hidden: bool) -> None:
        self.sections = sections
        self._hidden = hidden
        page = re.search(r"\\ansicpg\d+", text[:10_000])
        # Only the fonts' encodings: a pattern of striprtf is slow on font tables.
        self._fonts = font_table_group(text)
        fonts = dict(FONT.findall(self._fonts)[:MOST_FONTS])
        listed = "".join(f"\\f{number}\\fcharset{charset} x;" for number, charset in fonts.items())
        self._head = f"{page[0] if page else ''}{{\\fonttbl{listed}}}"
        self._levels = {style: int(at or int(of) - 1) + 1 for style, at, of in STYLE.findall(text)}
        self._asides: list[tuple[str, str]] = []
        self._rows: list[Row] = []
        self._notes = 0
        # The first line, if it reads as a title.
        self.title: str | None = None

    def read(self, text: str) -> None:
        """Add the text to the sections, with notes and comments after their paragraphs."""
        for kind, reason, pattern in COUNTED:
            self.sections.parts.count(kind, len(pattern.findall(text)), unread=reason)
        text = self._moved(self._marked(text.replace(self._fonts, "", 1)))
        self._add_margins("header")
        for found in BLOCK.finditer(self._plain(text)):
            if self.sections.full:
                break
            line, notes = self._noted(RUNS.sub(write_run, found[0]))
            if line.startswith(ROW):
                self._rows.append(read_row(line))
            elif line.strip():
                self._end_table()
                self._paragraph(line)
            for block, note in notes:
                self._end_table()
                self.sections.add(block, note)
        self._end_table()
        self.sections.leave_headings()
        self._add_margins("footer")

    def line(self, text: str) -> str:
        """Return the text of a part of the file as one line."""
        return " ".join(strip_signs(self._plain(text)).split()) if text else ""

    def _plain(self, text: str) -> str:
        found = rtf_to_text(f"{{\\rtf1{self._head}{text}}}", errors="replace")
        return str(found.encode("utf-16", "surrogatepass").decode("utf-16", "ignore"))

    def _marked(self, text: str) -> str:
        """Mark headings, cells and hidden text, and unwrap text boxes."""
        text = re.sub(r"\\fldinst\{", r"\\fldinst {", text)  # striprtf is slow without the space
        text = UNSEEN.sub(self._unseen, text)
        text = UNWRAPPED.sub(lambda found: "\\par " if found[1] else "", text)
        text = STYLED.sub(self._heading, text)
        text = DRAWN.sub(lambda run: f"{run[2]}{sign(RUN)}{run[1]} {run[3]}{sign(RUN)}", text)
        text = EDGED.sub(lambda found: f"{sign(EDGE)}{found[1]}{sign(EDGE)}", text)
        return WORD.sub(lambda found: sign(WORDS[found[1]]), text)

    def _unseen(self, found: re.Match[str]) -> str:
        text = re.sub(r"\\[a-z]+-?\d* ?", "", found[1])
        if found[2] == "deleted":
            return ""
        # Formatting without text, or a group that is hidden only in part.
        if not text.strip() or "\\v0" in found[1]:
            return found[0]
        marked = format_hidden_text(text, self.sections, is_read=self._hidden)
        return f"{{[hidden: {found[1]}]}}" if marked else ""

    def _heading(self, found: re.Match[str]) -> str:
        level = int(found[2]) + 1 if found[2] else self._levels.get(found[1], 0)
        return f"{found[0]} {sign(HEADING)}{level}" if 0 < level < 7 else found[0]

    def _moved(self, text: str) -> str:
        """Move notes, comments and headers out of the text; leave a mark for each."""
        kept: list[str] = []
        at = 0
        for found in ASIDE.finditer(text):
            if found.start() < at or len(self._asides) >= MOST_ASIDES:  # within another one
                continue
            depth, end = 1, len(text)
            for brace in BRACE.finditer(text, found.end()):
                depth += {"{": 1, "}": -1}.get(brace[0], 0)
                if not depth:
                    end = brace.start()
                    break
            kept += [text[at : found.start()], f"{sign(NOTE)}{len(self._asides)}{sign(NOTE)}"]
            self._asides.append((found[1], text[found.end() : end]))
            at = end + 1
        return "".join(kept) + text[at:]

    def _add_margins(self, kind: str) -> None:
        texts = (self.line(text) for found, text in self._asides if found == kind)
        add_margins(kind, texts, self.sections)

    def _noted(self, line: str) -> tuple[str, list[tuple[BlockKind, str]]]:
        """Return a line with the marks of its notes, and its notes and comments."""
        notes: list[tuple[BlockKind, str]] = []
        author, pieces = "?", re.split(f"{NOTE}(\\d+){NOTE}", line)
        for place in range(1, len(pieces), 2):
            at, pieces[place] = int(pieces[place]), ""
            kind, text = self._asides[at]
            if kind not in ("header", "footer"):
                self._asides[at] = "", ""  # each is read once
            if kind == "atnauthor":
                author = self.line(text) or "?"
            elif kind == "annotation":
                self.sections.parts.count(PartKind.COMMENT)
                notes.append((BlockKind.PARAGRAPH, f"Comment of {author}: {self.line(text)}"))
            elif kind == "footnote":
                self.sections.parts.count(PartKind.NOTE)
                self._notes += 1
                pieces[place] = f"[{self._notes}]"
                notes.append((BlockKind.FOOTNOTE, f"[{self._notes}] {self.line(text)}"))
        return "".join(pieces), notes

    def _paragraph(self, line: str) -> None:
        """Add a paragraph, which may be marked as a heading."""
        text = strip_signs(line).strip()
        if self.title is None:
            self.title = find_heading(text)
        if HEADING in line:
            self.sections.heading(int(line.partition(HEADING)[2][:1]), text)
        elif item := ITEM.fullmatch(text):
            self.sections.item(item[2], f"{item[1]} " if item[1] else BULLET)
        else:
            self.sections.add(BlockKind.CAPTION if is_caption(text) else BlockKind.PARAGRAPH, text)

    def _end_table(self) -> None:
        rows, self._rows = self._rows, []
        if rows:
            add_table(self.sections, place_cells(rows))


@dataclass
class Row:
    """The texts of a row, the right edges of its cells, and which go on with the cell above."""

    texts: list[str]
    edges: list[int]
    above: set[int]
    is_header: bool


def read_row(line: str) -> Row:
    row = Row([], [], set(), HEADER in line)
    for found in PLACED.finditer(line):
        if found[0] == ABOVE:
            row.above.add(len(row.edges))
        elif not row.edges or int(found[1]) > row.edges[-1]:  # Word says them twice
            row.edges.append(int(found[1]))
    line = PLACED.sub("", line).translate({ord(ROW_END): None}).removesuffix(CELL)
    row.texts = [text.translate(SIGNS) for text in line.split(CELL)]
    return row


def place_cells(rows: Sequence[Row]) -> Iterator[list[Cell]]:
    """Yield the cells of each row, with the columns that they cover and what goes on from above."""
    grid: list[int] = []
    for edge in sorted({edge for row in rows for edge in row.edges}):
        grid += [edge] if not grid or edge - grid[-1] > SAME_EDGE else []
    over: dict[int, str] = {}
    for row in rows:
        cells: list[Cell] = []
        left = 0
        for at, text in enumerate(row.texts):
            right = bisect_right(grid, row.edges[at]) if at < len(row.edges) else left + 1
            over[right] = over.get(right, "") if at in row.above else text
            cells.append(Cell(over[right], 1, max(right - left, 1), row.is_header))
            left = right
        yield cells


def write_run(found: re.Match[str]) -> str:
    base = found.string[max(found.start() - 20, 0) : found.start()]
    return format_run(base, found[2], found[1], is_struck=found[1].startswith("strike"))


def strip_signs(text: str) -> str:
    """Remove the inserted signs from a text."""
    return re.sub(f"{HEADING}\\d", "", text).translate(SIGNS)


def sign(text: str) -> str:
    """Return a character in RTF's spelling, with the fallback that it requires."""
    return f"{{\\uc1\\u{(ord(text) + 0x8000) % 0x10000 - 0x8000}?}}"
