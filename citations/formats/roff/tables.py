"""Tables of tbl: the lines between .TS and .TE become rows."""

import re
from collections.abc import Iterator, Sequence

from citations.formats.roff.escapes import printed

SEPARATOR = re.compile(r"\btab\s?\(\s?(.)\s?\)")
RULE = re.compile(r"\s*[_=][_=\s]*")
BOLD = re.compile(r"[bB]")
Row = tuple[list[str], bool]


def rows_of(lines: Sequence[str]) -> Iterator[Row]:
    """Yield the cells of each row, and whether it is a header."""
    separator, at = "\t", 0
    if lines and lines[0].rstrip().endswith(";"):
        found = SEPARATOR.search(lines[0])
        separator, at = found[1] if found else separator, 1
    end = end_of_format(lines, at)
    rows = list(cells_of(lines[end:], separator))
    headers = header_count(lines[at:end])
    if len(rows) > 2 and rows[0] is not None and rows[1] is None:
        headers = max(headers, 1)
    number = 0
    for cells in rows:
        if cells is not None and any(cells):
            yield cells, number < headers
            number += 1


def header_count(form: Sequence[str]) -> int:
    """Return how many rows the format sets as headers: above a rule, or in bold."""
    rules = [at for at, line in enumerate(form) if RULE.fullmatch(line)]
    if rules:
        return rules[0]
    return int(len(form) > 1 and BOLD.search(form[0]) is not None)


def end_of_format(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and not lines[at].rstrip().endswith("."):
        at += 1
    return at + 1


def cells_of(lines: Sequence[str], separator: str) -> Iterator[list[str] | None]:
    """Yield the cells of each row, None for a rule; a text block is one cell over many lines."""
    cells: list[str] = []
    block: list[str] | None = None
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith(".T&"):
            at = end_of_format(lines, at)
            continue
        if block is None and RULE.fullmatch(line):
            yield None
            continue
        if block is not None and not line.startswith("T}"):
            block.append(line)
            continue
        parts = line.split(separator)
        if block is not None:
            cells.append(words_of(block))
            block, parts = None, parts[1:]
        elif line.startswith((".", "'")) and len(parts) == 1:
            continue
        if parts and parts[-1].strip() == "T{":
            block = []
            parts = parts[:-1]
        cells += [printed(part).strip() for part in parts]
        if block is None:
            yield ["" if cell == "^" else cell for cell in cells]
            cells = []
    if block:
        yield [*cells, words_of(block)]


def words_of(block: Sequence[str]) -> str:
    """Return the text of a cell, whose requests only say how words look."""
    words = []
    for line in block:
        if line.startswith((".", "'")):
            _, _, line = line.partition(" ")
            line = line.replace('"', "")
        words.append(printed(line).strip())
    return " ".join(word for word in words if word)
