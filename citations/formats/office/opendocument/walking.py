"""Walking: the blocks of a text in order, with its lists, tables, text boxes and notes."""

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from citations.formats.blocks import BlockKind
from citations.formats.captions import is_caption
from citations.formats.office.opendocument.styles import ListNumbers, Styles, mark_of
from citations.formats.office.opendocument.vocabulary import (
    DRAW,
    MOST_REPEATED,
    OFFICE,
    TABLE,
    TEXT,
    number_of,
)
from citations.formats.scripts import written_script
from citations.formats.sections import Sections

SPACE = re.compile(r"[ \t\r\n]+")
PARAGRAPHS = (f"{TEXT}p", f"{TEXT}h")
# What is drawn or noted within a paragraph is no part of its line.
ASIDE = frozenset(
    [f"{OFFICE}annotation", f"{TEXT}note", f"{TEXT}ruby-text", f"{TEXT}hidden-text"]
    + [f"{DRAW}{name}" for name in "frame custom-shape g rect line text-box a object".split()]
)
# Lists of what stands elsewhere in the text, and what was deleted.
UNSEEN = frozenset(
    f"{TEXT}{name}"
    for name in (
        *("table-of-content", "alphabetical-index", "illustration-index", "table-index"),
        *("object-index", "user-index", "tracked-changes", "sequence-decls", "variable-decls"),
    )
) | {f"{OFFICE}annotation", f"{OFFICE}forms"}
TABLE_HEADING = "Table Heading"
MOST_SPANNED = 50


class TextWalk:
    """Gives the blocks of a text to the sections."""

    def __init__(self, styles: Styles, sections: Sections) -> None:
        self.title = ""
        self._sections = sections
        self._styles = styles
        self._headings = ListNumbers(styles.outline)
        self._lists: dict[str, ListNumbers] = {}
        self._code: list[str] = []
        # The notes that the last paragraph named.
        self._notes: list[tuple[str, Any]] = []
        self._note_count = 0

    def add(self, parent: Any) -> None:
        """Add the blocks in an element; the parser has bounded how deep they may stand."""
        for block in parent:
            if self._sections.full:
                return
            if block.tag in UNSEEN or block.get(f"{TEXT}display") == "none":
                continue
            if block.tag != f"{TEXT}p":
                self._end_code()
            if block.tag == f"{TEXT}h":
                self._heading(block)
            elif block.tag == f"{TEXT}p":
                self._paragraph(block)
            elif block.tag == f"{TEXT}list":
                self._list(block, 1, "")
            elif block.tag == f"{TABLE}table":
                self._table(block)
            elif isinstance(block.tag, str):
                self.add(block)
        self._end_code()

    def _heading(self, block: Any) -> None:
        level = min(number_of(block.get(f"{TEXT}outline-level")), 10)
        is_counted = block.get(f"{TEXT}is-list-header") != "true"
        number = self._headings.mark(level) if is_counted else ""
        text = self._text(block)
        if text:
            self._sections.heading(level, number + text)
        self._add_aside(block)

    def _paragraph(self, block: Any) -> None:
        if self._styles.is_hidden(block):
            return
        if self._styles.is_code(block):
            self._code += self._raw(block).split("\n")
            return
        self._end_code()
        text = self._text(block)
        names = [name.lower() for name in self._styles.names(block)]
        if text and "title" in names and not self.title:
            self.title = text
        elif text:
            is_titled = "caption" in names or is_caption(text)
            self._sections.add(BlockKind.CAPTION if is_titled else BlockKind.PARAGRAPH, text)
        self._add_aside(block)

    def _add_aside(self, block: Any) -> None:
        """Add the notes that a paragraph named, and the text boxes that stand at it."""
        notes, self._notes = self._notes, []
        for mark, body in notes:
            text = " ".join(self._text(each) for each in paragraphs_of(body))
            self._sections.add(BlockKind.FOOTNOTE, f"[{mark}] {text}")
        for child in block:
            if child.tag in ASIDE and child.tag.startswith(DRAW):
                self.add(child)

    def _end_code(self) -> None:
        code, self._code = self._code, []
        self._sections.add(BlockKind.CODE, "\n".join(code))

    # --- Text -------------------------------------------------------------------------------------

    def _text(self, block: Any) -> str:
        lines = (" ".join(line.split()) for line in self._raw(block).split("\n"))
        return "\n".join(lines).strip()

    def _raw(self, block: Any) -> str:
        """Return the text of a paragraph, with spaces as they are shown."""
        words: list[str] = [SPACE.sub(" ", block.text or "")]
        raised: list[tuple[Any, int, str]] = []
        walker = etree.iterwalk(block, events=("start", "end"))
        for event, element in walker:
            if element is block:
                continue
            tag = element.tag
            if event == "end":
                if raised and raised[-1][0] is element:
                    _, at, place = raised.pop()
                    script = "".join(words[at:]).strip()
                    base = "".join(words[max(at - 3, 0) : at])
                    written = written_script(base, script, is_raised=place == "super")
                    words[at:] = [written if script and len(script) < 20 else script]
                words.append(SPACE.sub(" ", element.tail or ""))
            elif tag == f"{TEXT}note":
                words.append(f"[{self._noted(element)}]")
                walker.skip_subtree()
            elif tag in ASIDE or (tag == f"{TEXT}span" and self._styles.is_hidden(element)):
                walker.skip_subtree()
            else:
                if tag == f"{TEXT}span" and (place := self._styles.position(element)):
                    raised.append((element, len(words), place))
                words.append(sign_of(element) or SPACE.sub(" ", element.text or ""))
        return "".join(words)

    def _noted(self, note: Any) -> str:
        self._note_count += 1
        body = note.find(f"{TEXT}note-body")
        mark = (note.findtext(f"{TEXT}note-citation") or "").strip()[:10] or f"{self._note_count}"
        if body is not None:
            self._notes.append((mark, body))
        return mark

    # --- Lists ------------------------------------------------------------------------------------

    def _list(self, block: Any, level: int, above: str) -> None:
        name = block.get(f"{TEXT}style-name") or above
        numbers = self._lists.setdefault(name, ListNumbers(self._styles.lists.get(name, {})))
        goes_on = block.get(f"{TEXT}continue-numbering") == "true" or block.get(
            f"{TEXT}continue-list"
        )
        if not goes_on:
            numbers.begin(level)
        for item in block:
            self._item(item, level, name, numbers)

    def _item(self, item: Any, level: int, name: str, numbers: ListNumbers) -> None:
        start = item.get(f"{TEXT}start-value")
        mark = ""
        if item.tag == f"{TEXT}list-item":
            mark = mark_of(numbers.mark(level, number_of(start) if start else None))
        for child in item:
            if child.tag == f"{TEXT}list":
                self._list(child, level + 1, name)
            elif child.tag == f"{TEXT}h":
                self._heading(child)
            elif child.tag == f"{TEXT}p" and mark:
                self._sections.item(self._text(child), mark, level - 1)
                self._add_aside(child)
                mark = ""
            elif child.tag == f"{TEXT}p":
                self._paragraph(child)
            elif isinstance(child.tag, str):
                self.add([child])

    # --- Tables -----------------------------------------------------------------------------------

    def _table(self, table: Any) -> None:
        rows = list(rows_of(table))
        if all(sum(1 for _ in cells_of(row)) < 2 for row, _ in rows):
            for row, _ in rows:  # a frame around text
                for cell in cells_of(row):
                    self.add(cell)
            return
        for at, (row, is_header) in enumerate(rows):
            headed = is_header or (at == 0 and len(rows) > 1 and self._is_headed(row))
            self._sections.row(self._texts(row), is_header=headed)
        notes, self._notes = self._notes, []
        for mark, body in notes:
            text = " ".join(self._text(each) for each in paragraphs_of(body))
            self._sections.add(BlockKind.FOOTNOTE, f"[{mark}] {text}")

    def _texts(self, row: Any) -> list[str]:
        """Return what the cells say; what stands in one, an inner table too, is one text."""
        found: list[str] = []
        for cell in cells_of(row):
            text = " ".join(filter(None, map(self._text, paragraphs_of(cell))))
            found += [" ".join(text.split())] * min(
                number_of(cell.get(f"{TABLE}number-columns-repeated")), MOST_SPANNED
            )
        return found

    def _is_headed(self, row: Any) -> bool:
        filled = [each for each in paragraphs_of(row) if self._text(each)]
        self._notes.clear()
        return bool(filled) and all(TABLE_HEADING in self._styles.names(each) for each in filled)


def sign_of(element: Any) -> str:
    """Return what an element stands for that has no text."""
    if element.tag == f"{TEXT}s":
        return " " * min(number_of(element.get(f"{TEXT}c")), MOST_REPEATED)
    return {f"{TEXT}tab": " ", f"{TEXT}line-break": "\n"}.get(element.tag, "")


def paragraphs_of(parent: Any) -> Iterator[Any]:
    """Yield the paragraphs in an element, those of inner lists and tables too."""
    for child in parent:
        if child.tag in PARAGRAPHS:
            yield child
        elif child.tag not in UNSEEN and isinstance(child.tag, str):
            yield from paragraphs_of(child)


def rows_of(table: Any, *, is_header: bool = False) -> Iterator[tuple[Any, bool]]:
    """Yield the rows of a table, and whether they are repeated on each page."""
    for child in table:
        if child.tag == f"{TABLE}table-row":
            yield child, is_header
        elif child.tag in (f"{TABLE}table-rows", f"{TABLE}table-row-group"):
            yield from rows_of(child, is_header=is_header)
        elif child.tag == f"{TABLE}table-header-rows":
            yield from rows_of(child, is_header=True)


def cells_of(row: Any) -> Iterator[Any]:
    return row.iterchildren(f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
