"""Columns: of a wide table those are shown that say what a row is, and what was asked of it."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from citations.formats.blocks import LEFT_OUT
from memory.text.words import terms

# A table with so many columns is shown whole.
MOST_SHOWN = 8


def narrowed(
    head: list[str],
    rows: list[list[str]],
    asked: AbstractSet[str],
    answers: Sequence[re.Pattern[str]],
) -> tuple[list[str], list[list[str]]]:
    """Return head and rows of the first column, and of those that the question names or whose
    cells it names, with a mark for what is left out; all, if none that answers is named.
    """
    wanted = [at for at, name in enumerate(head) if at and not asked.isdisjoint(terms(name))]
    told = [row[at] for row in rows for at in wanted if at < len(row)]
    is_answered = not answers or any(says.search(cell) for says in answers for cell in told)
    if len(head) <= MOST_SHOWN or not any(told) or not is_answered:
        return head, rows
    named = [
        at
        for at in range(1, len(head))
        if any(at < len(row) and not asked.isdisjoint(terms(row[at])) for row in rows)
    ]
    shown = sorted({*_keys(head, rows), *wanted, *named})
    if len(shown) > MOST_SHOWN:
        return head, rows
    return _only(head, shown), [_only(row, shown) for row in rows]


def _keys(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Sequence[int]:
    """Return the columns that say what a row is: the first, where that is numbers with the next,
    and where it is called nothing with one more of texts: "Chevrolet", "Astro".
    """
    is_numbered = all(row[0].strip(" .").isdecimal() for row in rows if row)
    more = [row[2] for row in rows if len(row) > 2]
    has_text = (
        not head[0].strip()
        and bool(more)
        and not any(letter.isdigit() for cell in more for letter in cell[:1])
    )
    return tuple(range(2 + has_text)) if is_numbered else (0,)


def _only(cells: Sequence[str], shown: Sequence[int]) -> list[str]:
    return [*(cells[at] if at < len(cells) else "" for at in shown), LEFT_OUT]
