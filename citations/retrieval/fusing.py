"""Fusing: what words and vectors found becomes one list, on one scale."""

import math
from dataclasses import dataclass

from citations.index import IndexHit
from citations.retrieval.before import Before
from memory.text.embedding import embedder
from memory.text.embedding.e5 import E5


@dataclass(frozen=True)
class Curve:
    """A logistic curve: the fit at which a passage is as likely to answer as not, and how steep."""

    middle: float
    steepness: float

    def __call__(self, fit: float) -> float:
        return 1 / (1 + math.exp(-self.steepness * (fit - self.middle)))


@dataclass(frozen=True)
class Fusing:
    """How an engine's cosines and words are added: what words weigh, and the curve of the sum."""

    words: float
    curve: Curve


# Each engine's fitted on the conversations of MT-RAG, CAsT and iKAT, and E5's on questions over
# documents as well.
MINILM = Fusing(words=0.3, curve=Curve(middle=0.49, steepness=12))
FUSING = {E5.model: Fusing(words=0.55, curve=Curve(middle=0.7, steepness=6))}
ALONE = Fusing(words=1.0, curve=Curve(middle=0.27, steepness=8))


@dataclass(frozen=True)
class Scores:
    """A passage's id and its scores."""

    passage: int
    score: float
    fit: float
    word_score: float | None
    known_word_score: float | None
    vector_score: float | None


def fit_of(hit: IndexHit, before: Before | None) -> float:
    """Return how well a passage that was found by vector fits; alone, if by another engine's."""
    return before.fit(hit.cosines) if before and len(hit.cosines) > 1 else hit.cosines[0]


def fused(
    search_words: list[IndexHit], by_vector: list[IndexHit], before: Before | None = None
) -> list[Scores]:
    """Join both lists into one, best first.

    A passage that only its words found is at most as near as the last that its vector found.
    """
    words = {hit.passage: hit for hit in search_words}
    cosines = {hit.passage: hit.cosines[0] for hit in by_vector}
    fits = {hit.passage: fit_of(hit, before) for hit in by_vector}
    farthest = min(fits.values(), default=0.0)
    engine = embedder()
    how = FUSING.get(engine.model, MINILM) if fits and engine else ALONE
    candidates = []
    for passage in words | cosines:
        by_word = words.get(passage)
        share = by_word.score if by_word else None
        fit = fits.get(passage, farthest) + how.words * (share or 0.0)
        of_known = by_word.of_known if by_word else None
        nearness = cosines.get(passage)
        candidates.append(Scores(passage, how.curve(fit), fit, share, of_known, nearness))
    return sorted(candidates, key=lambda candidate: (-candidate.fit, candidate.passage))
