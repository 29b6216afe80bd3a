"""Headers: the rows that name a table's columns, and the remarks above and below the table."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from citations.formats.tables.grid import NAME, GridRow, is_figure

MOST_HEADERS = 4
# First rows by which columns are judged.
GLANCE = 30
# Maximum share of exceptions in a column of figures.
MIXED = 0.1
JOINT = " › "


def count_preamble_rows(grid: Sequence[GridRow]) -> int:
    """Return the number of title and remark rows above the header."""
    if len(grid[0].cells) < 2:
        return 0
    count = named = count_sparse_rows(grid)
    for row in grid[count:GLANCE]:
        if names_figures(grid[named:]):
            count = named
            break
        is_full = len(row.filled) == len(row.cells)
        if row.is_header or is_full or any(map(is_figure, row.texts)):
            break
        named += 1
    while 0 < count < len(grid) and spans_names(grid[count - 1], grid[count]):
        count -= 1
    if count == len(grid):
        return 0
    titles = sum(1 for _ in takewhile(lambda row: row.is_alone, grid[:count]))
    return count if count_header_rows(grid[count:]) else titles


def count_sparse_rows(grid: Sequence[GridRow]) -> int:
    """Return the number of first rows that fill at most half of the usual columns."""
    widths = sorted(row.width for row in grid[:GLANCE])
    usual = widths[3 * len(widths) // 4]
    for at, row in enumerate(grid):
        is_title = row.is_alone and not is_figure(row.texts[0])
        if usual < 2 or (not is_title and (row.is_header or row.width * 2 > usual)):
            return at
    return 0


def names_figures(rows: Sequence[GridRow]) -> bool:
    """Return whether the first row names nearly all columns, with figures in some of them."""
    names = rows[0].texts
    is_full = len(set(names)) == len(names) >= max(3, len(rows[0].cells) * 3 / 4)
    return (
        is_full
        and looks_like_header(rows)
        and any(is_mostly_figures(rows, at) for at in rows[0].filled)
    )


def is_mostly_figures(rows: Sequence[GridRow], column: int) -> bool:
    """Return whether a column's cells below the first row are figures."""
    texts = [row.cells[column] for row in rows[1:GLANCE] if row.cells[column]]
    return bool(texts) and sum(map(is_figure, texts)) > (1 - MIXED) * len(texts)


def count_notes(rows: Sequence[GridRow]) -> int:
    """Return the number of remark rows below a table with mostly full rows."""
    count = 0
    while count < len(rows) and is_remark_row(rows[-1 - count]):
        count += 1
    above, below = rows[: len(rows) - count][-GLANCE:], rows[len(rows) - count :]
    full = sum(row.width * 4 >= 3 * len(row.cells) for row in above)
    has_single = any(row.is_alone for row in below)
    return count if has_single and len(above) > 1 and full * 2 > len(above) else 0


def is_remark_row(row: GridRow) -> bool:
    """Return whether a row has no figure, and fills few columns or is one cell over all of them."""
    is_wide = row.is_alone and row.width == len(row.cells)
    is_half = len(row.cells) > 2 and len(row.filled) * 2 <= len(row.cells)
    return (is_wide or is_half) and not any(map(is_figure, row.texts))


def split_at_headers(rows: Sequence[GridRow]) -> Iterator[Sequence[GridRow]]:
    """Yield the tables of a grid: header rows after other rows begin a new table."""
    first = 0
    for at in range(1, len(rows)):
        if is_told_header(rows[at]) and not is_told_header(rows[at - 1]):
            yield rows[first:at]
            first = at
    yield rows[first:]


def is_told_header(row: GridRow) -> bool:
    """Return whether the file marks the row as a header, and it is no bold total or group."""
    return row.is_header and not row.is_alone and not row.has_figures


def count_header_rows(rows: Sequence[GridRow]) -> int:
    """Return the number of header rows, by the file's marks or by their look."""
    most = min(MOST_HEADERS, len(rows) - 1)
    count = sum(1 for _ in takewhile(lambda row: row.is_header, rows))
    while count > 1 and rows[count - 1].is_alone and 0 in rows[count - 1].filled:
        count -= 1  # the label of the first group
    if not 0 < count <= most:
        for at in range(most):
            if looks_like_header(rows[at:], is_below=at > 0):
                count = at + 1
                break
            if not spans_names(rows[at], rows[at + 1]):
                return 0
        else:
            return 0
    while count < most and spans_names(rows[count - 1], rows[count]):
        if not looks_like_header(rows[count:], is_below=True):
            break
        count += 1
    return count


def looks_like_header(rows: Sequence[GridRow], *, is_below: bool = False) -> bool:
    """Return whether the first row has names above values."""
    first, below = rows[0], rows[1:GLANCE]
    names = first.texts
    is_named = len(names) > 1 and not first.has_figures and max(map(len, names)) <= NAME
    # In "Name: | Ada", "Born: | 1815", the names are at the side.
    is_form = len(first.cells) == 2 and names[0].endswith(":")
    if not below or not is_named or is_form:
        return False
    is_distinct = len(set(names)) * 2 > len(names)
    if any(is_mostly_figures(rows, at) for at in first.filled):
        return is_below or is_distinct
    is_full = is_distinct and len(names) * 2 > len(first.cells) > 2
    return is_full or (is_below and len(names) > 2)


def spans_names(row: GridRow, below: GridRow) -> bool:
    """Return whether the names of a row span several names of the row below.

    They are merged cells, or have empty cells after them.
    """
    width = len(row.cells)
    if row.has_figures or below.has_figures or below.is_alone or not row.filled:
        return False
    if row.is_alone and row.width in (1, width):
        return False
    has_merged = row.width > len(row.filled)
    spans: list[int] = []
    for start, end in pairwise([*row.filled, width]):
        end = start + row.filled[start] if has_merged else end
        names = [text for text in below.cells[start:end] if text not in ("", row.cells[start])]
        spans.append(len(names))
    # The first column names rows; others must cover several names or none.
    return max(spans) > 1 and all(count != 1 for count in spans[0 in row.filled :])


def join_headers(rows: Sequence[GridRow]) -> list[str]:
    """Return the names of the columns, upper rows first."""
    for upper, lower in pairwise(rows):
        if len(upper.filled) == upper.width and spans_names(upper, lower):
            for start, end in pairwise([*upper.filled, len(upper.cells)]):
                for at in range(start + 1, end):
                    upper.cells[at] = upper.cells[start] if lower.cells[at] else ""
    columns = zip(*(row.cells for row in rows), strict=True)
    return [JOINT.join(dict.fromkeys(filter(None, names))) for names in columns]
