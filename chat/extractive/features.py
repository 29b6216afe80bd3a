"""Features of units, by which the scorer tells how likely each answers the question."""

import math
from collections.abc import Collection, Sequence

import numpy as np

from chat.extractive.units import ReadUnit
from citations.index import index_terms
from citations.retrieval.units import UnitForm

NAMES = (
    "fit",
    "near",
    "own",
    "context",
    "begins",
    "defines",
    "item",
    "code",
    "length",
    "first",
    "leads",
)
# What a term counts that was put into the question by its rewrite.
CARRIED = 0.4
TYPICAL_WORDS = 20
# The first words of a unit: of an entry or a definition what it is of.
FIRST_WORDS = 3
# The share from which on a unit begins with all that is asked about.
WHOLE = 0.99


def compute_features(
    asked: str, typed: str, units: Sequence[ReadUnit], near: np.ndarray
) -> np.ndarray:
    """Return the features as (units, features)."""
    weights = term_weights(asked, typed, units)
    begins = [
        share(weights, index_terms(" ".join(each.text.split()[:FIRST_WORDS]))) for each in units
    ]
    return np.array(
        [
            (
                each.found.fit,
                cosine,
                share(weights, each.terms),
                share(weights, each.context - each.terms),
                beginning,
                beginning >= WHOLE,
                each.unit.form is UnitForm.ITEM,
                each.unit.form is UnitForm.CODE,
                math.log2(max(1, len(each.text.split())) / TYPICAL_WORDS),
                each.is_first,
                each.text.rstrip().endswith(":"),
            )
            for each, cosine, beginning in zip(units, near, begins, strict=True)
        ],
        dtype=float,
    )


def term_weights(asked: str, typed: str, units: Sequence[ReadUnit]) -> dict[str, float]:
    """Return the weight of each term of the question; the rarer in the units, the heavier."""
    own = set(index_terms(typed))
    terms = set(index_terms(asked)) or own
    raw = {
        term: math.log(1 + len(units) / (1 + sum(term in each.terms for each in units)))
        * (1.0 if term in own else CARRIED)
        for term in terms
    }
    total = sum(raw.values()) or 1.0
    return {term: weight / total for term, weight in raw.items()}


def share(weights: dict[str, float], terms: Collection[str]) -> float:
    """Return the weighted share of the question's terms that are among these."""
    return sum(weights.get(term, 0.0) for term in set(terms))
