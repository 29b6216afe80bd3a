"""Quotes as Markdown: quotations as blocks, tables as tables, code as code, one number for each."""

import re
from collections.abc import Iterable, Mapping, Sequence

from chat.prompts import BRACKETED_NUMBER
from chat.quoting.kinds import Kind
from chat.quoting.spans import Quote
from citations.formats.blocks import CELLS
from citations.retrieval.units import Form, Unit
from memory.words import stem, words

MOST_LINES = 16  # of code
MOST_SET_OFF = 3
WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
# What Markdown would take for more than it is, where it stands at the beginning of a line.
AT_LINE_START = re.compile(r"^(\s*)([-+*#>]|\d+[.)])(?=\s)", re.MULTILINE)
MARKS = re.compile(r"[\\`*]|(?<![^\W_])_|_(?![^\W_])")
ITEM_MARK = re.compile(r"^\s*(?:[-*•–▪◦‣]|\(?[\da-zA-Z]{1,4}[.)])\s+")
FENCE = "```"


def written(
    quotes: Sequence[Quote], labels: Mapping[int, int], kinds: Iterable[Kind], asked: Iterable[str]
) -> str:
    """Return the quotes as the text of an answer, behind each its marker and where it stands.

    `labels` are those of the offered passages, by their keys.
    """
    sought = Sought(kinds, asked)
    shown = [
        block(quote, labels[quote.passage.pk], sought if at == 0 else None)
        for at, quote in enumerate(quotes)
    ]
    return "\n\n".join(shown)


class Sought:
    """What is set off in a quotation: what the question looks for, else its own words."""

    def __init__(self, kinds: Iterable[Kind], asked: Iterable[str]) -> None:
        self._answers = [kind.says for kind in kinds if kind.is_answer and kind.says]
        self._stems = frozenset(asked)

    def in_bold(self, text: str) -> str:
        """Return the text, which is Markdown by now, with some stretches of it in bold."""
        found = [match.span() for says in self._answers for match in says.finditer(text)]
        found = [span for span in found if not self._asks_for(text[slice(*span)])]
        found = found or self._own(text)
        apart: list[tuple[int, int]] = []
        for start, end in sorted(found):
            if not apart or start > apart[-1][1]:
                apart.append((start, end))
        for start, end in reversed(apart[:MOST_SET_OFF]):
            text = f"{text[:start]}**{text[start:end]}**{text[end:]}"
        return text

    def _asks_for(self, text: str) -> bool:
        return all(stem(word) in self._stems for word in words(text))

    def _own(self, text: str) -> list[tuple[int, int]]:
        """Return where the question's words stand, those in a row as one."""
        found: list[tuple[int, int]] = []
        for match in WORD.finditer(text):
            if not self._stems.intersection(map(stem, words(match.group()))):
                continue
            if found and not text[found[-1][1] : match.start()].strip(" -"):
                found[-1] = (found[-1][0], match.end())
            else:
                found.append(match.span())
        return found


def block(quote: Quote, label: int, sought: Sought | None) -> str:
    """Return one quotation with its marker."""
    text = quote.passage.text
    marker = f"[{label}]"
    parts = [part for group in grouped([*quote.above, *quote.units]) for part in [(group, text)]]
    shown = [lines_of(group, text, sought) for group, text in parts]
    last = shown[-1]
    if last.startswith((FENCE, "|")):
        shown.append(marker)
    else:
        shown[-1] = f"{last} {marker}"
    whole = "\n\n".join(shown)
    return "\n".join(f"> {line}".rstrip() for line in whole.split("\n"))


def grouped(units: Sequence[Unit]) -> list[list[Unit]]:
    """Return the units so that those that make one paragraph, list or table are together."""
    groups: list[list[Unit]] = []
    for unit in units:
        last = groups[-1][-1] if groups else None
        together = last is not None and (
            (last.form is unit.form and unit.form in (Form.ITEM, Form.SENTENCE))
            or (unit.form in (Form.ROW, Form.ABOVE) and last.form in (Form.ROW, Form.ABOVE))
        )
        if together and (unit.form is not Form.SENTENCE or last.block == unit.block):
            groups[-1].append(unit)
        else:
            groups.append([unit])
    return groups


def lines_of(group: Sequence[Unit], text: str, sought: Sought | None) -> str:
    form = group[-1].form
    if form is Form.CODE:
        return code(group[0].of(text))
    if form is Form.ROW:
        return table(group, text)
    shown = [plain(unit.of(text)) for unit in group]
    if sought is not None:
        shown = [sought.in_bold(each) for each in shown]
    is_list = form is Form.ITEM and len(shown) > 1
    return "\n".join(f"- {each}" for each in shown) if is_list else " ".join(shown)


def code(text: str) -> str:
    lines = text.strip("\n").replace(FENCE, "'''").split("\n")
    kept = lines[:MOST_LINES] + ["…"] * (len(lines) > MOST_LINES)
    return "\n".join([FENCE, *kept, FENCE])


def table(group: Sequence[Unit], text: str) -> str:
    """Return rows as a table under their header; a caption stands above it."""
    rows = [unit.of(text) for unit in group]
    captions = [row for unit, row in zip(group, rows, strict=True) if not is_cells(unit, row)]
    cells = [
        [plain(cell).replace("|", r"\|") for cell in row.split(CELLS)]
        for unit, row in zip(group, rows, strict=True)
        if is_cells(unit, row)
    ]
    width = max(map(len, cells))
    heads = sum(unit.form is Form.ABOVE for unit in group) - len(captions)
    head, body = (cells[heads - 1], cells[heads:]) if heads else ([], cells)
    filled = [row + [""] * (width - len(row)) for row in [head, ["---"] * width, *body]]
    lines = ["| " + " | ".join(row) + " |" for row in filled]
    return "\n".join([*(f"{plain(caption)}\n" for caption in captions), *lines])


def is_cells(unit: Unit, row: str) -> bool:
    return unit.form is Form.ROW or CELLS in row


def plain(text: str) -> str:
    """Return a stretch of a document as Markdown that reads as the stretch does, on one line."""
    line = " ".join(ITEM_MARK.sub("", text).split())
    line = BRACKETED_NUMBER.sub(r"(\1)", line)
    line = MARKS.sub(lambda found: "\\" + found.group(), line)
    return AT_LINE_START.sub(r"\1\\\2", line)
