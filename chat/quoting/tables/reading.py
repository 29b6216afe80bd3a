"""Tables as they are reckoned with: all rows under one header, wherever passages were cut."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from chat.quoting.tables.extremes import TableRow, rows_under_headers
from chat.quoting.tables.notation import UNTOLD, Notation
from citations.formats.blocks import BULLET, CELLS, BlockKind
from citations.ingestion.chunking import SEPARATOR
from citations.models import Passage
from citations.retrieval.units import PassageUnit, UnitForm, units_of
from memory.text.words import stem, words

# Of more rows than these or other columns nobody would expect that they were all looked through.
FEWEST_ROWS = 3
# The share of a column's filled cells that are of its sort.
MOSTLY = 0.8
NOTHING = frozenset(["", "na", "n/a", "nan", "null", "none", "-", "–", "—", "?"])
# A row that adds up the others is none of them; "Total Raisin Bran" may be one.
ADDS_UP = re.compile(
    r"(?:(?:grand |sub)?totals?|sum|summe|gesamt(?:summe)?|insgesamt|suma|somme)\b(?P<of>.*)",
    re.IGNORECASE,
)
# The share by which a sum may differ from what is added up.
ROUNDED = 0.005
# "Name: Ada; Born: 1815".
FIELD = re.compile(r"(?:^|; )([^;:]{1,80}): ")
PARTED = re.compile(r"\s*[,;/|]\s*")
# "lifeExp", and not "MwSt".
CAMEL = re.compile(r"(?<=[a-z]{2})(?=[A-Z])")


@dataclass(frozen=True)
class TableColumn:
    """A column: what it is called, and its cells."""

    at: int
    name: str
    cells: Sequence[str]
    # How the other columns of its table write figures and days.
    around: Notation = UNTOLD
    # The stems of words that a question may call it by, for what they mean.
    near: frozenset[str] = frozenset()

    @cached_property
    def notation(self) -> Notation:
        """How its cells write figures and days."""
        return Notation.of(self.cells).or_else(self.around)

    def day(self, cell: str) -> date | None:
        return self.notation.day(cell)

    def value(self, cell: str) -> float | None:
        """Return the figure or the day that one of its cells says."""
        return self.notation.value(cell)

    @cached_property
    def words(self) -> list[str]:
        """The words of its name: those of "body_mass_g" and "lifeExp", too."""
        return words(CAMEL.sub(" ", self.name))

    @cached_property
    def filled(self) -> list[str]:
        return [cell for cell in self.cells if not is_nothing(cell)]

    @cached_property
    def is_of_days(self) -> bool:
        return self._mostly(lambda cell: self.day(cell) is not None)

    @cached_property
    def is_of_figures(self) -> bool:
        return not self.is_of_days and self._mostly(lambda cell: self.value(cell) is not None)

    @cached_property
    def single_words(self) -> frozenset[str]:
        """The cells that are nothing but one word."""
        return frozenset(cell for cell in self.filled if cell.isalpha())

    @cached_property
    def stems(self) -> list[tuple[str, ...]]:
        """The stems of what each cell says, in the order of the rows."""
        return [tuple(map(stem, words(cell))) for cell in self.cells]

    @cached_property
    def parts(self) -> frozenset[tuple[str, ...]]:
        """The stems of what stands in cells between commas and the like: "Catalan, Spanish"."""
        cells = (cell for cell in self.filled if PARTED.search(cell))
        return frozenset(
            tuple(map(stem, words(part))) for cell in cells for part in PARTED.split(cell)
        )

    @cached_property
    def values(self) -> frozenset[tuple[str, ...]]:
        return frozenset(self.stems)

    def _mostly(self, is_so: Callable[[str], bool]) -> bool:
        fitting = sum(map(is_so, self.filled))
        return bool(fitting) and fitting >= MOSTLY * len(self.filled)


@dataclass(frozen=True)
class Table:
    """All rows under a header, with what the table is called, and the words of that."""

    name: str
    columns: Sequence[TableColumn]
    rows: Sequence[TableRow]
    called: frozenset[str]

    @cached_property
    def names_of_rows(self) -> Sequence[str]:
        """What each row is called: in the first column of texts in which nearly all differ, or by
        the first two of its cells.
        """
        for column in self.columns:
            different = len(set(column.filled))
            if not column.is_of_figures and different >= MOSTLY * len(self.rows):
                return column.cells
        first, second, *_ = self.columns
        return [SEPARATOR.join(pair) for pair in zip(first.cells, second.cells, strict=True)]

    @classmethod
    def of(cls, passages: Sequence[Passage], header: str, heading: str) -> "Table | None":
        """Return the table that passages of a document have under the header, if there is one."""
        rows = whole_rows(passages, header)
        return cls._made(passages, header.split(CELLS), rows, heading)

    @classmethod
    def of_records(cls, passages: Sequence[Passage], heading: str) -> "Table | None":
        """Return the table whose rows have the names of its columns in themselves, since it has too
        many to stand above each passage.
        """
        records = list(records_of(passages))
        names = list(dict.fromkeys(name for record in records for name in record.fields))
        rows = [
            TableRow(
                each.passage, each.unit, [each.fields.get(name, "") for name in names], each.more
            )
            for each in records
        ]
        return cls._made(passages, names, rows, heading)

    @classmethod
    def _made(
        cls,
        passages: Sequence[Passage],
        names: Sequence[str],
        rows: Sequence[TableRow],
        heading: str,
    ) -> "Table | None":
        rows = without_sums(rows)
        if len(rows) < FEWEST_ROWS or len(names) < 2:
            return None
        around = Notation.of(cell for row in rows for cell in row.cells)
        columns = [
            TableColumn(at, name, [cell_of(row, at) for row in rows], around)
            for at, name in enumerate(names)
        ]
        document = passages[0].document
        name = SEPARATOR.join(filter(None, (document.title, heading)))
        said = words(f"{name} {document.file_name}")
        return cls(name, columns, rows, frozenset([*said, *map(stem, said)]))


def whole_rows(passages: Iterable[Passage], header: str) -> list[TableRow]:
    """Return the rows under the header; the parts of one too long for a passage are one.

    Such a row begins as the only one of its passage, and of a further part the first passage shows
    nothing but more of one cell. One that fills a passage has no room for its header.
    """
    found: list[TableRow] = []
    width, is_alone, last = len(header.split(CELLS)), False, ""
    for passage in passages:
        under = list(rows_under_headers(passage, last if _is_only_rows(passage) else ""))
        last = under[-1][0] if under else ""
        rows = [row for above, row in under if above == header]
        if is_alone and rows and _goes_on(found[-1], rows[0], width):
            found[-1] = _joined(found[-1], rows.pop(0), width)
            is_alone = not rows
        else:
            is_alone = len(rows) == 1
        found += rows
    return found


def _is_only_rows(passage: Passage) -> bool:
    return all(span.kind == BlockKind.ROW for span in passage.spans)


def _goes_on(row: TableRow, part: TableRow, width: int) -> bool:
    is_rest = bool(row.more) and len(row.cells) + len(part.cells) - 1 <= width
    return width > 1 and (len(part.cells) == 1 or is_rest)


def _joined(row: TableRow, part: TableRow, width: int) -> TableRow:
    cells, first, rest = list(row.cells), part.cells[0], part.cells[1:]
    if row.more or len(cells) == width:
        cells[-1] = f"{cells[-1]} {first}"
    else:
        cells.append(first)
    more = [*row.more, (part.passage, part.unit)]
    return TableRow(row.passage, row.unit, [*cells, *rest], more)


def without_sums(rows: Sequence[TableRow]) -> list[TableRow]:
    """Return the rows but those that add up others: called nothing but a total, or the sum of what
    stands above, since the total before, in one of their columns.
    """
    notation = Notation.of(cell for row in rows for cell in row.cells)
    kept: list[TableRow] = []
    above: Counter[int] = Counter()
    for row in rows:
        figures = {at: notation.figure(cell) for at, cell in enumerate(row.cells[1:], start=1)}
        said = ADDS_UP.match(row.cells[0])
        if said and (not words(said["of"]) or _is_sum(figures, above)):
            above.clear()
            continue
        kept.append(row)
        above.update({at: value for at, value in figures.items() if value is not None})
    return kept


def _is_sum(figures: Mapping[int, float | None], above: Mapping[int, float]) -> bool:
    return any(
        value is not None and above.get(at) and abs(value - above[at]) <= ROUNDED * abs(above[at])
        for at, value in figures.items()
    )


@dataclass(frozen=True)
class Record:
    """A row with the names of its columns in it, and where it begins."""

    passage: Passage
    unit: PassageUnit
    fields: dict[str, str]
    more: list[tuple[Passage, PassageUnit]] = field(default_factory=list)


def records_of(passages: Iterable[Passage]) -> Iterator[Record]:
    """Yield the records of passages in order; the further parts of a long one begin as it does."""
    last: Record | None = None
    for passage in passages:
        for unit in units_of(passage):
            fields = fields_of(unit.of(passage.text)) if unit.form is UnitForm.ITEM else {}
            if not fields:
                continue
            first, *others = fields.items()
            is_part = last is not None and first in last.fields.items()
            if last is not None and is_part and last.fields.keys().isdisjoint(dict(others)):
                last.fields.update(others)
                last.more.append((passage, unit))
                continue
            if last is not None:
                yield last
            last = Record(passage, unit, fields)
    if last is not None:
        yield last


def fields_of(item: str) -> dict[str, str]:
    """Return the cells of a record by the names of their columns."""
    text = item.removeprefix(BULLET)
    names = list(FIELD.finditer(text))
    starts = [*(name.start() for name in names), len(text)]
    return {name[1]: text[name.end() : end] for name, end in zip(names, starts[1:], strict=True)}


def cell_of(row: TableRow, at: int) -> str:
    return row.cells[at].strip() if at < len(row.cells) else ""


def is_nothing(cell: str) -> bool:
    return cell.strip().lower() in NOTHING
