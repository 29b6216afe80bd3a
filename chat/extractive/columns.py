"""Columns of a table: those that a question names, and a row's cells in them."""

from collections.abc import Sequence

from chat.extractive.scorer import ScoredUnit
from citations.formats.blocks import CELLS
from citations.formats.tables.headers import JOINT
from citations.languages import get_common_words, identify_language
from memory.text.words import extract_terms, stem


def content_stems(question: str) -> frozenset[str]:
    """Return the stems of a question's words without its language's common words."""
    common = get_common_words(identify_language(question))
    return frozenset(extract_terms(question)) - {stem(word) for word in common}


def find_shown_columns(names: Sequence[str], stems: frozenset[str]) -> list[int]:
    """Return the columns to show: the first, and those that no other one answers better.

    A better column's name has all the question's words that theirs has, and more. A name without
    such words competes only with similar names: of two levels, or years.
    """
    held = [stems.intersection(extract_terms(name)) for name in names]
    return [
        at
        for at, name in enumerate(names)
        if not at
        or not any(
            held[at] < held[other] and (held[at] or are_alike(name, names[other]))
            for other in range(1, len(names))
        )
    ]


def are_alike(name: str, other: str) -> bool:
    """Return whether two names are of the same kind."""
    return (JOINT in name and JOINT in other) or (name.isdecimal() and other.isdecimal())


def asked_cells(question: str, row: ScoredUnit) -> list[str]:
    """Return the cells of a row, empty ones too, in the columns that the question names."""
    if row.read.lead is None:
        return []
    stems, cells = content_stems(question), row.text.split(CELLS)
    names = row.read.lead.text.split(CELLS)
    shown = [at for at in find_shown_columns(names, stems) if at]
    asked = [at for at in shown if stems.intersection(extract_terms(names[at]))]
    return [cells[at].strip() if at < len(cells) else "" for at in asked]
