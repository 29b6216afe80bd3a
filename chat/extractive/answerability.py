"""Answerability: the probability that the library answers a question.

With a language model it is estimated from retrieval alone; without one, from the best unit too.
"""

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np

from chat.extractive.columns import asked_cells
from chat.extractive.scorer import ScoredUnit, get_weights
from chat.extractive.selection import log_odds
from citations.formats.tables import is_figure
from citations.index.ranking import index_terms
from citations.index.scope import Scope
from citations.languages import identify_language
from citations.retrieval import Found
from citations.retrieval.units import UnitForm
from memory.text.words import split_words

# Thresholds: below the first an answer is unsure, below the second nothing was found.
SURE, NOTHING = 0.5, 0.05
# The highest answerability of a question for a total, which quotations can't compute.
IN_DOUBT = 0.49
# Below this the answer may be in a document that is still being read.
CLOSE = 0.2
# A question limited to at most this many documents is taken to be about them.
FEW_DOCUMENTS = 3
# The runners-up that the best passage is compared with; the lead if there are fewer, and at most.
OTHERS, TYPICAL_LEAD, MOST_LEAD = 5, 0.12, 0.2
LONG_QUESTION = 12
# Words that ask for an aggregate of rows, in English, Spanish, German and French.
TOTALS = frozenset(
    """total sum average mean count combined overall altogether most least highest lowest largest
    smallest promedio media suma mayor menor cuantos cuantas mas menos insgesamt summe durchschnitt
    höchste niedrigste meisten wenigsten totale somme moyenne""".split()
)
# A code: capital letters and digits in one word.
CODE = re.compile(r"(?<!\w)(?=[\w/-]*[A-Z]{2})(?=[\w/-]*\d{2})[\w/-]{5,40}(?![\w/-])")
# Beginnings of "how many" questions, which a cell can answer.
COUNTS = frozenset({("how", "many"), ("wie", "viele")})

RETRIEVAL_NAMES = ("fit", "nearest", "lead", "words", "abroad", "limited", "length")
ANSWER_NAMES = (*RETRIEVAL_NAMES, "unit", "unit_near", "held", "held_by_unit", "nowhere")


def compute_retrieval_signs(question: str, found: Sequence[Found], scope: Scope) -> list[float]:
    """Return the features RETRIEVAL_NAMES of the passages' fit to the question."""
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


def compute_answer_signs(question: str, units: Sequence[ScoredUnit]) -> list[float]:
    """Return the remaining features of ANSWER_NAMES, about the best unit."""
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
    """Return the answerability, estimated from the passages' fit."""
    if not found:
        return 0.0
    signs = compute_retrieval_signs(question, found, scope)
    return compute_chance(get_weights("retrieval", found), RETRIEVAL_NAMES, signs)


def estimate_from_units(
    question: str, found: Sequence[Found], units: Sequence[ScoredUnit], scope: Scope
) -> float:
    """Return the answerability, estimated from the passages and their units."""
    if not any(each.can_answer for each in units):
        return 0.0
    signs = [
        *compute_retrieval_signs(question, found, scope),
        *compute_answer_signs(question, units),
    ]
    likely = compute_chance(get_weights("answerability", found), ANSWER_NAMES, signs)
    # Across languages few words are shared, so retrieval gives no upper bound.
    if signs[RETRIEVAL_NAMES.index("abroad")]:
        return likely
    return min(likely, estimate_from_retrieval(question, found, scope))


def is_beyond_row(question: str, units: Sequence[ScoredUnit]) -> bool:
    """Return whether the question asks for a total or an empty cell, and a row is the best unit."""
    answering = (each for each in units if each.can_answer)
    best = max(answering, key=lambda each: each.score, default=None)
    if best is None or best.unit.form is not UnitForm.ROW:
        return False
    asked, cells = split_words(question), asked_cells(question, best)
    if not TOTALS.isdisjoint(asked) or (cells and not any(cells)):
        return True
    is_counted = best.own > 0 and any(map(is_figure, cells))
    return tuple(asked[:2]) in COUNTS and not is_counted


def names_unheld_code(question: str, units: Sequence[ScoredUnit]) -> bool:
    """Return whether the question names a code, as "PKX-4417", that no passage holds."""
    codes = CODE.findall(question)
    passages = {each.passage.pk: each.passage for each in units} if codes else {}
    texts = [f"{each.document.title}\n{each.heading}\n{each.text}" for each in passages.values()]
    held = squeeze("\n".join(texts))
    return any(squeeze(code) not in held for code in codes)


def squeeze(text: str) -> str:
    """Return the letters and digits of a text, since codes vary in their punctuation."""
    return "".join(filter(str.isalnum, text)).casefold()


def compute_chance(
    weights: Mapping[str, float], names: Sequence[str], signs: Sequence[float]
) -> float:
    total = weights["constant"] + float(np.dot([weights[name] for name in names], signs))
    return 1 / (1 + math.exp(-total))
