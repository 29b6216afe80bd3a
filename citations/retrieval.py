"""Retrieval: the passages that may answer a question, best first.

A passage's words (BM25, as a share of what the best possible passage would score) and its vector
(the cosine) are added, words weighing WORDS. Both are on scales of their own that don't depend on
what else was found, so the sum says how well a passage fits at all, not only which fits best: a
logistic curve makes it the `score`. Reciprocal ranks would throw that away, and rank worse than
vectors alone.
"""

import math
from dataclasses import dataclass

from django.conf import settings

from citations import index
from citations.index import Hit, Scope, index_terms
from citations.models import Passage
from memory.embedding import Vectors, embed_query

__all__ = ["NOTHING_BELOW", "Found", "Scope", "find"]

# So many candidates by words, and as many by vectors.
POOL = 100
WORDS = 0.3


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
# (.88) and .72.
NOTHING_BELOW = 0.35


@dataclass(frozen=True)
class Found:
    """A passage with its document, its rank from 1, and how well it fits (0 to 1)."""

    passage: Passage
    rank: int
    score: float
    # What the score is made of, where the passage was found that way: both at most 1.
    word_score: float | None
    vector_score: float | None


@dataclass(frozen=True)
class Candidate:
    """A passage's id and its scores."""

    passage: int
    score: float
    word_score: float | None
    vector_score: float | None


def find(
    query: str,
    *,
    scope: Scope,
    limit: int | None = None,
    vector: Vectors | None = None,
) -> list[Found]:
    """Return the passages in scope that fit the question best.

    `vector` is the question's, if the caller has it already. Without an embedding engine, words
    decide alone.
    """
    limit = settings.MAX_CITATIONS if limit is None else limit
    vector = embed_query(query) if vector is None else vector
    pool = max(POOL, limit)
    by_words = index.words(index_terms(query), scope, pool)
    by_vector = [] if vector is None else index.nearest(vector, scope, pool)
    return with_passages(fused(by_words, by_vector)[:limit], scope)


def fused(by_words: list[Hit], by_vector: list[Hit]) -> list[Candidate]:
    """Join both lists into one, best first.

    A passage that only its words found is at most as near as the last that its vector found.
    """
    words, cosines = dict(by_words), dict(by_vector)
    farthest = min(cosines.values(), default=0.0)
    curve = WITH_VECTORS if cosines else WORDS_ALONE
    weight = WORDS if cosines else 1.0
    candidates = [
        Candidate(
            passage=passage,
            score=curve(cosines.get(passage, farthest) + weight * words.get(passage, 0.0)),
            word_score=words.get(passage),
            vector_score=cosines.get(passage),
        )
        for passage in words | cosines
    ]
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.passage))


def with_passages(candidates: list[Candidate], scope: Scope) -> list[Found]:
    """Read the passages and documents; out of scope is out, whatever the index said."""
    ids = [candidate.passage for candidate in candidates]
    passages = Passage.objects.filter(scope.readable).select_related("document").in_bulk(ids)
    kept = [candidate for candidate in candidates if candidate.passage in passages]
    return [
        Found(
            passage=passages[candidate.passage],
            rank=rank,
            score=candidate.score,
            word_score=candidate.word_score,
            vector_score=candidate.vector_score,
        )
        for rank, candidate in enumerate(kept, start=1)
    ]
