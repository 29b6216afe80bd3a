"""Places: where a passage says what an answer quotes of it, word for word."""

import re
from collections.abc import Sequence

from django.conf import settings

from citations.formats.blocks import CELLS, LEFT_OUT
from memory.text.words import sentences

WORD, SIGNS = re.compile(r"[^\W_]+"), re.compile(r"[^\w\s]*")


def exact_place(said: str, passage: str) -> tuple[int, int] | None:
    """Return where the passage says each line, or each of its sentences, word for word; or None.

    What leads to an item far below it is left out of what would be too long for a quote.
    """
    words = list(WORD.finditer(passage))
    text = _spelt(passage)
    places: list[tuple[int, int]] = []
    for shown in said.split("\n"):
        line = _whole_row(shown, passage)
        whole = _spelt(line)
        parts = [whole] if whole in text else [_spelt(line[slice(*at)]) for at in sentences(line)]
        for sought in parts:
            if not sought.strip():
                continue
            at = text.find(sought)
            if at < 0:
                return None
            begin = text.count(" ", 0, at)
            places.append((begin, begin + sought.count(" ") - 1))
    if not places:
        return None
    first, last = _quotable(places)
    end = words[last - 1].end()
    ends = SIGNS.match(passage, end)
    return words[first].start(), ends.end() if ends else end


def _quotable(places: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the first word and the one behind the last of these places, or of the last of them
    that stand apart, if there is too much between them.
    """
    apart: list[tuple[int, int]] = []
    for begin, end in sorted(places):
        if apart and begin <= apart[-1][1]:
            begin, end = apart[-1][0], max(end, apart.pop()[1])
        apart.append((begin, end))
    while len(apart) > 1 and apart[-1][1] - apart[0][0] > settings.SNIPPET_LENGTH:
        apart.pop(0)
    return apart[0][0], apart[-1][1]


def _whole_row(line: str, passage: str) -> str:
    """Return the passage's row that a line has some cells of, and a mark for the others; else it is
    returned as it is.
    """
    if not line.rstrip(" |").endswith(LEFT_OUT):
        return line
    shown = [cell for cell in map(_spelt, line.split("|")) if cell.strip()]
    for row in passage.split("\n"):
        cells = iter([_spelt(cell) for cell in row.split(CELLS)])
        if shown and all(cell in cells for cell in shown):
            return row
    return line


def _spelt(text: str) -> str:
    """Return the words of the text alone, each between blanks."""
    return " ".join(["", *(word.group().casefold() for word in WORD.finditer(text)), ""])
