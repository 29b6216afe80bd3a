"""Walking: the blocks of a Word document in order."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from citations.formats.blocks import BULLET, BlockKind
from citations.formats.office.archive import Parts
from citations.formats.office.asides import add_comment, add_margins
from citations.formats.office.docx.runs import RunReader
from citations.formats.office.docx.styles import (
    CODE,
    HEADING,
    Numbering,
    ParagraphStyle,
    has_look,
    read_styles,
)
from citations.formats.office.docx.tables import read_cells
from citations.formats.office.docx.vocabulary import W, is_on, read_value
from citations.formats.office.drawings import add_drawing
from citations.formats.office.formulas import M
from citations.formats.parts import PartKind
from citations.formats.reading import ReadingLimits
from citations.formats.sections import Sections
from citations.formats.tables import add_table
from citations.formats.titles import can_be_title, find_heading, is_caption

AROUND = {f"{W}sdt", f"{W}sdtContent", f"{W}customXml", f"{W}ins", f"{W}moveTo"}
LEVELS = tuple("012345678")
# The level of headings by look, below those of styles. Bold counts unless more than this share of
# the first paragraphs is bold.
BY_LOOKS, LOOKED_AT, MOST_BOLD = 10, 200, 0.5


class BodyWalk:
    """Walks the blocks of the body in order and adds their text to the sections."""

    def __init__(self, package: Parts, main: str, limits: ReadingLimits) -> None:
        self.sections = Sections(limits)
        self.title = ""
        self._package = package
        self._styles = read_styles(package)
        self._numbering = Numbering(package)
        self._runs = RunReader(package, main, self.sections, hidden=limits.hidden)
        self._code: list[str] = []
        self._is_bold: bool | None = None
        self._is_begun = False

    def read(self, body: Any) -> None:
        if self._is_bold is None:
            first = list(islice(find_blocks(body, f"{W}p"), LOOKED_AT))
            sizes = [(len("".join(each.itertext())), has_look(each)) for each in first]
            bold = sum(size for size, is_told in sizes if is_told)
            self._is_bold = bold > MOST_BOLD * sum(size for size, _ in sizes)
        for block in find_blocks(body):
            if self.sections.full:
                return
            if block.tag == f"{W}tbl":
                self._end_code()
                self._table(block)
            else:
                self._paragraph(block)
            self._add_asides()
        self._end_code()

    def read_margins(self, kind: str, parts: Sequence[str]) -> None:
        """Add the text of headers or footers, each text once."""
        texts = (self._runs.text(self._package.xml(part)) for part in parts)
        add_margins(kind, texts, self.sections)
        self._add_asides()

    def read_other_notes(self) -> None:
        """Add the notes and comments without a reference."""
        self._runs.leave_notes()
        self._add_asides()

    def _add_asides(self) -> None:
        """Add the notes, boxes and drawings of the last paragraph."""
        asides, self._runs.asides = self._runs.asides, []
        for kind, label, content in asides:
            if kind == "box":
                self.sections.parts.count(PartKind.TEXT_BOX)
                self.read(content)
            elif kind == "drawing":
                add_drawing(self._package, content, self.sections)
            elif kind == "comment":
                add_comment(label, self._runs.text(content), self.sections)
            else:
                text = " ".join(self._runs.text(content).split())
                self.sections.parts.count(PartKind.NOTE)
                self.sections.add(BlockKind.FOOTNOTE, f"{label} {text}")

    def _paragraph(self, block: Any) -> None:
        style = self._styles.get(read_value(block, "pPr/pStyle"), ParagraphStyle())
        text = self._runs.text(block)
        if CODE.search(style.name) or has_look(block, is_mono=True):
            self._code += text.split("\n") if text.strip() or self._code else []
            return
        self._end_code()
        # Word numbers empty paragraphs, too.
        mark, depth = self._numbering.mark(block, style)
        if text := text.strip():
            self._line(block, text, style.name.lower(), mark, depth)
            self._is_begun = True

    def _line(self, block: Any, text: str, style: str, mark: str, depth: int) -> None:
        """Add a paragraph by its style, its number or its look."""
        level, heading = read_value(block, "pPr/outlineLvl"), HEADING.match(style)
        if style == "title" and not self.title:
            self.title = text
        elif heading or level in LEVELS:
            number = mark if mark != BULLET else ""
            self.sections.heading(int(heading[1] if heading else level), number + text)
        elif mark or style.startswith("list "):
            self.sections.item(text, mark or BULLET, depth)
        elif style == "caption" or is_caption(text):
            self.sections.add(BlockKind.CAPTION, text)
        elif block.find(f"{M}oMathPara") is not None and block.find(f"{W}r/{W}t") is None:
            self.sections.add(BlockKind.FORMULA, text)
        elif not self._is_bold and has_look(block) and (bold := find_heading(text)):
            if self._is_begun or not can_be_title(bold):
                self.sections.heading(BY_LOOKS, bold)
            else:
                self.title = bold
        else:
            self.sections.paragraph(text)

    def _end_code(self) -> None:
        self.sections.add(BlockKind.CODE, "\n".join(self._code))
        self._code = []

    def _table(self, table: Any) -> None:
        """Add the rows that weren't deleted; a frame around text is no table."""
        rows = [row for row in find_blocks(table, f"{W}tr") if not is_on(row, "trPr/del")]
        cells = [list(find_blocks(row, f"{W}tc")) for row in rows]
        if any(len(row) > 1 for row in cells):
            add_table(self.sections, read_cells(table, rows, cells, self._text_of_cell))
            return
        for row in cells:
            for cell in row:
                self.read(cell)

    def _text_of_cell(self, cell: Any) -> str:
        """Return the text of a cell as one line, with its numbers and inner tables."""
        texts = []
        for block in find_blocks(cell):
            if block.tag == f"{W}tbl":
                rows = (
                    map(self._text_of_cell, find_blocks(row, f"{W}tc"))
                    for row in find_blocks(block, f"{W}tr")
                )
                texts.append("; ".join(map(", ".join, rows)))
            else:
                style = self._styles.get(read_value(block, "pPr/pStyle"), ParagraphStyle())
                mark, _ = self._numbering.mark(block, style)
                texts.append(mark.removeprefix(BULLET) + self._runs.text(block))
        return " ".join(" ".join(texts).split())


def find_blocks(parent: Any, *tags: str) -> Iterator[Any]:
    """Yield the blocks in the element, including those in content controls."""
    wanted = tags or (f"{W}p", f"{W}tbl")
    pending = list(reversed(parent)) if parent is not None else []
    while pending:
        child = pending.pop()
        if child.tag in wanted:
            yield child
        elif child.tag in AROUND:
            pending += reversed(child)
