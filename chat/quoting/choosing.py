"""Choosing: what is quoted, the likeliest first; nothing twice, and a further place only if it is
nearly as likely and adds something.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

from chat.quoting.spans import DEFINES, MOST_WORDS, Quote, ScoredUnit, completed
from chat.quoting.spans.answered import answered_section
from chat.quoting.spans.going_on import continued
from chat.quoting.spans.leads import LEADS
from chat.quoting.spans.lists import MOST_OF_ONE
from citations.index import index_terms
from citations.models import Passage
from citations.retrieval.units import PassageUnit, UnitForm, units_of

# Words of an answer that compares.
MOST_COMPARED = 180
MOST_QUOTES = 3
# How far a further place may be behind the best in log-odds, so that there are more where none is
# much likelier than the others; and one of another document, which seldom adds what is missing.
# What is listed may stand in several places. Of 136 careless questions answered rightly 13 are by
# a further place alone: of the same document, at most .77 behind, and 1.25 in doubt.
BEHIND, ELSEWHERE = 0.9, 0.25
# The same where it isn't sure that any answers: whoever looks through more finds it more often.
BEHIND_IN_DOUBT, ELSEWHERE_IN_DOUBT, MOST_IN_DOUBT = 1.6, 1.25, 180
# How likely a further place must be to answer, against the best, in a comparison and of a list.
GOOD_ENOUGH_TO_COMPARE, GOOD_ENOUGH_TO_LIST = 0.15, 0.75
# Words of sentences with what stands around them: a sentence is seldom the whole of an answer.
IN_CONTEXT = 60
# The share of its words that a further place must add.
NEW_WORDS = 0.5


def chosen_quotes(
    candidates: Sequence[ScoredUnit],
    *,
    compared: frozenset[str] = frozenset(),
    lists: bool = False,
    steps: bool = False,
    in_doubt: bool = False,
) -> list[Quote]:
    """Return what is quoted, best first; the candidates of a passage are in its order.

    Of what is `compared`, by its terms, each document tells once, or each thing of one document.
    """
    ranked = sorted(
        (each for each in candidates if each.unit.form is not UnitForm.ABOVE),
        key=lambda each: -each.score,
    )
    quotes: list[Quote] = []
    most = MOST_COMPARED if compared else MOST_IN_DOUBT if in_doubt else MOST_WORDS
    for candidate in ranked:
        if len(quotes) == MOST_QUOTES:
            break
        if is_far_behind(
            candidate, ranked[0], compares=bool(compared), lists=lists, in_doubt=in_doubt
        ):
            continue  # one of another document: what is of the same one may be near enough
        is_known = any(is_in(candidate, quote) for quote in quotes)
        if is_known or (compared and not tells_of_another(candidate, quotes, compared)):
            continue
        quote = completed(candidate, candidates, lists=lists, steps=steps, compared=compared)
        if not quotes:
            answer, quote = quote, answered_section(candidate, candidates, quote)
            most += quote.words - answer.words  # a section leaves as much room for other places
        elif not fits(quote, quotes, most):
            if LEADS.search(candidate.text):  # which says nothing without what it leads to
                continue
            quote = completed(candidate, candidates, lists=lists, alone=True)
        # What is compared is said alike of both.
        if not quotes or (fits(quote, quotes, most) and (compared or adds(quote, quotes))):
            quotes.append(quote)
    return with_their_rest(join_quotes(quotes), candidates, whole=lists or steps)


def with_their_rest(
    quotes: Sequence[Quote], candidates: Sequence[ScoredUnit], *, whole: bool
) -> list[Quote]:
    """Return the quotes, each with what of the passage behind it goes on with it: nothing that
    another of them has.
    """
    read = {(each.passage.document_id, each.passage.position): each.passage for each in candidates}
    quoted = {each.passage.pk for each in quotes}
    shown: list[Quote] = []
    for quote in quotes:
        shown.append(quote)
        behind = read.get((quote.document, (quote.passage.position or 0) + 1))
        if behind is not None and behind.pk not in quoted:
            units = continued(quote, behind, whole=whole)
            shown += [Quote(behind, units, heads_of(behind, units), quote.score)] if units else []
    return shown


def in_context(quotes: Sequence[Quote], candidates: Sequence[ScoredUnit]) -> list[Quote]:
    """Return the quotes, those of few sentences with the sentences around them, the next first."""
    read: dict[int, list[PassageUnit]] = {}
    for each in candidates:
        read.setdefault(each.passage.pk, []).append(each.unit)
    return join_quotes([widened(quote, read[quote.passage.pk]) for quote in quotes])


def widened(quote: Quote, units: Sequence[PassageUnit]) -> Quote:
    """Return the quote with as many of the sentences around it as there is room for, unless it
    defines a term; nor is what defines another one brought along, nor a paragraph before.
    """
    said = [unit.of(quote.passage.text) for unit in units]
    sizes = [len(text.split()) for text in said]
    first, end = units.index(quote.units[0]), units.index(quote.units[-1]) + 1
    room = IN_CONTEXT - sum(sizes[first:end])
    plain = [
        unit.form is UnitForm.SENTENCE and not DEFINES.match(text)
        for unit, text in zip(units, said, strict=True)
    ]
    if room <= 0 or not all(plain[first:end]):
        return quote
    above = quote.above
    while True:
        beside = (at for at in (end, first - 1) if 0 <= at < len(units) and sizes[at] <= room)
        own = units[first].block
        fitting = (at for at in beside if plain[at] and (at >= end or units[at].block == own))
        if (at := next(fitting, None)) is None:
            return replace(quote, units=tuple(units[first:end]), above=above)
        above = () if at < first else above
        first, end, room = min(first, at), max(end, at + 1), room - sizes[at]


def heads_of(passage: Passage, units: Sequence[PassageUnit]) -> tuple[PassageUnit, ...]:
    """Return the header right above rows."""
    above = [unit for unit in units_of(passage) if unit.start < units[0].start]
    is_headed = units[0].form is UnitForm.ROW and above and above[-1].form is UnitForm.ABOVE
    return (above[-1],) if is_headed else ()


def is_far_behind(
    candidate: ScoredUnit, best: ScoredUnit, *, compares: bool, lists: bool, in_doubt: bool
) -> bool:
    """Return whether the unit is so much less likely to answer than the best that it isn't
    quoted.
    """
    if compares:
        return candidate.score < GOOD_ENOUGH_TO_COMPARE * best.score
    within, elsewhere = (BEHIND_IN_DOUBT, ELSEWHERE_IN_DOUBT) if in_doubt else (BEHIND, ELSEWHERE)
    is_elsewhere = candidate.passage.document_id != best.passage.document_id
    behind = elsewhere if is_elsewhere else within
    is_behind = log_odds(best) - log_odds(candidate) > behind
    return is_behind and not (lists and candidate.score >= GOOD_ENOUGH_TO_LIST * best.score)


def log_odds(candidate: ScoredUnit) -> float:
    score = min(max(candidate.score, 1e-6), 1 - 1e-6)
    return math.log(score / (1 - score))


def is_in(candidate: ScoredUnit, quote: Quote) -> bool:
    """Return whether the unit is quoted already, or one of the same words: from this passage,
    another place of it, or one that overlaps it.
    """
    is_there = candidate.passage.pk == quote.passage.pk and candidate.unit in quote.above
    return is_there or any(unit.of(quote.passage.text) == candidate.text for unit in quote.units)


def tells_of_another(
    candidate: ScoredUnit, quotes: Sequence[Quote], compared: frozenset[str]
) -> bool:
    """Return whether the unit is of another document, or of what is compared has something that no
    quote has, and lacks something that they have.
    """
    if candidate.passage.document_id not in {quote.document for quote in quotes}:
        return True
    said = compared & {term for quote in quotes for term in quote.terms}
    own = compared.intersection(index_terms(candidate.text))
    return not own <= said and not said <= own


def fits(quote: Quote, quotes: Sequence[Quote], most: int) -> bool:
    return sum(each.words for each in quotes) + quote.words <= most


def adds(quote: Quote, quotes: Sequence[Quote]) -> bool:
    """Return whether a place says something new: of a passage that is quoted already any other
    does, in the words of which the same things are told apart ("44 % … 72 %").
    """
    if any(each.passage.pk == quote.passage.pk for each in quotes):
        return True
    said = {term for each in quotes for term in each.terms}
    own = quote.terms
    return len(own - said) >= NEW_WORDS * len(own)


def join_quotes(quotes: Sequence[Quote]) -> list[Quote]:
    """Join what is quoted of one passage with nothing in between."""
    kept: list[Quote] = []
    for quote in quotes:
        touching = [each for each in kept if touch(each, quote)]
        if not touching:
            kept.append(quote)
            continue
        kept[kept.index(touching[0])] = joined([*touching, quote])
        kept = [each for each in kept if each not in touching[1:]]
    return kept


def joined(quotes: Sequence[Quote]) -> Quote:
    """Return quotes of one passage as one, under what the first of them stands under."""
    units = without_gaps(quotes[0].passage, {unit for quote in quotes for unit in quote.units})
    first = min(quotes, key=lambda quote: quote.units[0].start)
    above = tuple(unit for unit in first.above if unit not in units)
    return replace(quotes[0], units=units, above=above)


def without_gaps(passage: Passage, units: Collection[PassageUnit]) -> tuple[PassageUnit, ...]:
    """Return the units in order, with the few sentences that stand between them: without those
    they would read as if nothing were left out.
    """
    chosen = sorted(units, key=lambda unit: unit.start)
    blocks = {unit.block for unit in chosen if unit.form is UnitForm.SENTENCE}
    whole = [
        unit
        for unit in units_of(passage)
        if unit in units
        or (
            unit.form is UnitForm.SENTENCE
            and unit.block in blocks
            and chosen[0].start < unit.start < chosen[-1].start
        )
    ]
    words = sum(len(unit.of(passage.text).split()) for unit in whole)
    return tuple(whole if words <= MOST_OF_ONE else chosen)


def touch(one: Quote, other: Quote) -> bool:
    """Return whether both are of one block of one passage, or have a unit in common, or the other,
    which is the less likely, goes on where one ends.
    """
    if one.passage.pk != other.passage.pk:
        return False
    quoted = {*other.above, *other.units}
    between = one.passage.text[one.units[-1].end : min(unit.start for unit in quoted)]
    goes_on = one.units[-1].end <= other.units[0].start and not between.strip()
    is_one_block = one.units[-1].block == other.units[0].block
    return is_one_block or goes_on or not quoted.isdisjoint(one.units)
