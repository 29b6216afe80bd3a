"""Tables: lines whose cells stand below one another become rows, header rows first."""

import itertools
import re
from collections.abc import Collection, Sequence

from citations.formats.captions import is_caption
from citations.formats.pdf.lines import TextLine
from citations.formats.pdf.rows import (
    BELOW,
    WORD,
    WRAPPED,
    ColumnRow,
    Table,
    header_count,
    is_field,
    is_figure,
    merged,
)
from citations.formats.pdf.segments import BULLET_SIGNS, Segment

# In sizes of the font: how far apart the lines of a table stand at most.
APART = 3.2
# Lines with one cell that may stand between rows; header lines above that have but one.
BETWEEN, ABOVE = 6, 3
LONGEST_HEADER = 30  # characters of a line of one that goes on
NARROWEST_GAP = 2.0
LARGER, FARTHEST = 1.12, 12.0  # times the type of a row; apart, if cells begin at the same places
ALIGNED = 4.0
SIGN = re.compile(r"[$€£¥]|(?:US|A|C|HK)\$|[$€£]\s?\(|\(")
TAIL = re.compile(r"[)%]{1,2}|\)\s?%|[)%]*\[\w{1,2}\]|pts?\.?|bps|x")
MARK = re.compile(
    rf"[{BULLET_SIGNS}–—*·!o-]|\(?(?:\d{{1,3}}|[a-zA-Z]|[ivxIVX]{{1,5}})[.)]|\[\d{{1,3}}\]"
    r"|\d{1,2}(?:\.\d{1,2}){1,3}\.?"
)
EQUATION_NUMBER = re.compile(r"\(\d{1,3}(?:\.\d{1,3})?[a-z]?\)")


def cells_of_line(line: TextLine) -> list[Segment]:
    """Return the cells of a line: a sign goes with its number, an item's mark with its text."""
    found: list[Segment] = []
    for segment in line.segments:
        before = found[-1] if found else None
        if before is not None and (
            SIGN.fullmatch(before.text)
            or TAIL.fullmatch(segment.text)
            or (len(found) == 1 and MARK.fullmatch(before.text) and has_word(segment.text))
        ):
            space = "" if TAIL.fullmatch(segment.text) or before.text.endswith("(") else " "
            found[-1] = joint(before, segment, space)
        else:
            found.append(segment)
    return found


def has_word(text: str) -> bool:
    return sum(char.isalpha() for char in text) > 2


def joint(left: Segment, right: Segment, space: str) -> Segment:
    return Segment(
        text=left.text + space + right.text,
        x0=left.x0,
        x1=right.x1,
        y=right.y,
        size=right.size,
        bold=right.bold,
        mono=right.mono,
        math=right.math,
    )


def find_tables(
    lines: Sequence[TextLine], known: Collection[str] = ()
) -> list[tuple[range, Table]]:
    """Return which lines are tables, with the tables; `known` are words of the document."""
    celled = [cells_of_line(line) for line in lines]
    found: list[tuple[range, Table]] = []
    at = 0
    while at < len(lines):
        end = end_of_table(lines, celled, at)
        table = table_of(lines[at:end], celled[at:end], known) if end - at > 1 else None
        if table is None:
            at += 1
            continue
        begin = begin_of(lines, celled, at, found[-1][0].stop if found else 0)
        whole = table_of(lines[begin:end], celled[begin:end], known) if begin < at else None
        found.append((range(begin if whole else at, end), whole or table))
        at = end
    return found


def end_of_table(lines: Sequence[TextLine], celled: Sequence[list[Segment]], at: int) -> int:
    """Return the end of the lines that may be one table with the line."""
    if len(celled[at]) < 2 or lines[at].is_mono or is_equation(lines[at]):
        return at
    last = near = at
    for here in range(at + 1, len(lines)):
        gap = lines[here - 1].y - lines[here].y
        is_far = gap > APART * lines[here].size and not is_next_row(celled[last], celled[here], gap)
        if is_far or gap < 0 or here - near > BETWEEN or is_new_header(lines, celled, here):
            break
        if len(celled[here]) > 1:
            last = near = here
        elif has_word(celled[last][0].text) and is_below(celled[here], celled[last]):
            near = here
        elif is_title(lines[here], lines[last]) or (
            is_wide(lines[here]) and is_wide(lines[here - 1]) and len(celled[here - 1]) == 1
        ):
            break
    after = last + 1
    if after < len(lines) and len(celled[after]) == 1 and lines[after].text[:1].islower():
        is_near = lines[last].y - lines[after].y < WRAPPED * lines[after].size
        after += is_near and lines[after].x1 < lines[last].x1 - 20
    while after < len(lines) and goes_on(celled[last], lines[after - 1], lines[after]):
        after += 1
    return after


def goes_on(cells: Sequence[Segment], above: TextLine, line: TextLine) -> bool:
    """Return whether the line, close below, belongs to what is said in one of the row's cells."""
    if len(line.segments) != 1:
        return False
    if len(cells) == 2:
        is_near = above.y - line.y < WRAPPED * line.size
        return is_near and abs(line.x0 - cells[1].x0) < ALIGNED
    places = [each.x0 for each in cells[1:] if not is_figure(each.text)]
    is_near = above.y - line.y < BELOW * line.size
    return is_near and any(abs(line.x0 - place) < 1 for place in places)


def is_equation(line: TextLine) -> bool:
    """Return whether the line is a formula with its number."""
    text = line.segments[0].text
    return (
        len(line.segments) == 2
        and EQUATION_NUMBER.fullmatch(line.segments[1].text) is not None
        and (line.share("math") > 0.15 or WORD.search(text) is None)
    )


def is_next_row(cells: Sequence[Segment], others: Sequence[Segment], gap: float) -> bool:
    """Return whether the cells, far below a row, begin where those of it do, or the first begins
    and the last ends there, and with a word.
    """
    if min(len(cells), len(others)) < 2 or gap >= FARTHEST * others[0].size:
        return False
    begin = [abs(cell.x0 - other.x0) < 1 for cell, other in zip(cells, others, strict=False)]
    is_within = abs(cells[0].x0 - others[0].x0) < ALIGNED and abs(cells[-1].x1 - others[-1].x1) < 1
    return (all(begin) or is_within) and has_word(others[0].text)


def is_below(cells: Sequence[Segment], row: Sequence[Segment]) -> bool:
    """Return whether the cells begin where one of the row does, but for its first one."""
    return any(abs(cells[0].x0 - each.x0) < 1 for each in row[1:])


def is_new_header(lines: Sequence[TextLine], celled: Sequence[list[Segment]], at: int) -> bool:
    """Return whether a bold line of words stands over cells, below others, that are not bold."""
    above, line, *after = lines[at - 1 : at + 2]
    is_between = bool(after) and not above.is_bold and not after[0].is_bold
    is_row = len(celled[at]) > 1 and all(WORD.search(cell.text) for cell in celled[at][:2])
    return line.is_bold and is_between and is_row and len(celled[at + 1]) > 1


def is_title(line: TextLine, row: TextLine) -> bool:
    """Return whether the line is set larger than the rows above it: what follows is another's, but
    for a label with its number.
    """
    return line.size >= LARGER * row.size and has_word(line.text) and not is_field(line.text)


def is_wide(line: TextLine) -> bool:
    return len(line.text) > 70


def begin_of(
    lines: Sequence[TextLine], celled: Sequence[list[Segment]], at: int, earliest: int
) -> int:
    """Return where the header begins: lines above that stand over the columns but the first."""
    limit = max(earliest, at - ABOVE)
    first_column = min(line.x0 for line in lines[at : at + 8])
    second = min((row[1].x0 for row in celled[at : at + 8] if len(row) > 1), default=0.0)
    while at > limit:
        above, below = lines[at - 1], lines[at]
        gap = above.y - below.y
        is_over = above.x0 > first_column + 20 and above.x1 > second and above.x0 > second - 60
        if gap > 2.2 * below.size or gap <= 0 or not is_over or len(above.text) > 60:
            break
        if is_caption(above.text) or ends_text(lines, at - 1):
            break
        at -= 1
    return at


def ends_text(lines: Sequence[TextLine], at: int) -> bool:
    """Return whether a sentence of more lines, one right below the other, ends with the line."""
    if not at or not lines[at].text.endswith("."):
        return False
    above, line = lines[at - 1], lines[at]
    is_below = abs(above.x0 - line.x0) < 1 and above.y - line.y < WRAPPED * line.size
    return is_below and len(above.text) > LONGEST_HEADER


def table_of(
    lines: Sequence[TextLine], celled: Sequence[list[Segment]], known: Collection[str]
) -> Table | None:
    """Return the table that the lines are, or None."""
    places = [at for at, row in enumerate(celled) if len(row) > 1]
    full = [celled[at] for at in places]
    # What goes on below the last row says nothing of whether they are rows, nor does what says
    # more below a cell of one.
    if len(full) < 2 or 3 * len(full) < places[-1] + 1 - count_below(celled[: places[-1]]):
        return None
    most = max(map(len, full))
    decisive = [row for row in full if len(row) >= max(2, 0.6 * most)]
    columns = columns_of(decisive if len(decisive) > 1 else full)
    if len(columns) < 2 or not is_aligned(full, columns):
        return None
    rows = [
        ColumnRow(placed(row, columns), line.y, line.size, line.is_bold)
        for line, row in zip(lines, celled, strict=True)
    ]
    whole = merged(rows, known)
    if sum(len(row.cells) > 1 for row in whole) < 2:
        return None
    if is_running_text(whole):
        return None
    return Table(whole, len(columns), header_count(whole))


def count_below(celled: Sequence[Sequence[Segment]]) -> int:
    """Count the lines that begin where a cell of the row above does, but for its first one."""
    count, row = 0, celled[0]
    for cells in celled:
        row = cells if len(cells) > 1 else row
        count += len(cells) == 1 and is_below(cells, row)
    return count


def is_running_text(rows: Sequence[ColumnRow]) -> bool:
    """Return whether the cells are parts of sentences, torn apart by wide spaces."""
    pairs = [row.cells for row in rows if len(row.cells) > 1]
    torn = sum(
        len(cells) == 2
        and cells[max(cells)][:1].islower()
        and len(cells[max(cells)]) > 12
        and len(cells[min(cells)]) > 25
        for cells in pairs
    )
    return torn * 2 > len(pairs)


def columns_of(rows: Sequence[Sequence[Segment]]) -> list[tuple[float, float]]:
    """Return from where to where each column goes: what stands between is empty in nearly all."""
    edges = sorted({edge for row in rows for each in row for edge in (each.x0, each.x1)})
    few = len(rows) // 20
    columns: list[tuple[float, float]] = []
    for left, right in itertools.pairwise(edges):
        middle = (left + right) / 2
        count = sum(any(each.x0 <= middle <= each.x1 for each in row) for row in rows)
        if count <= few and right - left >= NARROWEST_GAP:
            continue
        if columns and left <= columns[-1][1]:
            columns[-1] = (columns[-1][0], right)
        else:
            columns.append((left, right))
    return columns


def is_aligned(rows: Sequence[Sequence[Segment]], columns: Sequence[tuple[float, float]]) -> bool:
    """Return whether cells below one another begin, end or have their middle at one place."""
    for left, right in columns[1:]:
        inside = [each for row in rows for each in row[1:] if each.x0 < right and each.x1 > left]
        places = (
            [each.x0 for each in inside],
            [each.x1 for each in inside],
            [(each.x0 + each.x1) / 2 for each in inside],
        )
        for found in places:
            middle = sorted(found)[len(found) // 2] if found else 0.0
            near = sum(abs(place - middle) <= ALIGNED for place in found)
            if near >= 2 and near >= 0.5 * len(found):
                return True
    return False


def placed(row: Sequence[Segment], columns: Sequence[tuple[float, float]]) -> dict[int, str]:
    """Return the cells by column; one that spans several stands in the first of them."""
    found: dict[int, str] = {}
    for cell in row:
        overlaps = [min(cell.x1, right) - max(cell.x0, left) for left, right in columns]
        at = next((at for at, width in enumerate(overlaps) if width > 0.3 * cell.width), None)
        if at is None:
            at = max(range(len(columns)), key=lambda at: overlaps[at])
        found[at] = f"{found[at]} {cell.text}" if at in found else cell.text
    return found
