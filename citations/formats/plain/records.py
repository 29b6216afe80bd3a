"""Records: JSON lists of objects with the same names are tables; other JSON is code."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from citations.formats.cleaning import clean
from citations.formats.plain.encodings import decode_text
from citations.formats.plain.settings import add_code
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits
from citations.formats.sections import MAX_CELLS, Sections
from citations.formats.tables import Cell, add_table

# Minimum number of records in a table, and minimum share of filled fields.
FEWEST, SHARE = 2, 0.5
DEEPEST, LONGEST_NAME = 3, 200  # of names within names
# First characters that are checked, and the maximum number of open brackets in them; no honest data
# has more.
GLANCE, MOST_OPEN = 8192, 500
LONGEST_LINE = 500
# The mark around a number, and its spelling by JSON.
MARK, NUMBER = "\x00", re.compile(r'"\\u0000([^"\\]*)\\u0000"')
# A name or a value after the first bracket.
BEGINNING = re.compile(r'\s*(?:\{\s*"[^"\n]{0,200}"\s*:|\[\s*(?:[\[{"]|-?\d[\d.]*\s*,))')
Record = dict[str, Any]


def inspect(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Check for text, and refuse endlessly nested brackets."""
    opened, closed = (
        sum(map(data[:GLANCE].count, marks)) for marks in ((b"[", b"{"), (b"]", b"}"))
    )
    if opened - closed > MOST_OPEN:
        raise BadFile("too_complex")
    if not clean(decode_text(data)).strip():
        raise BadFile("empty")
    return FileReading()


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the lists of records as tables under their names, or any other data as code."""
    text, sections = clean(decode_text(data)), Sections(limits)
    value = load_json(text)
    named = value.items() if isinstance(value, dict) else [("", value)]
    tables = [(name, each, find_columns(each)) for name, each in named]
    if tables and all(columns for _, _, columns in tables):
        for name, things, columns in tables:
            sections.heading(1, name)
            add_table(sections, make_rows(things, columns))
    else:
        is_long = value is not None and max(map(len, text.split("\n"))) > LONGEST_LINE
        add_code((dump_json(value, indent=2) if is_long else text).split("\n"), sections)
    return FileReading(sections=sections.finished(""), parts=sections.parts.found)


def load_json(text: str) -> Any:
    """Return the value of the text, or the values of its lines; None if it is no JSON.

    Numbers keep their spelling, between marks. A repeated name is an error, so that no value is
    lost.
    """
    form = f"{MARK}{{}}{MARK}".format
    try:
        options: dict[str, Any] = {"parse_float": form, "parse_int": form}
        options["object_pairs_hook"] = refuse_duplicates
        try:
            return json.loads(text, **options)
        except json.JSONDecodeError:
            return [json.loads(line, **options) for line in text.split("\n") if line.strip()]
    except ValueError:
        return None
    except RecursionError as error:
        raise BadFile("too_complex") from error


def refuse_duplicates(pairs: list[tuple[str, Any]]) -> Record:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("two values of one name")
    return found


def dump_json(value: Any, indent: int | None = None) -> str:
    """Return a loaded value as JSON."""
    return NUMBER.sub(r"\1", json.dumps(value, indent=indent, ensure_ascii=False))


def find_columns(value: Any) -> list[str]:
    """Return the names of a list's records; none if it is no table."""
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


def make_rows(things: list[Any], names: list[str]) -> Iterator[list[Cell]]:
    """Yield the names, then the records one at a time: a list may have millions of them."""
    yield [Cell(each, is_header=True) for each in names]
    for each in things:
        record = flatten_record(each)
        yield [Cell(write_value(record.get(name))) for name in names]


def flatten_record(value: Any) -> Record:
    """Return the fields of a record; none if there are conflicting or too many fields."""
    found = list(islice(list_fields(value), MAX_CELLS + 1)) if isinstance(value, dict) else []
    record = dict(found)
    return record if len(record) == len(found) <= MAX_CELLS else {}


def list_fields(value: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield the names and the values of a record; nested names are joined."""
    if isinstance(value, dict) and depth < DEEPEST and len(name) <= LONGEST_NAME:
        for key, inside in value.items():
            yield from list_fields(inside, f"{name}.{key}" if name else str(key), depth + 1)
    else:
        yield name, value


def write_value(value: Any) -> str:
    """Return a value as a cell of a table."""
    if value is None:
        return ""
    if isinstance(value, list) and not any(isinstance(each, dict | list) for each in value):
        return ", ".join(map(write_value, value))
    text = value.strip(MARK) if isinstance(value, str) else dump_json(value)
    return " ".join(text.split())
