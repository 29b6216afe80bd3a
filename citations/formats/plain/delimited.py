"""Delimited text: CSV and similar files, with detection of dialect and encoding."""

import csv
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from citations.formats.cleaning import clean
from citations.formats.plain.encodings import decode_labelled
from citations.formats.reading import FileReading, Progress, ReadingLimits
from citations.formats.sections import Sections
from citations.formats.tables import Cell, add_regions, is_figure

DELIMITERS = (";", "\t", ",", "|")
# Lines and characters by which the dialect is detected.
SAMPLE, GLANCE = 60, 20_000
# Excel's own limit; a longer cell is text after an unclosed quotation mark.
LONGEST_CELL, LONGEST_LINE = 32_767, 1 << 30
# Minimum number of rows and columns of a text that is a table under any name.
ROWS, COLUMNS = 5, 3
LONGEST_NAME = 60


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the rows under the names of their columns."""
    sections = Sections(limits)
    add_regions(sections, parse_rows(clean(decode_labelled(data, ""))))
    found = sections.finished("")
    return FileReading(sections=found, parts=sections.parts.found)


def is_table(text: str) -> bool:
    """Return whether a text is a table under any name: regular rows below names."""
    delimiter, _ = detect_dialect(text)
    lines = text.splitlines()[:-1][:SAMPLE]
    rows = [row for row in read_cells(lines, delimiter) if row]
    counts = {len(row) for row in rows}
    is_regular = len(rows) >= ROWS and len(counts) == 1 and counts.pop() >= COLUMNS
    return is_regular and has_names(rows[0]) and rows[0] not in rows[1:]


def has_rows(text: str) -> bool:
    """Return whether a text named as a table is one: it has several cells, or several lines."""
    delimiter, start = detect_dialect(text)
    return start > 0 or delimiter in text or "\n" in text.strip()


def has_names(row: list[str]) -> bool:
    names = {cell.strip() for cell in row}
    fit = all(0 < len(name) <= LONGEST_NAME and not is_figure(name) for name in names)
    return fit and len(names) == len(row)


def detect_dialect(text: str) -> tuple[str, int]:
    """Return the delimiter, and the start of the rows: after "sep=;", which Excel writes."""
    first, _, _ = text.partition("\n")
    if first.lower().startswith("sep=") and len(first) == len("sep=") + 1:
        return first[-1], len(first) + 1
    lines = text[:GLANCE].splitlines()[:SAMPLE]
    return max(DELIMITERS, key=lambda each: measure_regularity(lines, each)), 0


def measure_regularity(lines: list[str], delimiter: str) -> tuple[float, int]:
    """Return the share of rows with the most frequent number of cells, and that number."""
    counts = Counter(len(row) for row in read_cells(lines, delimiter) if row)
    several = {width: count for width, count in counts.items() if width > 1}
    if not several:
        return 0.0, 0
    width = max(several, key=several.__getitem__)
    return several[width] / counts.total(), width


def parse_rows(text: str) -> Iterator[list[Cell]]:
    """Yield the cells of the rows."""
    delimiter, start = detect_dialect(text)
    for row in read_cells(text[start:].split("\n"), delimiter):
        yield [Cell(cell) for cell in row]


def read_cells(lines: list[str], delimiter: str) -> Iterator[list[str]]:
    """Yield the cells of the rows; a quotation mark that is never closed is a plain character."""
    done = 0
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL
    while done < len(lines):
        csv.field_size_limit(LONGEST_CELL if quoting == csv.QUOTE_MINIMAL else LONGEST_LINE)
        reader = csv.reader(
            (f"{line}\n" for line in lines[done:]),
            delimiter=delimiter,
            quoting=quoting,
            skipinitialspace=delimiter != "\t",
        )
        before = done
        try:
            for row in reader:
                before = done + reader.line_num
                yield row
            return
        except csv.Error:
            # From the failed row on, quotation marks are plain characters.
            done, quoting = before, csv.QUOTE_NONE
