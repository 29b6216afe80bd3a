"""Scoring: how likely each unit of the offered passages answers the question.

Without a reader's judgement: how well its passage fits, how near its vector is to the question's,
which share of the question's rarer words it holds, under its heading, and whether its wording and
form are those of an answer to such a question.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from chat.quoting.kinds import Kind, worth
from chat.quoting.spans import Candidate
from citations.citing import Offer
from citations.retrieval.units import Form, Unit, units_of
from memory.embedding import Embedded, EmbeddingError, embedder
from memory.words import terms

# Units that are compared by meaning; embedding one costs some milliseconds.
SHORTLIST = 14
FIT, NEAR, WORDS = 0.5, 1.0, 0.3
# What stands in for the nearness of what isn't compared, or where there is no engine.
UNSEEN = 0.15
# The sum at which a unit is as likely to answer as not, and how steep the curve is.
MIDDLE, STEEPNESS = 1.15, 5.0


def scored(
    asked: Embedded,
    offers: Sequence[Offer],
    fits: Mapping[int, float],
    kinds: list[Kind],
) -> list[Candidate]:
    """Return the units of the offers, each with its score; `fits` are those of passages by label."""
    found = [(offer, unit) for offer in offers for unit in units_of(offer.passage)]
    texts = [unit.of(offer.passage.text) for offer, unit in found]
    held = [covered(offer, text) for (offer, _), text in zip(found, texts, strict=True)]
    weights = rarities(terms(asked.text), [own for own, _ in held])
    sums = np.array(
        [
            FIT * fits.get(offer.label, 0.0)
            + WORDS * share(weights, own, above)
            + worth(kinds, text, unit.form)
            for (offer, unit), text, (own, above) in zip(found, texts, held, strict=True)
        ]
    )
    if not len(sums):
        return []
    sums = sums + NEAR * nearness(asked, found, texts, sums)
    chances = 1 / (1 + np.exp(STEEPNESS * (MIDDLE - sums)))
    return [
        Candidate(offer.label, offer.document_id, offer.passage, unit, float(chance))
        for (offer, unit), chance in zip(found, chances, strict=True)
    ]


def covered(offer: Offer, text: str) -> tuple[set[str], set[str]]:
    """Return the words of a unit, and those of what it stands under."""
    return set(terms(text)), set(terms(offer.passage.heading))


def rarities(asked: Sequence[str], held: Sequence[set[str]]) -> dict[str, float]:
    """Return a weight for each word of the question: the rarer in the units, the heavier."""
    raw = {
        term: math.log(1 + len(held) / (1 + sum(term in words for words in held)))
        for term in set(asked)
    }
    total = sum(raw.values()) or 1.0
    return {term: weight / total for term, weight in raw.items()}


def share(weights: Mapping[str, float], own: set[str], above: set[str]) -> float:
    """Return the weighted share of the question that is held; by what stands above, half of it."""
    return sum(
        weight * (1.0 if term in own else 0.5 if term in above else 0.0)
        for term, weight in weights.items()
    )


def nearness(
    asked: Embedded, found: Sequence[tuple[Offer, Unit]], texts: Sequence[str], sums: np.ndarray
) -> np.ndarray:
    """Return the cosine with the question, over its spread, of the units that come into question."""
    near = np.full(len(texts), UNSEEN)
    engine, vector = embedder(), asked.vector
    if engine is None or vector is None:
        return near
    open_ = [at for at, (_, unit) in enumerate(found) if unit.form is not Form.ABOVE]
    rows = sorted(open_, key=lambda at: -sums[at])[:SHORTLIST]
    try:
        vectors = engine.embed([texts[at] for at in rows])
    except EmbeddingError:
        return near
    near[rows] = vectors @ vector / engine.spread
    return near
