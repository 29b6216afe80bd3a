"""Tables of Word: merged cells and header rows."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from citations.formats.office.docx.vocabulary import W, is_on, number
from citations.formats.tables import Cell

FIRST_ROW = 0x20  # a bit of a table's look
FIGURES = re.compile(r"[-+−$€£(]*(?!(?:19|20)\d\d$)[\d.,]+[%)]*")


def read_cells(
    table: Any, rows: Sequence[Any], cells: Sequence[Sequence[Any]], read_text: Callable[[Any], str]
) -> list[list[Cell]]:
    """Return the cells of each row, without those covered by a cell above."""
    found: list[list[list[Any]]] = []  # for each cell its text, its rows and its columns
    above: dict[int, list[Any]] = {}  # by column: the cell that is merged downwards
    for row, inside in zip(rows, cells, strict=True):
        at = number(row, "trPr/gridBefore", 0)
        line: list[list[Any]] = [["", 1, at]] if at else []
        for cell in inside:
            columns = number(cell, "tcPr/gridSpan", 1)
            merged = cell.find(f"{W}tcPr/{W}vMerge")
            if merged is not None and merged.get(f"{W}val") != "restart" and at in above:
                above[at][1] += 1
            else:
                line.append([read_text(cell), 1, columns])
                above.pop(at, None)
                if merged is not None:
                    above[at] = line[-1]
            at += columns
        found.append(line)
    headers = count_header_rows(table, rows, [text for text, _, _ in found[0]])
    return [
        [Cell(text, down, across, at < headers) for text, down, across in line]
        for at, line in enumerate(found)
    ]


def count_header_rows(table: Any, rows: Sequence[Any], first: Sequence[str]) -> int:
    """Return the number of first rows that repeat on each page, or look like a header."""
    count = 0
    while count < len(rows) and is_on(rows[count], "trPr/tblHeader"):
        count += 1
    look = table.find(f"{W}tblPr/{W}tblLook")
    if count or len(rows) < 2 or look is None:
        return count if count < len(rows) else 0
    bits = look.get(f"{W}val", "")
    is_set = re.fullmatch("[0-9a-fA-F]{1,5}", bits) is not None and int(bits, 16) & FIRST_ROW
    has_header = look.get(f"{W}firstRow", "1" if is_set else "0") == "1"
    return int(has_header and sum(map(bool, first)) > 1 and not any(map(FIGURES.fullmatch, first)))
