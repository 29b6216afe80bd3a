"""Answerability: how likely the library holds an answer to a question, from 0 to 1.

With a language model it is read off retrieval alone; without one the best unit tells more.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from chat.extractive.scorer import ScoredUnit, get_weights
from chat.extractive.selection import log_odds
from citations.index.ranking import index_terms
from citations.index.scope import Scope
from citations.languages import identify_language
from citations.retrieval import Found
from citations.retrieval.units import UnitForm
from memory.text.words import words

# Below the first an answer is only what comes closest, below the second nothing was found.
SURE, NOTHING = 0.5, 0.05
# The answerability at most of a total that nothing adds up.
IN_DOUBT = 0.49
# What comes less close than this may well stand in a document that is still being read.
CLOSE = 0.2
# A question limited to so few documents is taken to be about them.
FEW_DOCUMENTS = 3
# The passages behind the best that it is compared with, and the lead if there are fewer.
OTHERS, TYPICAL_LEAD, MOST_LEAD = 5, 0.12, 0.2
LONG_QUESTION = 12
# Words that ask for something over several rows, in English and Spanish.
TOTALS = frozenset(
    """total sum average mean count combined overall altogether most least highest lowest largest
    smallest promedio media suma mayor menor cuantos cuantas mas menos""".split()
)

RETRIEVAL_NAMES = ("fit", "nearest", "lead", "words", "abroad", "limited", "length")
ANSWER_NAMES = (*RETRIEVAL_NAMES, "unit", "unit_near", "held", "held_by_unit", "nowhere")


def retrieval_signs(question: str, found: Sequence[Found], scope: Scope) -> list[float]:
    """Return how well the passages fit the question, as RETRIEVAL_NAMES."""
    fits = sorted((each.fit for each in found), reverse=True)
    others = fits[1 : 1 + OTHERS]
    lead = fits[0] - sum(others) / OTHERS if len(others) == OTHERS else TYPICAL_LEAD
    language = identify_language(question)
    is_abroad = bool(language) and found[0].passage.document.language not in ("", language)
    is_limited = scope.documents is not None and len(scope.documents) <= FEW_DOCUMENTS
    return [
        fits[0],
        max(each.vector_score or 0.0 for each in found),
        min(lead, MOST_LEAD),
        max(each.known_word_score or 0.0 for each in found),
        float(is_abroad),
        float(is_limited),
        math.log(min(LONG_QUESTION, max(1, len(question.split())))),
    ]


def answer_signs(question: str, units: Sequence[ScoredUnit]) -> list[float]:
    """Return how well the best unit answers, as the rest of ANSWER_NAMES."""
    best = max((each for each in units if each.can_answer), key=lambda each: each.score)
    asked = set(index_terms(question))
    held_by = [each.read.terms | each.read.context for each in units]
    passage = {
        term
        for each, terms in zip(units, held_by, strict=True)
        if each.passage.pk == best.passage.pk
        for term in terms
    }
    anywhere = frozenset[str]().union(*held_by)
    count = len(asked) or 1
    return [
        log_odds(best.score),
        max(each.near for each in units),
        len(asked & passage) / count,
        best.own,
        len(asked - anywhere) / count,
    ]


def estimate_from_retrieval(question: str, found: Sequence[Found], scope: Scope) -> float:
    """Return the answerability by how well the passages fit."""
    if not found:
        return 0.0
    signs = retrieval_signs(question, found, scope)
    return chance(get_weights("retrieval", found), RETRIEVAL_NAMES, signs)


def estimate_from_units(
    question: str, found: Sequence[Found], units: Sequence[ScoredUnit], scope: Scope
) -> float:
    """Return the answerability by the passages and the units read of them."""
    if not any(each.can_answer for each in units):
        return 0.0
    signs = [*retrieval_signs(question, found, scope), *answer_signs(question, units)]
    likely = chance(get_weights("answerability", found), ANSWER_NAMES, signs)
    # Across languages few words are shared, so the fit of passages bounds nothing.
    if signs[RETRIEVAL_NAMES.index("abroad")]:
        return likely
    return min(likely, estimate_from_retrieval(question, found, scope))


def wants_total(question: str, units: Sequence[ScoredUnit]) -> bool:
    """Return whether the question asks for a total, and the best unit is a row of a table."""
    answering = (each for each in units if each.can_answer)
    best = max(answering, key=lambda each: each.score, default=None)
    is_row = best is not None and best.unit.form is UnitForm.ROW
    asked = words(question)
    return is_row and (not TOTALS.isdisjoint(asked) or asked[:2] == ["how", "many"])


def chance(weights: Mapping[str, float], names: Sequence[str], signs: Sequence[float]) -> float:
    total = weights["constant"] + float(np.dot([weights[name] for name in names], signs))
    return 1 / (1 + math.exp(-total))
