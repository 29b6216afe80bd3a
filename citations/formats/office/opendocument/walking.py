"""Walking: the blocks of a text in order, with lists, tables, text boxes and drawings."""

import posixpath
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from citations.formats.blocks import BULLET, BlockKind
from citations.formats.office import DC, parse_number
from citations.formats.office.archive import Parts
from citations.formats.office.asides import add_comment, add_margins, format_image_text
from citations.formats.office.numbering import ListCounts
from citations.formats.office.opendocument.lines import LineReader
from citations.formats.office.opendocument.styles import Styles
from citations.formats.office.opendocument.vocabulary import (
    CHART,
    DRAW,
    HREF,
    MOST_REPEATED,
    OFFICE,
    PRESENTATION,
    STYLE,
    SVG,
    TABLE,
    TEXT,
)
from citations.formats.parts import PartKind, Reason
from citations.formats.sections import Sections
from citations.formats.tables import Cell, add_table
from citations.formats.titles import is_caption

PARAGRAPHS = (f"{TEXT}p", f"{TEXT}h")
# Indexes of other text, and deleted text.
UNSEEN = frozenset(
    f"{TEXT}{name}"
    for name in (
        *("table-of-content", "alphabetical-index", "illustration-index", "table-index"),
        *("object-index", "user-index", "tracked-changes", "sequence-decls", "variable-decls"),
    )
) | {f"{OFFICE}forms"}
TABLE_HEADING = "Table Heading"
FORMULA = ".//{http://www.w3.org/1998/Math/MathML}annotation"


class TextWalk:
    """Adds the blocks of a text to the sections."""

    def __init__(
        self, package: Parts, root: Any, styles: Styles, sections: Sections, *, hidden: bool
    ) -> None:
        self.title = ""
        self.sections = sections
        self.styles = styles
        self._package = package
        self.lines = LineReader(root, styles, sections, hidden=hidden)
        self._headings = ListCounts()
        self._lists: dict[str, ListCounts] = {}
        self._code: list[str] = []
        # Objects that were read.
        self._objects: set[str] = set()
        self._kinds: dict[str, Callable[[Any], None]] = {
            f"{TEXT}h": self._heading,
            f"{TEXT}p": self._paragraph,
            f"{TEXT}list": self._list,
            f"{TABLE}table": self._table,
            f"{OFFICE}annotation": self._annotation,
            f"{DRAW}frame": self._frame,
            f"{DRAW}control": lambda place: sections.paragraph(self.lines.control(place)),
        }

    def add(self, parent: Any) -> None:
        """Add the blocks in an element; the parser bounds their depth."""
        for block in parent:
            if self.sections.full:
                return
            if block.tag in UNSEEN or not isinstance(block.tag, str):
                continue
            if block.tag != f"{TEXT}p":
                self._end_code()
            if block.get(f"{TEXT}display") == "none":
                self.sections.paragraph(self.lines.hidden(" ".join(block.itertext())))
            else:
                self._kinds.get(block.tag, self.add)(block)
        self._end_code()

    def add_margins(self, kind: str, counted: Sequence[str] = ()) -> None:
        """Add the headers or footers of pages, each text once, without sides that have counted
        fields.
        """
        found = [each for each in self.styles.margins if each.tag.startswith(f"{STYLE}{kind}")]
        shown = [each for each in found if each.get(f"{STYLE}display") != "false"]
        if counted:
            sides = [side for each in shown for side in each]
            shown = [side for side in sides if next(side.iter(*counted), None) is None]
        add_margins(kind, map(self.text_in, shown), self.sections)
        self._add_asides()

    def text_in(self, element: Any) -> str:
        """Return the text of all paragraphs in an element, or of one, as one line."""
        own = [element] if element.tag in PARAGRAPHS else list_paragraphs(element)
        return " ".join(" ".join(map(self.lines.text, own)).split())

    def _heading(self, block: Any) -> None:
        level = min(parse_number(block.get(f"{TEXT}outline-level")), 10)
        is_counted = block.get(f"{TEXT}is-list-header") != "true"
        number = self._headings.mark(self.styles.outline, level) if is_counted else ""
        if text := self.lines.text(block):
            self.sections.heading(level, number.removeprefix(BULLET) + text)
        self._add_asides()

    def _paragraph(self, block: Any) -> None:
        if self.styles.is_hidden(block):
            self.sections.paragraph(self.lines.hidden("".join(block.itertext())))
            return
        if self.styles.is_code(block):
            self._code += self.lines.raw(block).split("\n")
            return
        self._end_code()
        text = self.lines.text(block)
        names = [name.lower() for name in self.styles.names(block)]
        if text and "title" in names and not self.title:
            self.title = text
        elif text:
            is_titled = "caption" in names or is_caption(text)
            self.sections.add(BlockKind.CAPTION if is_titled else BlockKind.PARAGRAPH, text)
        self._add_asides()

    def _add_asides(self) -> None:
        """Add the notes and drawings of the last paragraph."""
        asides, self.lines.asides = self.lines.asides, []
        for mark, element in asides:
            if mark:
                self.sections.add(BlockKind.FOOTNOTE, f"[{mark}] {self.text_in(element)}")
            else:
                self.add([element])

    def _annotation(self, block: Any) -> None:
        add_comment(block.findtext(f"{DC}creator"), self.text_in(block), self.sections)

    def _end_code(self) -> None:
        code, self._code = self._code, []
        self.sections.add(BlockKind.CODE, "\n".join(code))

    # --- Lists ------------------------------------------------------------------------------------

    def _list(self, block: Any, level: int = 1, above: str = "") -> None:
        name = block.get(f"{TEXT}style-name") or above
        counts = self._lists.setdefault(name, ListCounts())
        goes_on = block.get(f"{TEXT}continue-numbering") == "true"
        if not goes_on and not block.get(f"{TEXT}continue-list"):
            counts.begin(level)
        for item in block:
            mark = ""
            if item.tag == f"{TEXT}list-item":
                start = item.get(f"{TEXT}start-value")
                count = parse_number(start) if start else None
                mark = counts.mark(self.styles.lists.get(name, {}), level, count)
            for child in item:
                if child.tag == f"{TEXT}list":
                    self._list(child, level + 1, name)
                elif child.tag == f"{TEXT}p" and mark:
                    self.sections.item(self.lines.text(child), mark, level - 1)
                    self._add_asides()
                    mark = ""
                else:
                    self.add([child])

    # --- Tables -----------------------------------------------------------------------------------

    def _table(self, table: Any) -> None:
        rows = list(read_rows(table))
        if all(sum(1 for _ in read_cells(row)) < 2 for row, _ in rows):
            for row, _ in rows:  # a frame around text
                for cell in read_cells(row):
                    self.add(cell)
            return
        add_table(self.sections, self._cells(rows))
        self._add_asides()

    def _cells(self, rows: list[tuple[Any, bool]]) -> list[list[Cell]]:
        """Return the cells of each row; a cell's content, including inner tables, is one text."""
        found: list[list[Cell]] = []
        for at, (row, is_header) in enumerate(rows):
            headed = is_header or (at == 0 and len(rows) > 1 and self._is_headed(row))
            found.append([])
            for cell in row.iterchildren(f"{TABLE}table-cell"):
                down, across, times = (
                    parse_number(cell.get(f"{TABLE}number-{name}"))
                    for name in ("rows-spanned", "columns-spanned", "columns-repeated")
                )
                shown = Cell(self.text_in(cell), down, across, headed)
                found[-1] += [shown] * min(times, MOST_REPEATED)
        return found

    def _is_headed(self, row: Any) -> bool:
        filled = [each for each in list_paragraphs(row) if "".join(each.itertext()).strip()]
        return bool(filled) and all(TABLE_HEADING in self.styles.names(each) for each in filled)

    # --- Drawings ---------------------------------------------------------------------------------

    def _frame(self, frame: Any) -> None:
        """Add a box, a chart or a formula; for a picture, its description."""
        inside = {child.tag: child for child in frame}
        if f"{DRAW}object" in inside or f"{DRAW}object-ole" in inside:
            self._object(inside.get(f"{DRAW}object"))
        elif f"{DRAW}image" not in inside or f"{TABLE}table" in inside:  # a table's image
            is_box = f"{DRAW}text-box" in inside and not frame.get(f"{PRESENTATION}class")
            self.sections.parts.count(PartKind.TEXT_BOX, int(is_box))
            self.add(frame)
        else:
            said = frame.findtext(f"{SVG}desc") or frame.findtext(f"{SVG}title")
            self.sections.paragraph(format_image_text(said, self.sections))

    def _object(self, drawn: Any) -> None:
        """Add the data of a chart or the text of a formula; count other embedded files."""
        href = "" if drawn is None else drawn.get(HREF, "")
        part = posixpath.join(posixpath.normpath(href), "content.xml")
        is_new = href and self._package.has(part) and part not in self._objects
        root = self._package.xml(part) if is_new else None
        self._objects.add(part)
        chart = None if root is None else next(root.iter(f"{CHART}chart"), None)
        formula = None if root is None else root.findtext(FORMULA)
        if formula:
            self.sections.add(BlockKind.FORMULA, formula)
        elif chart is None:
            self.sections.parts.count(PartKind.ATTACHMENT, unread=Reason.UNSUPPORTED)
        else:
            self._chart(chart)

    def _chart(self, chart: Any) -> None:
        title = " ".join(map(self.text_in, chart.iterchildren(f"{CHART}title")))
        tables = list(chart.iterchildren(f"{TABLE}table"))
        reason = None if tables else Reason.NO_VALUE
        self.sections.parts.count(PartKind.CHART, unread=reason)
        for table in tables:
            cells = self._cells(list(read_rows(table)))
            if cells and cells[0] and not cells[0][0].text:
                cells[0][0] = Cell("Category", is_header=cells[0][0].is_header)
            add_table(self.sections, cells, caption=f"Chart: {title}" if title else "Chart")


def list_paragraphs(parent: Any) -> Iterator[Any]:
    """Yield the paragraphs in an element, including those of inner lists and tables."""
    for child in parent:
        if child.tag in PARAGRAPHS:
            yield child
        elif child.tag not in (*UNSEEN, f"{OFFICE}annotation") and isinstance(child.tag, str):
            yield from list_paragraphs(child)


def read_rows(table: Any, *, is_header: bool = False) -> Iterator[tuple[Any, bool]]:
    """Yield the rows of a table, and whether they repeat on each page."""
    for child in table:
        if child.tag == f"{TABLE}table-row":
            yield child, is_header
        elif child.tag in (f"{TABLE}table-rows", f"{TABLE}table-row-group"):
            yield from read_rows(child, is_header=is_header)
        elif child.tag == f"{TABLE}table-header-rows":
            yield from read_rows(child, is_header=True)


def read_cells(row: Any) -> Iterator[Any]:
    return row.iterchildren(f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
