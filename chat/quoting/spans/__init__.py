"""Spans: what of a passage is quoted together, so that it is understood and nothing is torn.

A sentence comes with the one that completes it; an item with the lead of its list; a row with the
header of its table; code with the sentence that introduces it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from chat.quoting.spans.answered import heads_rows, question_above
from chat.quoting.spans.leads import (
    COUNTS,
    FOLLOWING,
    INTRODUCES,
    LEADS,
    excepted,
    how_it_is_done,
    led_to,
    told_before,
)
from chat.quoting.spans.lists import (
    MOST_OF_ONE,
    are_one_code,
    below_title,
    code_end,
    numbered_steps,
    parent,
    siblings,
    word_count,
)
from citations.index import index_terms
from citations.models import Passage
from citations.retrieval.units import BARE_VERDICT, PassageUnit, UnitForm

# Words of an answer.
MOST_WORDS = 110
# How likely what stands beside the best sentence must be, to come along.
COMES_ALONG = 0.3
# Sentences that are gone back: "He wrote …", behind "He was …", is of whom the one before names.
MOST_BACK = 2
# What is said of something named in the sentence before, by a word for it.
REFERS = re.compile(
    r"^\W*(?:it|its|this|these|those|they|their|he|she|his|her|such|both|the (?:former|latter)"
    r"|est[aeo]s?|es[aeo]s?|dich[oa]s?|ello|dies\w*|er|sie|es|cel\w+|cette|ces|il|elle)\b"
    # "The default value of this macro is …"
    r"|^\W*(?:the|el|la|der|die|das|le)(?:\s+\w+){1,4}?\s+(?:of|for|de|von|du)\s+(?:this|these|such"
    r"|est[aeo]s?|dies\w*|cette|ces?)\b"
    # "The default value is 3 seconds.", of what was named before.
    r"|^\W*(?:(?:the|its) )?defaults?(?: (?:value|setting)s?)?"
    r"(?: (?:is|are|was|being|to)\b|\s?[:=])",
    re.IGNORECASE,
)
# What goes on with it.
GOES_ON = re.compile(
    r"^\W*(?:then|otherwise|however|in (?:that|this|such) case)\b"
    r"|^[^.;:]{1,60}?\b(?:is|are|was|were) (?:therefore|thus|hence)\b",
    re.IGNORECASE,
)
# An item that is the next of several in their order, not one of several to choose from.
NUMBERED = re.compile(r"\s*(?:- )?\(?\d{1,2}[.)]\s")
# What defines another term.
DEFINES = re.compile(
    r"^\W*[\"“„«][^\"“”»]{1,60}[\"”“»],?\s+"
    r"(?:means?|refers?|is defined|significa|bedeutet|désigne)\b"
)
# "dot draws graphs in four main phases", and what then goes through them.
ANNOUNCES = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|several|dos|tres|cuatro|cinco|seis|zwei|drei"
    r"|vier|fünf|sechs|deux|trois|quatre|cinq)\s+(?:[\w-]+\s+){0,2}?[\w-]+(?:s|n|e)\b",
    re.IGNORECASE,
)
# What stands alone above the days of a year: "2024", "May 2024:", "Season 2023/24".
YEAR = re.compile(r"\W{0,3}(?:[^\W\d_]{3,12}\.? )?(?:1[5-9]|20)\d\d(?:[/–-]\d{2,4})?\W{0,3}")


@dataclass(frozen=True)
class ScoredUnit:
    """A unit of a passage, how likely it answers (0 to 1), and how near it is to the question."""

    passage: Passage
    unit: PassageUnit
    score: float
    near: float = 0.0
    # Whether it comes first under a question like the one asked.
    answers: bool = False
    # Whether the heading that it stands under asks what was asked.
    is_asked: bool = False

    @property
    def text(self) -> str:
        return self.unit.of(self.passage.text)


@dataclass(frozen=True)
class Quote:
    """Units of one passage, in order, with what they stand under."""

    passage: Passage
    units: tuple[PassageUnit, ...]
    above: tuple[PassageUnit, ...]
    score: float

    @property
    def document(self) -> UUID:
        return self.passage.document_id

    @property
    def text(self) -> str:
        units = (*self.above, *self.units)
        return "\n".join(unit.of(self.passage.text) for unit in units)

    @property
    def words(self) -> int:
        return sum(len(unit.of(self.passage.text).split()) for unit in (*self.above, *self.units))

    @property
    def terms(self) -> set[str]:
        return {term for unit in self.units for term in index_terms(unit.of(self.passage.text))}


def completed(
    best: ScoredUnit,
    candidates: Sequence[ScoredUnit],
    *,
    lists: bool,
    steps: bool = False,
    alone: bool = False,
    compared: frozenset[str] = frozenset(),
) -> Quote:
    """Return the unit with what belongs to it, or `alone` under what leads to it; a sentence goes
    on while more of what is `compared` is told behind it.
    """
    row = [each for each in candidates if each.passage.pk == best.passage.pk]
    at = row.index(best)
    first, last = at, at
    is_step = steps and NUMBERED.match(best.text) is not None
    told = numbered_steps(row, at) if steps and not alone and not compared else None
    if told:
        first, last = told
    elif best.unit.form in (UnitForm.ITEM, UnitForm.ROW):
        first, last = (at, at) if alone else siblings(row, at, whole=lists or is_step)
    elif best.unit.form is UnitForm.SENTENCE and compared:
        last = told_of_both(row, at, compared)
    elif best.unit.form is UnitForm.SENTENCE and not alone:
        first, last = sentence_with_its_own(row, at, lists=lists)
        last = max(last, how_it_is_done(row, first, last)) if steps else last
        last = excepted(row, first, last) if row[last].unit.form is UnitForm.SENTENCE else last
    last = last if alone or compared or told else led_to(row, first, last)
    units = tuple(
        row[place].unit
        for place in range(first, last + 1)
        if row[place].unit.form is not UnitForm.ABOVE or (place > first and heads_rows(row, place))
    )
    above = tuple(each.unit for each in leading(row, first))
    return Quote(best.passage, units, above, best.score)


def points_back(text: str) -> bool:
    """Return whether a sentence is understood only with the one before."""
    return bool(REFERS.match(text) or GOES_ON.match(text))


def sentence_with_its_own(row: Sequence[ScoredUnit], at: int, *, lists: bool) -> tuple[int, int]:
    """Return the stretch of a sentence with what it points back at, and what completes it."""
    best = row[at]
    first, last = at, at
    first -= at > 0 and BARE_VERDICT.fullmatch(row[at - 1].text) is not None
    while first and at - first < MOST_BACK and points_back(row[first].text):
        if row[first - 1].unit.form is not UnitForm.SENTENCE:
            break
        first -= 1
    first = told_before(row, first)
    ahead = at + 1
    while ahead < len(row) and heads_rows(row, ahead):
        ahead += 1
    if LEADS.search(best.text):
        ahead = below_title(row, ahead)
    following = row[ahead] if ahead < len(row) else None
    if following is None or following.unit.form is UnitForm.ABOVE:
        return first, last
    is_listed = following.unit.form in (UnitForm.ITEM, UnitForm.ROW)
    is_code = following.unit.form is UnitForm.CODE and INTRODUCES.search(best.text)
    is_led = is_listed and FOLLOWING.search(best.text)
    if LEADS.search(best.text) or is_code or is_led or (lists and is_listed):
        last = siblings(row, ahead, whole=True)[1] if is_listed else code_end(row, at + 1)
    elif ANNOUNCES.search(best.text):
        last = counted_off(row, at)
    if last == at and completes(following, best):
        words = word_count(row, first, at + 1)
        last = at + 1 if words <= MOST_WORDS else at
    return first, last


def told_of_both(row: Sequence[ScoredUnit], at: int, compared: frozenset[str]) -> int:
    """Return where what a sentence tells of the compared ends: it goes on while sentences tell of
    one of them, or point back.
    """
    last, words = at, 0
    for following in range(at, len(row)):
        unit, text = row[following].unit, row[following].text
        words += len(text.split())
        is_told = following == at or compared.intersection(index_terms(text)) or points_back(text)
        if unit.form is not UnitForm.SENTENCE or not is_told or words > MOST_OF_ONE:
            break
        last = following
    return last


def counted_off(row: Sequence[ScoredUnit], at: int) -> int:
    """Return where what a sentence announced ends: at the sentence, if nothing goes through it."""
    last, words = at, 0
    for following in range(at + 1, len(row)):
        unit, text = row[following].unit, row[following].text
        words += len(text.split())
        if unit.block != row[at].unit.block or words > MOST_OF_ONE:
            break
        if COUNTS.search(text):
            last = following
    return last


def completes(following: ScoredUnit, best: ScoredUnit) -> bool:
    """Return whether what follows the best sentence may go on with it."""
    is_likely = best.answers or following.score >= COMES_ALONG * best.score
    return (
        following.unit.form is UnitForm.SENTENCE and is_likely and not DEFINES.match(following.text)
    )


def leading(row: Sequence[ScoredUnit], first: int) -> list[ScoredUnit]:
    """Return what must stand above: the header of a row, the lead of an item or of code."""
    form = row[first].unit.form
    before = row[:first]
    if form is UnitForm.SENTENCE:
        return question_above(row, first)
    if form is UnitForm.ROW:
        while before and before[-1].unit.form is UnitForm.ROW:
            before = before[:-1]
        above = []
        while before and before[-1].unit.form is UnitForm.ABOVE:
            above.append(before[-1])
            before = before[:-1]
        return above[::-1]
    if form is UnitForm.ITEM:
        while before and before[-1].unit.form is UnitForm.ITEM:
            before = before[:-1]
    while before and are_one_code(before[-1], row[first]):
        before = before[:-1]
    over = parent(row, first) if form is UnitForm.ITEM else []
    if form is UnitForm.ITEM and before and YEAR.fullmatch(before[-1].text.strip()):
        return [before[-1], *over]
    if form is UnitForm.ITEM and before and below_title(row, len(before) - 1) == len(before):
        before = before[:-1]
    is_led = bool(before) and form in (UnitForm.ITEM, UnitForm.CODE)
    if is_led and before[-1].unit.form is UnitForm.SENTENCE:
        leads = form is UnitForm.CODE or LEADS.search(before[-1].text)
        return [before[-1], *over] if leads else over
    return over
