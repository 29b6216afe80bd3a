"""Rows of a table: lines that belong together are joined, and the first ones may be its header."""

import itertools
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from citations.formats.pdf.words import join_lines

# In sizes of the font: how far apart the lines of one row stand, and those of a wrapped cell.
ONE_ROW, WRAPPED, BELOW = 0.8, 1.6, 1.9
MOST_HEADERS, MOST_BOLD = 8, 3  # above figures, and above words
SENTENCE = 40  # characters: what is shorter may be a cell of words
NUMBER = re.compile(
    r"[$€£¥(+−-]*\s?[$€£]?\s?\(?[\d][\d.,\s]*[)%]*(?:\s?%|\[\w\]|x|pts)*|[—–-]+\s?%?|n/?m|n/?a",
    re.I,
)
YEAR = re.compile(r"\d{1,2},|(?:19|20)\d\d(?:\[\w\])?|FY\s?\d\d(?:\d\d)?|Q[1-4](?:\s?\d{4})?")
# What leads from a label to its figures; and the number of a note, raised above its label.
LEADERS, NOTE = " .…·_", re.compile(r"\d{1,2}")
FIELD = re.compile(r"[^:]*[^\W\d_]{2}[^:]{0,30}:\s.{1,80}")  # of a form: "Carrier: by ship"
# "Order no.: 20251478", but "Results: 2025"; "Total EUR 34.73"; a place with its postal code.
NUMBERED_FIELD = re.compile(
    r"[^:]{2,40}:\s(?:[^\w\s]\s)?(?!(?:19|20)\d\d$)(?=(?:\D*\d){4})\S+"
    r"|[^\d$€£¥].{1,60}\s(?:[$€£¥₹]|\b(?:EUR|USD|GBP|CHF|Rs\.?))\s?\d[\d.,']*[.,]\d\d"
    r"|[^\d$€£¥].{1,60}\s\d[\d.,']*[.,]\d\d\s?(?:[$€£¥₹]|EUR|USD|GBP|CHF)"
    r"|\d{5}\s\D{2,60}"
)
EQUALS, FORMULA_PARTS = re.compile(r"[=≤≥∼≈]"), 0.7
WORD = re.compile(r"[^\W\d_]{4,}")
GOES_ON = re.compile(r"(?:,|\b(?:and|or|of|the|to|in|for|from|on|by|with|y|de|und|et|la|le))$")


@dataclass
class ColumnRow:
    """The cells of a row by column; `y` is where its last line stands."""

    cells: dict[int, str]
    y: float
    size: float
    is_bold: bool

    @property
    def is_label(self) -> bool:
        return set(self.cells) == {0}

    @property
    def label(self) -> str:
        return self.cells.get(0, "")

    def text(self, at: int) -> str:
        """Return the cell of a column; a label without the dots that lead to its figures."""
        said = self.cells.get(at, "")
        return said if at or len(self.cells) < 2 else bare(said)


@dataclass
class Table:
    """Rows of as many columns; the first ones may say what the columns are."""

    rows: list[ColumnRow]
    columns: int
    headers: int = field(default=0)

    @property
    def is_formula(self) -> bool:
        """Whether the cells are parts of formulas: neither words nor figures, and an equation."""
        cells = [text for row in self.rows for text in row.cells.values()]
        parts = sum(WORD.search(cell) is None and not is_figure(cell) for cell in cells)
        has_sign = any(EQUALS.search(cell) for cell in cells)
        return has_sign and parts >= FORMULA_PARTS * len(cells)

    def texts(self) -> list[tuple[list[str], bool]]:
        """Return the cells of each row, and whether it is a header."""
        return [
            ([row.text(at) for at in range(self.columns)], number < self.headers)
            for number, row in enumerate(self.rows)
        ]


def bare(label: str) -> str:
    """Return a label without the dots that lead to its figures."""
    said = label.rstrip(LEADERS)
    led = label[len(said) :]
    return said if led.startswith(" ") or len(led) > 1 else label


def is_note_of(above: ColumnRow, line: ColumnRow) -> bool:
    """Return whether a number stands by itself, raised, over the end of a label."""
    is_raised = 0 <= above.y - line.y < ONE_ROW * line.size and 0 in line.cells
    return is_raised and above.is_label and NOTE.fullmatch(above.label) is not None


def is_figure(text: str) -> bool:
    return NUMBER.fullmatch(text) is not None and not YEAR.fullmatch(text)


def merged(lines: Sequence[ColumnRow], known: Collection[str]) -> list[ColumnRow]:
    """Join the lines of one row."""
    rows: list[ColumnRow] = []
    wide = row_gap(lines)
    for line in lines:
        above = rows[-1] if rows else None
        if above is not None and is_note_of(above, line):
            mark = rows.pop().label
            label = f"{bare(line.label)}[{mark}]"
            rows.append(ColumnRow(line.cells | {0: label}, line.y, line.size, line.is_bold))
        elif above is not None and belongs(above, line, wide):
            for at, text in line.cells.items():
                begun = [above.cells[at]] if at in above.cells else []
                above.cells[at] = join_lines([*begun, text], known)
            above.y = line.y
        else:
            rows.append(ColumnRow(dict(line.cells), line.y, line.size, line.is_bold))
    return rows


def row_gap(lines: Sequence[ColumnRow]) -> float | None:
    """Return the gap that parts rows, where a table of words has narrow and wide ones."""
    texts = [text for row in lines for text in row.cells.values()]
    if sum(map(is_figure, texts)) > 0.15 * len(texts) or len(lines) < 4:
        return None
    gaps = sorted(above.y - below.y for above, below in itertools.pairwise(lines))
    narrow, wide = gaps[len(gaps) // 5], gaps[-1 - len(gaps) // 10]
    return 1.25 * narrow if wide > 1.35 * narrow > 0 else None


def belongs(above: ColumnRow, line: ColumnRow, wide: float | None) -> bool:
    """Return whether the line goes on with the row above."""
    gap = above.y - line.y
    if gap > WRAPPED * line.size:
        return 0 not in line.cells and wide is None and says_more(above, line)
    if gap < ONE_ROW * line.size and not set(above.cells) & set(line.cells):
        return True
    if above.is_bold and not line.is_bold and 0 not in line.cells:
        return False  # but with the last row of the page before
    if wide is not None:
        return gap < wide and not (0 in line.cells and above.label.endswith(":"))
    numbers = any(is_figure(text) for at, text in line.cells.items() if at)
    if line.is_label:
        return line.label[:1].islower() and len(above.cells) > 1
    if above.is_label and 0 in line.cells:
        return not above.label.endswith(":") and (
            line.label[:1].islower() or GOES_ON.search(above.label) is not None
        )
    goes_on = all(
        at in above.cells and (text[:1].islower() or is_unfinished(above.cells[at]))
        for at, text in line.cells.items()
    )
    return 0 not in line.cells and not numbers and (goes_on or says_more(above, line))


def says_more(above: ColumnRow, line: ColumnRow) -> bool:
    """Return whether the line says more below what a row with figures is about: one cell of
    words.
    """
    [(at, text), *others] = line.cells.items()
    is_said = not others and not is_figure(text) and not is_figure(above.cells.get(at, "0"))
    return is_said and above.y - line.y < BELOW * line.size and has_figures(above)


def is_unfinished(text: str) -> bool:
    """Return whether the text of a cell is a sentence without its end."""
    return len(text) > SENTENCE and text[-1] not in ".!?:;"


def header_count(rows: Sequence[ColumnRow]) -> int:
    """Return how many of the first rows say what the columns are."""
    first = next((at for at, row in enumerate(rows) if has_figures(row)), None)
    if first is None:
        bold = next((at for at, row in enumerate(rows) if not row.is_bold), 0)
        return bold if bold <= MOST_BOLD and len(rows[0].cells) > 1 else 0
    above = [at for at in range(first) if set(rows[at].cells) - {0}]
    count = above[-1] + 1 if above else 0
    # "Terms | 14 days net" is a row of a form.
    is_form = max(at for row in rows for at in row.cells) == 1 and 2 * count >= len(rows)
    is_form = is_form and not (rows[0].is_bold and not rows[count].is_bold)
    return count if count <= MOST_HEADERS and not is_form else 0


def has_figures(row: ColumnRow) -> bool:
    return any(is_figure(text) for at, text in row.cells.items() if at)


def fields_of(cells: Sequence[str]) -> list[str]:
    """Return the cells if each names what it says."""
    filled = [cell for cell in cells if cell]
    return filled if all(map(FIELD.fullmatch, filled)) else []


def is_field(text: str) -> bool:
    """Return whether a line is a label with its number or amount, or a place: it heads nothing."""
    return NUMBERED_FIELD.fullmatch(text) is not None
