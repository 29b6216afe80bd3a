"""Tables of a page: rows of cells, those that span several in their place."""

from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from citations.formats.tables import Cell

MOST_SPANNED, MOST_ROWS = 50, 1000
LOOKED_AT = 2000  # elements of a table
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
MOST_BLOCKS = 2  # paragraphs and the like in one cell


@dataclass
class Grid:
    """A table as far as it is read."""

    rows: list[list[Cell]] = field(default_factory=list)
    caption: str = ""
    _in_head: bool = False

    def begin_row(self, element: Any) -> None:
        parent = element.getparent()
        self._in_head = parent is not None and parent.tag == "thead"
        self.rows.append([])

    def add(self, element: Any, text: str) -> None:
        """Add a cell to the last row."""
        if not self.rows:
            self.rows.append([])
        columns = spanned(element, "colspan", MOST_SPANNED)
        rows = spanned(element, "rowspan", MOST_ROWS)
        is_header = element.tag == "th" or self._in_head
        self.rows[-1].append(Cell(text, rows, columns, is_header))


def spanned(element: Any, name: str, most: int) -> int:
    value = element.get(name, "")
    return min(max(int(value), 1), most) if value.isdecimal() and len(value) < 6 else 1


def is_layout(table: Any) -> bool:
    """Return whether the table only places things on the page."""
    if table.get("role") == "presentation":
        return True
    widest = rows = 0
    for element in islice(table.iter("tr", "table", "pre", *HEADINGS), LOOKED_AT):
        if element.tag == "tr":
            cells = sum(child.tag in ("td", "th") for child in element)
            widest = max(widest, cells)
            rows += 1
        elif element.tag == "table":
            if element is not table and sum(1 for _ in islice(element.iter("tr"), 2)) > 1:
                return True
        elif element.tag != "pre" or "\n" in "".join(element.itertext()).strip():
            return True
    return widest < 2 or any(
        sum(child.tag in ("p", "ul", "ol", "div", "dl") for child in cell) > MOST_BLOCKS
        for cell in islice(table.iter("td"), LOOKED_AT)
    )
