"""Stretches of documents as Markdown with the document's own structure."""

import re
from collections.abc import Sequence
from itertools import zip_longest

from chat.extractive.columns import find_shown_columns
from chat.prompting.wording import BRACKETED_NUMBER
from citations.formats.blocks import CELLS, LEFT_OUT
from memory.text.words import extract_terms, split_words, stem

# Text that Markdown would take for markup at the beginning of a line.
AT_LINE_START = re.compile(r"^(\d{1,9})?([-+](?=[\s-])|#(?=#{0,5}(?:\s|$))|>|~(?=~~)|[.)](?=\s))")
MARKS = re.compile(r"[\\`*]|(?<![^\W_])_|_(?![^\W_])")
ITEM_MARK = re.compile(r"^\s*(?:[-*•–▪◦‣]|[\da-zA-Z]{1,4}[.)])\s+")
TOKEN = re.compile(r"\S+")
# Addresses, links and paths are copied unchanged.
ADDRESS = re.compile(r"[@<>/\\`*]")
AROUND = ".,;:!?()[]\"'“”‘’«»"
FENCE = "```"
MOST_LINES = 16  # of code
MOST_COLUMNS = 8
MOST_BOLD = 3
PAIR = 2  # cells: a term and its definition


def format_quotation(text: str) -> str:
    """Return a stretch of a document as Markdown on one line."""
    line = " ".join(text.split())
    line = MARKS.sub(lambda found: "\\" + found.group(), line)
    line = BRACKETED_NUMBER.sub(r"\[\1\]", line)  # a number of the document, not a marker
    return AT_LINE_START.sub(r"\1\\\2", line)


def format_item(text: str) -> str:
    """Return an item of a list as Markdown, without its bullet."""
    return format_quotation(ITEM_MARK.sub("", text))


def embolden(text: str, stems: frozenset[str]) -> str:
    """Return Markdown with the first words of these stems in bold, adjacent ones together."""
    runs: list[tuple[int, int]] = []
    for token in TOKEN.finditer(text):
        said = token.group()
        if ADDRESS.search(said) or stems.isdisjoint(map(stem, split_words(said))):
            continue
        start = token.start() + len(said) - len(said.lstrip(AROUND))
        end = token.end() - (len(said) - len(said.rstrip(AROUND)))
        if runs and text[runs[-1][1] : start] == " ":
            start, _ = runs.pop()[0], end
        runs.append((start, end))
    for start, end in reversed(runs[:MOST_BOLD]):
        text = f"{text[:start]}**{text[start:end]}**{text[end:]}"
    return text


def fence_code(text: str) -> str:
    """Return code in a fence, shortened to its first lines."""
    lines = text.strip("\n").replace(FENCE, "'''").split("\n")
    kept = lines[:MOST_LINES] + ["…"] * (len(lines) > MOST_LINES)
    return "\n".join([FENCE, *kept, FENCE])


def draw_table(head: str, rows: Sequence[str], stems: frozenset[str]) -> str:
    """Return rows as a table with a header, without columns that the question doesn't need."""
    cells = [row.split(CELLS) for row in ([head] if head else []) + list(rows)]
    if head:
        cells = select_columns(cells, stems)
    cells = drop_blank_columns(cells)
    cells = [[format_quotation(cell).replace("|", r"\|") for cell in row] for row in cells]
    width = max(map(len, cells))
    if not head and width <= PAIR:
        lines = [": ".join(filter(None, row)) for row in cells]
        return "\n".join(f"- {line}" for line in lines) if len(lines) > 1 else lines[0]
    top, *body = cells if head else [[""] * width, *cells]
    filled = [[*row, *[""] * (width - len(row))] for row in (top, ["---"] * width, *body)]
    return "\n".join("| " + " | ".join(row) + " |" for row in filled)


def drop_blank_columns(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the rows without columns that are empty in all of them."""
    columns = [column for column in zip_longest(*rows, fillvalue="") if any(column)]
    return [list(row) for row in zip(*columns, strict=True)] if columns else [list(rows[0])]


def select_columns(rows: Sequence[Sequence[str]], stems: frozenset[str]) -> list[list[str]]:
    """Return the columns that answer the question best.

    Of a wide table these are the first two and the named ones.
    """
    names = rows[0]
    shown = find_shown_columns(names, stems)
    if len(names) > MOST_COLUMNS:
        named = [at for at in shown if at < 2 or stems.intersection(extract_terms(names[at]))]
        shown = named if len(named) > 2 else shown
    if len(shown) == len(names):
        return [list(row) for row in rows]
    return [[*(row[at] for at in shown if at < len(row)), LEFT_OUT] for row in rows]
