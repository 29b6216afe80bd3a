"""Lists: which items or rows are quoted together, and what an item stands under in its list."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from citations.formats.blocks import INDENTATION
from citations.retrieval.units import UnitForm

if TYPE_CHECKING:
    from chat.quoting.spans import ScoredUnit

# Words of one place.
MOST_OF_ONE = 110
# Items or rows that are quoted together, and a list that was asked for: its words, its items.
MOST_SIBLINGS = 8
MOST_OF_LIST, MOST_ITEMS = 180, 24
# Words of a list that is whole anyway, of what is under an item, and of what that stands under.
SHORT, SHORT_BRANCH, SHORT_PARENT = 40, 60, 20
# How likely a list's items or a table's rows must be, against the best, to come along. What an
# option does is understood by itself, as a row is.
SIBLING, SIBLING_ROW = 0.5, 0.8
OPTION = re.compile(r"\s*(?:- )?-{1,2}[^\W_][^:]{0,120}: ")
# So many items look like a whole list if only one is missing.
FEWEST_OF_LIST = 3
# "1. Open it.", "2) …", "3 Build it", one of several steps.
STEPS = (UnitForm.SENTENCE, UnitForm.ITEM)
STEP_NUMBER = re.compile(r"\s*(?:- )?\(?(\d{1,2})[.)]?\s+(?=[^\W\d_])")
FEWEST_STEPS = 3
# What ends an item that is only a part of the sentence that its list is.
CLAUSE_ENDS = re.compile(
    r"(?:[;,]|[;,]?\s(?:and|or|and/or|und|oder|y|o|et|ou))\s*$",
    re.IGNORECASE,
)


def siblings(row: "Sequence[ScoredUnit]", at: int, *, whole: bool) -> tuple[int, int]:
    """Return the items or rows around one that answer too, or all of a list that was asked for, is
    short, or is one sentence: what has a word or two says little alone, and a condition nothing.
    """
    best, most = row[at], MOST_OF_LIST if whole else MOST_OF_ONE
    is_item = best.unit.form is UnitForm.ITEM
    all_of_it = whole_list(row, at) if whole or is_item else None
    if all_of_it and (whole or word_count(row, *all_of_it) <= SHORT or is_one(row, *all_of_it)):
        return all_of_it
    is_entry = best.unit.form is UnitForm.ROW or OPTION.match(best.text) is not None
    share = SIBLING_ROW if is_entry else SIBLING
    bar = 0.0 if whole else share * best.score
    first, last, words = at, at, len(best.text.split())
    for step in (1, -1):
        edge = at
        while 0 <= edge + step < len(row) and last - first + 1 < MOST_SIBLINGS:
            other = row[edge + step]
            words += len(other.text.split())
            if other.unit.form is not best.unit.form or other.score < bar or words > most:
                break
            edge += step
            first, last = min(first, edge), max(last, edge)
    if is_item and all_of_it and lacks_one((first, last), all_of_it):
        return all_of_it
    return first, last


def lacks_one(shown: tuple[int, int], listed: tuple[int, int]) -> bool:
    """Return whether of several items all but one are shown, which would look like all."""
    return FEWEST_OF_LIST <= shown[1] - shown[0] + 1 == listed[1] - listed[0]


def is_one(row: "Sequence[ScoredUnit]", first: int, last: int) -> bool:
    """Return whether the items are parts of one sentence: "…; or"."""
    return all(CLAUSE_ENDS.search(each.text) for each in row[first:last])


def whole_list(row: "Sequence[ScoredUnit]", at: int) -> tuple[int, int] | None:
    """Return where the list or the table begins and ends that the item or row is of, if it is not
    too long.
    """
    first, last, form = at, at, row[at].unit.form
    while first and row[first - 1].unit.form is form:
        first -= 1
    while last + 1 < len(row) and row[last + 1].unit.form is form:
        last += 1
    words = word_count(row, first, last)
    return (first, last) if words <= MOST_OF_LIST and last - first < MOST_ITEMS else None


def numbered_steps(row: "Sequence[ScoredUnit]", at: int) -> tuple[int, int] | None:
    """Return where steps numbered from 1 begin and end that a unit is one of or stands under, with
    the code and the remarks between them, if they are several and not too long.
    """
    first, last, count, is_aside = None, -1, 0, False
    for place, each in enumerate(row):
        if each.unit.form is UnitForm.ABOVE and count:
            break
        number = STEP_NUMBER.match(each.text) if each.unit.form in STEPS else None
        if number and int(number[1]) == count + 1:
            first, count = place if first is None else first, count + 1
        elif number and int(number[1]) == 1 and place <= at:
            first, count = place, 1
        elif number or each.unit.form is UnitForm.SENTENCE:
            is_aside = True
            continue
        elif is_aside:  # what stands behind a remark is of the steps only if another one follows
            continue
        last, is_aside = place, False
    if first is None or not first <= at <= last or count < FEWEST_STEPS:
        return None
    return (first, last) if word_count(row, first, last) <= MOST_OF_LIST else None


def code_end(row: "Sequence[ScoredUnit]", at: int) -> int:
    """Return where the code ends that the unit is a part of."""
    while at + 1 < len(row) and are_one_code(row[at], row[at + 1]):
        at += 1
    return at


def are_one_code(one: "ScoredUnit", other: "ScoredUnit") -> bool:
    """Return whether both are parts of one block of code."""
    is_code = one.unit.form is other.unit.form is UnitForm.CODE
    return is_code and one.unit.block == other.unit.block


def below_title(row: "Sequence[ScoredUnit]", at: int) -> int:
    """Return where the list begins that has a title there, or the place itself."""
    below = row[at + 1 : at + 2] if at < len(row) and row[at].unit.form is UnitForm.ABOVE else []
    return at + 1 if any(each.unit.form is UnitForm.ITEM for each in below) else at


def branch(row: "Sequence[ScoredUnit]", at: int) -> int:
    """Return where the items end that stand under one, farther to the right, if they are few."""
    last = at
    while last + 1 < len(row) and is_under(row[last + 1], row[at]):
        last += 1
    return last if word_count(row, at, last) <= SHORT_BRANCH else at


def parent(row: "Sequence[ScoredUnit]", at: int) -> "list[ScoredUnit]":
    """Return the item that one stands under, if it is short."""
    over = at - 1
    while over >= 0 and row[over].unit.form is UnitForm.ITEM and not is_under(row[at], row[over]):
        over -= 1
    if over < 0 or not is_under(row[at], row[over]):
        return []
    return [row[over]] if word_count(row, over, over) <= SHORT_PARENT else []


def is_under(item: "ScoredUnit", other: "ScoredUnit") -> bool:
    """Return whether an item stands farther to the right than another one."""
    are_items = item.unit.form is other.unit.form is UnitForm.ITEM
    return are_items and indentation(item.text) > indentation(other.text)


def indentation(text: str) -> int:
    return (len(text) - len(text.lstrip(" "))) // len(INDENTATION)


def word_count(row: "Sequence[ScoredUnit]", first: int, last: int) -> int:
    return sum(len(each.text.split()) for each in row[first : last + 1])
