"""Answered: the section under a heading that asks what was asked, as it is quoted for that."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from chat.quoting.spans.lists import word_count
from citations.formats.blocks import BlockKind
from citations.retrieval.units import BARE_VERDICT, QUESTION, UnitForm

if TYPE_CHECKING:
    from chat.quoting.spans import Quote, ScoredUnit

# Words of a section that is quoted whole.
MOST_OF_SECTION = 150


def answered_section(
    best: "ScoredUnit", candidates: "Sequence[ScoredUnit]", quote: "Quote"
) -> "Quote":
    """Return the quotation of the best unit, or the whole section that it stands in, if that is
    short and its heading asks what was asked.
    """
    row = [each for each in candidates if each.passage.pk == best.passage.pk]
    first, last = section_around(row, row.index(best))
    heads = [each.unit for each in row[first : first + 1] if is_head(each)]
    first += len(heads)
    if not best.is_asked or word_count(row, first, last) > MOST_OF_SECTION:
        return quote
    told = tuple(
        each.unit
        for at, each in enumerate(row[first : last + 1], start=first)
        if each.unit.form is not UnitForm.ABOVE or heads_rows(row, at)
    )
    return replace(quote, units=told, above=tuple(heads))


def section_around(row: "Sequence[ScoredUnit]", at: int) -> tuple[int, int]:
    """Return where the section begins, with its heading if that is in the passage, and ends."""
    first, last = at, at
    while first and not is_head(row[first]):
        first -= 1
    while last + 1 < len(row) and not is_head(row[last + 1]):
        last += 1
    return first, last


def is_head(each: "ScoredUnit") -> bool:
    """Return whether a unit is a heading within its passage, or a question on a line of its own."""
    spans = each.passage.spans
    is_heading = bool(spans) and spans[each.unit.block].kind == BlockKind.HEADING
    asks = each.unit.form is UnitForm.ABOVE and QUESTION.search(each.text[-8:]) is not None
    return is_heading or asks


def heads_rows(row: "Sequence[ScoredUnit]", at: int) -> bool:
    """Return whether a unit is the header or the caption of rows that follow it."""
    form = row[at].unit.form
    while at < len(row) and row[at].unit.form is UnitForm.ABOVE:
        at += 1
    return form is UnitForm.ABOVE and at < len(row) and row[at].unit.form is UnitForm.ROW


def question_above(row: "Sequence[ScoredUnit]", at: int) -> "list[ScoredUnit]":
    """Return the question within the passage that a bare verdict is told for."""
    is_bare = BARE_VERDICT.fullmatch(row[at].text) is not None
    return [each for each in row[at - 1 : at] if is_head(each)] if is_bare and at else []
