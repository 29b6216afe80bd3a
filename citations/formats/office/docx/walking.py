"""Walking: the blocks of a Word document in order."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from citations.formats.blocks import BlockKind
from citations.formats.captions import is_caption
from citations.formats.office.archive import Parts
from citations.formats.office.docx.runs import NoteNumbers, is_bold, is_mono, text_of_run
from citations.formats.office.docx.styles import (
    CODE,
    HEADING,
    Numbering,
    ParagraphStyle,
    level_of,
    styles,
)
from citations.formats.office.docx.vocabulary import M, W, is_on, value
from citations.formats.reading import ReadingLimits
from citations.formats.sections import Sections
from citations.formats.titles import can_be_title, heading_in

LIST_STYLE = re.compile(r"list\b", re.I)
AROUND = {f"{W}sdt", f"{W}sdtContent", f"{W}customXml", f"{W}ins", f"{W}moveTo"}
NOTES = {"footnote": "word/footnotes.xml", "endnote": "word/endnotes.xml"}
FIRST_ROW = 0x20  # of a table's look, as bits
FIGURES = re.compile(r"[-+−$€£(]*[\d.,]+[%)]*")
YEAR = re.compile(r"(?:19|20)\d\d")
MOST_SPANNED = 50
# Below all headings that styles make; where so much of the first paragraphs is bold, that tells
# nothing.
BY_LOOKS, LOOKED_AT, MOST_BOLD = 10, 200, 0.5


class BodyWalk:
    """Walks the blocks of the body in order and gives their text to the sections."""

    def __init__(self, parts: Parts, limits: ReadingLimits) -> None:
        self.sections = Sections(limits)
        self.title = ""
        self._styles = styles(parts)
        self._numbering = Numbering.of(parts)
        self._marks = NoteNumbers()
        self._notes = {
            (kind, note.get(f"{W}id", f"{at}")): note
            for kind, name in NOTES.items()
            if parts.has(name)
            for at, note in enumerate(parts.xml(name))
            if not note.get(f"{W}type")  # the lines between text and notes are notes, too
        }
        self._code: list[str] = []
        self._is_bold: bool | None = None
        self._is_begun = False

    def read(self, body: Any) -> None:
        if self._is_bold is None:
            first = list(islice(blocks(body, f"{W}p"), LOOKED_AT))
            sizes = [(len("".join(each.itertext())), is_bold(each)) for each in first]
            bold = sum(size for size, is_told in sizes if is_told)
            self._is_bold = bold > MOST_BOLD * sum(size for size, _ in sizes)
        for block in blocks(body):
            if self.sections.full:
                return
            if block.tag == f"{W}tbl":
                self._end_code()
                self._table(block)
            else:
                self._paragraph(block)
            for kind, key in self._marks.taken():
                if (note := self._notes.get((kind, key))) is not None:
                    text = " ".join(text_of_run(note, self._marks).split())
                    label = self._marks.number(kind, key)
                    self.sections.add(BlockKind.FOOTNOTE, f"[{label}] {text}")
        self._end_code()

    def read_other_notes(self) -> None:
        """Add the notes that no mark names."""
        for (kind, key), note in self._notes.items():
            if not self._marks.is_known(kind, key):
                self.sections.add(BlockKind.FOOTNOTE, text_of_run(note, self._marks))

    def _paragraph(self, block: Any) -> None:
        properties = block.find(f"{W}pPr")
        style = self._styles.get(value(properties, "pStyle"), ParagraphStyle())
        text = text_of_run(block, self._marks)
        if CODE.search(style.name) or style.is_mono or is_mono(block):
            self._code += text.split("\n") if text.strip() or self._code else []
            return
        self._end_code()
        text = text.strip()
        if not text:
            return
        mark, depth = self._mark(properties, style)
        level = value(properties, "outlineLvl")
        heading = HEADING.match(style.name)
        if style.name.lower() == "title" and not self.title:
            self.title = text
        elif heading or (level.isdecimal() and int(level) < 9):
            number = mark if mark and mark != "- " else ""
            self.sections.heading(int(heading[1] if heading else level), number + text)
        elif mark:
            self.sections.item(text, mark, depth)
        elif LIST_STYLE.match(style.name):
            self.sections.item(text, "- ")
        elif style.name.lower() == "caption" or is_caption(text):
            self.sections.add(BlockKind.CAPTION, text)
        elif is_formula(block):
            self.sections.add(BlockKind.FORMULA, text)
        elif bold := self._bold_heading(block, text):
            if self._is_begun or not can_be_title(bold):
                self.sections.heading(BY_LOOKS, bold)
            else:
                self.title = bold
        else:
            self.sections.paragraph(text)
        self._is_begun = True

    def _bold_heading(self, block: Any, text: str) -> str:
        """Return the text of a bold line of its own, unless much of the document is bold."""
        if self._is_bold or "\n" in text or "\t" in text or not is_bold(block):
            return ""
        return heading_in(text)

    def _mark(self, properties: Any, style: ParagraphStyle) -> tuple[str, int]:
        """Return the number or bullet of a paragraph, if it has one, and how deep its list is."""
        own = None if properties is None else properties.find(f"{W}numPr")
        list_id = value(own, "numId") or style.list_id
        if not list_id or list_id == "0":  # which takes a paragraph out of its style's list
            return "", 0
        depth = level_of(value(own, "ilvl")) if own is not None else style.level
        return self._numbering.mark(list_id, depth), depth

    def _end_code(self) -> None:
        self.sections.add(BlockKind.CODE, "\n".join(self._code))
        self._code = []

    # --- Tables -----------------------------------------------------------------------------------

    def _table(self, table: Any) -> None:
        """Add each row; what stands in a cell, an inner table too, is one text."""
        rows = list(blocks(table, f"{W}tr"))
        if all(sum(1 for _ in blocks(row, f"{W}tc")) < 2 for row in rows):
            for row in rows:  # a frame around text
                for cell in blocks(row, f"{W}tc"):
                    self.read(cell)
            return
        cells = [self._cells(row) for row in rows]
        headers = repeated_rows(table, rows, cells)
        for at, row in enumerate(cells):
            self.sections.row(row, is_header=at < headers)

    def _cells(self, row: Any) -> list[str]:
        found: list[str] = []
        for cell in blocks(row, f"{W}tc"):
            properties = cell.find(f"{W}tcPr")
            merged = None if properties is None else properties.find(f"{W}vMerge")
            goes_on = merged is not None and merged.get(f"{W}val") != "restart"
            found.append("" if goes_on else " ".join(text_of_run(cell, self._marks).split()))
            spans = value(properties, "gridSpan")
            count = int(spans) if spans.isdecimal() and len(spans) < 4 else 1
            found += [""] * (min(count, MOST_SPANNED) - 1)
        return found


def repeated_rows(table: Any, rows: list[Any], cells: list[list[str]]) -> int:
    """Return how many of the first rows are repeated on each page, or look like a header."""
    count = 0
    while count < len(rows) and is_on(rows[count].find(f"{W}trPr"), "tblHeader"):
        count += 1
    if count or len(rows) < 2:
        return count if count < len(rows) else 0
    look = table.find(f"{W}tblPr/{W}tblLook")
    if look is None:
        return 0
    bits = look.get(f"{W}val", "0")
    first = look.get(f"{W}firstRow")
    is_set = first == "1" if first else len(bits) < 6 and bits.isalnum() and has_bit(bits)
    has_figures = any(FIGURES.fullmatch(cell) and not YEAR.fullmatch(cell) for cell in cells[0])
    return int(is_set and sum(map(bool, cells[0])) > 1 and not has_figures)


def has_bit(bits: str) -> bool:
    try:
        return bool(int(bits, 16) & FIRST_ROW)
    except ValueError:
        return False


def is_formula(block: Any) -> bool:
    """Return whether a paragraph is a formula and nothing else."""
    return block.find(f"{M}oMathPara") is not None and block.find(f"{W}r/{W}t") is None


def blocks(parent: Any, *tags: str) -> Iterator[Any]:
    """Yield the blocks in the element, those that stand in content controls too."""
    wanted = tags or (f"{W}p", f"{W}tbl")
    pending = list(reversed(parent)) if parent is not None else []
    while pending:
        child = pending.pop()
        if child.tag in wanted:
            yield child
        elif child.tag in AROUND:
            pending += reversed(child)
