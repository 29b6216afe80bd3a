"""Records: JSON that is a list of things with the same names is a table; other JSON is data."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from citations.formats.cleaning import clean
from citations.formats.plain import settings
from citations.formats.plain.encodings import decode_text
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits, silent
from citations.formats.sections import MAX_CELLS, Sections
from citations.formats.tables import Cell, add_table

# So many things, of which each has such a share of all names.
FEWEST, SHARE = 2, 0.5
DEEPEST, LONGEST_NAME = 3, 200  # of names within names
# Brackets that are open at once in so many first characters; beyond it, no person wrote the data.
GLANCE, MOST_OPEN = 8192, 500
Record = dict[str, Any]


def inspect(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Look whether there is text, and refuse brackets within brackets without end."""
    beginning = data[:GLANCE]
    if sum(map(beginning.count, (b"[", b"{"))) > MOST_OPEN + sum(
        map(beginning.count, (b"]", b"}"))
    ):
        raise BadFile("too_complex")
    return settings.inspect(data, limits)


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the lists of records as tables under their names; what holds none, as data is read."""
    found = list(lists_in(parsed(clean(decode_text(data)))))
    if not found:
        return settings.read(data, limits, progress)
    sections = Sections(limits)
    for name, things, names in found:
        if name:
            sections.heading(1, name)
        header = [Cell(each, is_header=True) for each in names]
        add_table(sections, chain([header], make_rows(things, names)))
    tables = sections.finished("")
    return FileReading(sections=tables, parts=sections.parts.found)


def parsed(text: str) -> Any:
    """Return the value that the text writes, or the values of its lines; None if it writes none."""
    try:
        return settings.loaded(text)
    except ValueError:
        pass
    try:
        return [settings.loaded(line) for line in text.split("\n") if line.strip()]
    except ValueError:
        return None


def lists_in(value: Any) -> Iterator[tuple[str, list[Any], list[str]]]:
    """Yield the lists of records with their own names and those of their columns: the value itself,
    or all that it names; none, where some of it would not be told.
    """
    named = value.items() if isinstance(value, dict) else [("", value)]
    tables = [(name, each, find_columns(each)) for name, each in named]
    if all(columns for _, _, columns in tables):
        yield from tables


def find_columns(value: Any) -> list[str]:
    """Return the names that the records of a list have; none if it is none of records, or most of
    them lack most of the names.
    """
    if not isinstance(value, list) or len(value) < FEWEST:
        return []
    names: dict[str, None] = {}
    filled = 0
    for each in value:
        record = flatten_record(each)
        names |= dict.fromkeys(record)
        filled += len(record)
        if not record or len(names) > MAX_CELLS:
            return []
    return list(names) if filled >= SHARE * len(names) * len(value) else []


def make_rows(things: Sequence[Any], names: Sequence[str]) -> Iterator[list[Cell]]:
    """Yield the records as rows, one at a time: a list may have millions of them."""
    for each in things:
        record = flatten_record(each)
        yield [Cell(written(record.get(name))) for name in names]


def flatten_record(value: Any) -> Record:
    """Return the fields of a record; none if it is no record, or one of them would be lost."""
    found = list(islice(fields(value), MAX_CELLS + 1)) if isinstance(value, dict) else []
    record = dict(found)
    return record if len(record) == len(found) <= MAX_CELLS else {}


def fields(value: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield the names and the values of a record; what stands within a name has both names."""
    if isinstance(value, dict) and depth < DEEPEST and len(name) <= LONGEST_NAME:
        for key, inside in value.items():
            yield from fields(inside, f"{name}.{key}" if name else str(key), depth + 1)
    else:
        yield name, value


def written(value: Any) -> str:
    """Return a value as a cell of a table."""
    if value is None:
        return ""
    if isinstance(value, list) and not any(isinstance(each, dict | list) for each in value):
        return ", ".join(map(written, value))
    text = value.strip(settings.MARK) if isinstance(value, str) else settings.dumped(value)
    return " ".join(text.split())
