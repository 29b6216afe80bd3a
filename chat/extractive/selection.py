"""Selection of quotations: the best contiguous stretch, and at most one more place."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from chat.extractive.scorer import ScoredUnit
from citations.formats.blocks import BlockKind
from citations.index.ranking import index_terms
from citations.models import Passage
from citations.retrieval.units import PassageUnit, UnitForm

# Most words of all places together, in an answer and in an unsure one. With these the answers
# examination have 66 words in the mean.
MOST_WORDS, MOST_WORDS_IN_DOUBT = 65, 90
MOST_PLACES = 2
# Largest distances of a second place, and of a further row, from the best, in log-odds.
BEHIND, ROW_BEHIND = 3.0, 1.0
# The lead in score that the preceding unit needs to be taken before the following one.
BEFORE = 0.1
# The least share of new terms in a second place.
NEW_TERMS = 0.5


@dataclass(frozen=True)
class Stretch:
    """Units of one passage in order, with the header or the lead above them."""

    passage: Passage
    units: tuple[PassageUnit, ...]
    above: tuple[PassageUnit, ...]

    @property
    def text(self) -> str:
        return "\n".join(unit.quote(self.passage.text) for unit in (*self.above, *self.units))

    @property
    def words(self) -> int:
        return len(self.text.split())


def select_stretches(
    units: Sequence[ScoredUnit], *, words: int = MOST_WORDS, places: int = MOST_PLACES
) -> list[Stretch]:
    """Return the stretches to quote, the best first, without units whose score is 0."""
    ranked = sorted((each for each in units if each.can_be_quoted), key=lambda each: -each.score)
    selected: list[Stretch] = []
    for each in ranked:
        is_behind = log_odds(ranked[0].score) - log_odds(each.score) > BEHIND
        if len(selected) == places or is_behind:
            break
        if any(each.text in stretch.text for stretch in selected) or is_lesser(each, ranked[0]):
            continue
        left = words - sum(stretch.words for stretch in selected)
        stretch = widen_stretch(each, units, left)
        if not selected or (stretch.words <= left and adds_terms(stretch, selected)):
            selected.append(stretch)
    return selected


def widen_stretch(best: ScoredUnit, units: Sequence[ScoredUnit], most: int) -> Stretch:
    """Return the unit with the neighbours that fit, the likeliest first."""
    row = [each for each in units if each.passage.pk == best.passage.pk]
    first = last = row.index(best)
    above = read_lead_units(row, first)
    room = most - Stretch(best.passage, (best.unit,), above).words
    while True:
        sizes = {
            at: len(row[at].text.split())
            for at in (last + 1, first - 1)  # at equal scores the following one
            if is_neighbour(row, at, best)
        }
        fitting = [at for at, size in sizes.items() if size <= room]
        if not fitting:
            break
        at = max(fitting, key=lambda at: row[at].score - BEFORE * (at < first))
        room -= sizes[at]
        first, last = min(first, at), max(last, at)
    chosen = tuple(each.unit for each in row[first : last + 1])
    return Stretch(best.passage, chosen, tuple(unit for unit in above if unit not in chosen))


def is_neighbour(row: Sequence[ScoredUnit], at: int, best: ScoredUnit) -> bool:
    """Return whether the unit can be quoted together with the best one.

    A row must be as likely, and hold as much of the question.
    """
    if not 0 <= at < len(row) or not row[at].can_be_quoted:
        return False
    forms = {row[at].unit.form, best.unit.form}
    if UnitForm.ROW not in forms:
        return True
    if is_lesser(row[at], best):
        return False
    return len(forms) == 1 and log_odds(best.score) - log_odds(row[at].score) < ROW_BEHIND


def is_lesser(row: ScoredUnit, best: ScoredUnit) -> bool:
    """Return whether a row holds less of the question than the best row of its document."""
    are_rows = row.unit.form is best.unit.form is UnitForm.ROW
    is_beside = row.passage.document_id == best.passage.document_id
    return are_rows and is_beside and row.own < best.own


def read_lead_units(row: Sequence[ScoredUnit], at: int) -> tuple[PassageUnit, ...]:
    """Return the header of a row, or the lead of an item or of code."""
    form = row[at].unit.form
    before = at - 1
    while before >= 0 and row[before].unit.form is form:
        before -= 1
    if form is UnitForm.SENTENCE or before < 0:
        return ()
    lead = row[before]
    if form is UnitForm.ROW:
        return (lead.unit,) if lead.kind == BlockKind.HEADER else ()
    is_lead = lead.unit.form is UnitForm.SENTENCE and lead.text.rstrip().endswith(":")
    return (lead.unit,) if is_lead else ()


def adds_terms(stretch: Stretch, selected: Sequence[Stretch]) -> bool:
    """Return whether enough of the stretch's terms are new."""
    said = {term for each in selected for term in index_terms(each.text)}
    own = set(index_terms(stretch.text))
    return len(own - said) >= NEW_TERMS * len(own)


def log_odds(score: float) -> float:
    score = min(max(score, 1e-6), 1 - 1e-6)
    return math.log(score / (1 - score))
