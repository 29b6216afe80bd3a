"""Records: JSON that is a list of things with the same names is a table; other JSON is data."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from citations.formats.cleaning import clean
from citations.formats.office.spreadsheets.regions import SheetRow, add_rows
from citations.formats.plain import settings
from citations.formats.plain.encodings import decode_text
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits, silent
from citations.formats.sections import MAX_CELLS, Sections

# So many things, of which each has such a share of all names.
FEWEST, SHARE = 2, 0.5
DEEPEST = 3  # of names within names
Record = dict[str, str]


def inspect(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Look whether there is text: such a file says nothing else of itself."""
    if not clean(decode_text(data)).strip():
        raise BadFile("empty")
    return FileReading()


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the lists of records as tables under their names; what holds none, as data is read."""
    found = list(lists_in(parsed(clean(decode_text(data)))))
    if not found:
        return settings.read(data, limits, progress)
    sections = Sections(limits)
    for name, records, names in found:
        rows = [[record.get(each, "") for each in names] for record in records]
        table = [SheetRow(names, is_header=True), *map(SheetRow, rows)]
        add_rows(table, sections, name=name)
    return FileReading(sections=sections.finished(""), unread=sections.unread)


def parsed(text: str) -> Any:
    """Return the value that the text writes, or the values of its lines; None if it writes none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    except (ValueError, RecursionError):
        return None


def lists_in(value: Any) -> Iterator[tuple[str, list[Record], list[str]]]:
    """Yield the lists of records with their own names and those of their columns: the value itself,
    or all that it names; none, where some of it would not be told.
    """
    named = value.items() if isinstance(value, dict) else [("", value)]
    found = [(name, records_of(each)) for name, each in named]
    tables = [(name, records, columns_of(records)) for name, records in found]
    if all(columns for _, _, columns in tables):
        yield from tables


def columns_of(records: Sequence[Record]) -> list[str]:
    """Return the names that the records have, none if most records lack most of them."""
    names = list(dict.fromkeys(each for record in records for each in record))
    is_full = sum(map(len, records)) >= SHARE * len(names) * len(records)
    return names if is_full and len(names) <= MAX_CELLS else []


def records_of(value: Any) -> list[Record]:
    """Return the records that a list is of, none if it is none of records."""
    if not isinstance(value, list) or len(value) < FEWEST:
        return []
    is_alike = all(isinstance(each, dict) and len(each) <= MAX_CELLS for each in value)
    records = [dict(fields(each)) for each in value] if is_alike else []
    return records if all(records) else []


def fields(value: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the names and the values of a record; what stands within a name has both names."""
    if isinstance(value, dict) and depth < DEEPEST:
        for key, inside in value.items():
            yield from fields(inside, f"{name}.{key}" if name else str(key), depth + 1)
    else:
        yield name, written(value)


def written(value: Any) -> str:
    """Return a value as a cell of a table."""
    if value is None:
        return ""
    if isinstance(value, list) and not any(isinstance(each, dict | list) for each in value):
        return ", ".join(map(written, value))
    is_plain = isinstance(value, str)
    return " ".join((value if is_plain else json.dumps(value, ensure_ascii=False)).split())
