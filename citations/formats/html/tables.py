"""Tables of a page: their cells, and tables that are used for layout only."""

from itertools import islice
from typing import Any

from citations.formats.tables import Cell

MOST_SPANNED, MOST_ROWS = 50, 1000
LOOKED_AT = 2000  # elements of a table
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
MOST_BLOCKS = 2  # paragraphs and the like in one cell


def make_cell(element: Any, text: str) -> Cell:
    """Return a cell with the rows and columns that it covers."""
    row = element.getparent()
    section = row.getparent() if row is not None else None
    return Cell(
        text,
        parse_span(element, "rowspan", MOST_ROWS),
        parse_span(element, "colspan", MOST_SPANNED),
        is_header=element.tag == "th" or (section is not None and section.tag == "thead"),
    )


def parse_span(element: Any, name: str, most: int) -> int:
    value = element.get(name, "")
    whole = most if name == "rowspan" else 1  # rowspan "0" covers all remaining rows
    return min(int(value) or whole, most) if value.isdecimal() and len(value) < 6 else 1


def is_layout(table: Any) -> bool:
    """Return whether the table is used for layout only."""
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
