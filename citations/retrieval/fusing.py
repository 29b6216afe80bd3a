"""Fusing: what words and vectors found becomes one list, on one scale."""

import math
from dataclasses import dataclass

from citations.index import Hit
from citations.retrieval.before import Before

WORDS = 0.55


@dataclass(frozen=True)
class Curve:
    """A logistic curve: the fit at which a passage is as likely to answer as not, and how steep."""

    middle: float
    steepness: float

    def __call__(self, fit: float) -> float:
        return 1 / (1 + math.exp(-self.steepness * (fit - self.middle)))


WITH_VECTORS = Curve(middle=0.49, steepness=12)
WORDS_ALONE = Curve(middle=0.27, steepness=8)
# If the best passage scores less, the library holds nothing on the question. The curves were
# fitted on 826 questions of MT-RAG, CAsT and iKAT, each asked of the passages that answer it and
# of those on other subjects. Above it stay .89 of the answerable (.95 of those that depended on
# their conversation, written out by a person), below it .86 of the others; by words alone .89
# (.88) and .72. What came before moves little: of 751 follow-ups, rewritten by models that hadn't
# seen them, .93 stay above and .77 of those asked of other sets below; without it, .96 and .75.
NOTHING_BELOW = 0.35


@dataclass(frozen=True)
class Candidate:
    """A passage's id and its scores."""

    passage: int
    score: float
    fit: float
    word_score: float | None
    vector_score: float | None


def fit_of(hit: Hit, before: Before | None) -> float:
    """Return how well a passage that was found by vector fits; alone, if by another engine's."""
    return before.fit(hit.cosines) if before and len(hit.cosines) > 1 else hit.cosines[0]


def fused(
    by_words: list[Hit], by_vector: list[Hit], before: Before | None = None
) -> list[Candidate]:
    """Join both lists into one, best first.

    A passage that only its words found is at most as near as the last that its vector found.
    """
    words = {hit.passage: hit.score for hit in by_words}
    cosines = {hit.passage: hit.cosines[0] for hit in by_vector}
    fits = {hit.passage: fit_of(hit, before) for hit in by_vector}
    farthest = min(fits.values(), default=0.0)
    curve = WITH_VECTORS if fits else WORDS_ALONE
    weight = WORDS if fits else 1.0
    sums = {
        passage: fits.get(passage, farthest) + weight * words.get(passage, 0.0)
        for passage in words | cosines
    }
    candidates = [
        Candidate(
            passage=passage,
            score=curve(fit),
            fit=fit,
            word_score=words.get(passage),
            vector_score=cosines.get(passage),
        )
        for passage, fit in sums.items()
    ]
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.passage))
