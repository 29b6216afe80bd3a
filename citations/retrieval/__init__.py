"""Retrieval: the passages that may answer a question, best first.

A passage's word score (BM25, as a share of the best possible score) and its vector score (the
cosine) are added. For a follow-up, its nearness to the earlier turns counts too. None of these
scores depends on the other results, so the sum measures how well a passage fits at all, not only
which fits best. A logistic curve turns it into the `score`. Reciprocal ranks would lose that, and
rank worse than vectors alone.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from citations import index
from citations.index.ranking import index_terms
from citations.index.scope import IndexHit, Scope
from citations.models import Document, Passage
from citations.retrieval.before import Before
from memory.text.embedding import Embedded, get_embedder
from memory.text.embedding.e5 import E5


@dataclass(frozen=True)
class Curve:
    """A logistic curve: the fit of probability 1/2, and the steepness."""

    middle: float
    steepness: float

    def __call__(self, fit: float) -> float:
        return 1 / (1 + math.exp(-self.steepness * (fit - self.middle)))


@dataclass(frozen=True)
class Fusing:
    """An engine's parameters: the weight of words beside cosines, and the curve of the sum."""

    words: float
    curve: Curve


# Fitted for each engine on the conversations of MT-RAG, CAsT and iKAT; E5's also on questions over
# documents.
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


def compute_fit(hit: IndexHit, before: Before | None) -> float:
    """Return the fit of a passage found by vector; by another engine's, its cosine alone."""
    return before.fit(hit.cosines) if before and len(hit.cosines) > 1 else hit.cosines[0]


def fuse_hits(
    search_words: list[IndexHit], by_vector: list[IndexHit], before: Before | None = None
) -> list[Scores]:
    """Join both lists into one, best first.

    A passage found by words only takes the lowest fit among those found by vector.
    """
    words = {hit.passage: hit for hit in search_words}
    cosines = {hit.passage: hit.cosines[0] for hit in by_vector}
    fits = {hit.passage: compute_fit(hit, before) for hit in by_vector}
    farthest = min(fits.values(), default=0.0)
    engine = get_embedder()
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


# Maximum number of candidates found by words, and by vectors.
POOL = 100
# Weight of a word score of the typed question, relative to one of its rewrite.
TYPED = 0.7
# The hit of a passage that a search doesn't find.
NOT_FOUND = IndexHit(0, 0.0)
# Weight of a passage found by a language model's rewrite of the question.
GUESSED = 0.9
# Maximum number of passages found for a question; their fit decides how many are offered.
FOUND = 20
# Largest distance in fit from the best of an offered passage, and the fewest that are offered.
FLOOR, FEWEST = 0.4, 3


@dataclass(frozen=True)
class Found:
    """A passage with its document, its rank from 1, and its score from 0 to 1."""

    passage: Passage
    rank: int
    score: float
    # The sum from which the score is computed.
    fit: float
    # The parts of the score, None where the passage wasn't found that way: both at most 1.
    word_score: float | None
    # The word score over those words of the question that occur in the library at all.
    known_word_score: float | None
    vector_score: float | None
    # The factor of its document's standing in the session, and whether it follows up the sources of
    # the answer before (citations.session_focus.bias).
    bias: float = 1.0
    carried_over: bool = False
    # Whether the person requires its document.
    is_required: bool = False

    @property
    def is_wanted(self) -> bool:
        """Whether it is offered regardless of its fit."""
        return self.carried_over or self.is_required


def find_passages(
    asked: Embedded | str,
    *,
    scope: Scope,
    limit: int = FOUND,
    before: Before | None = None,
) -> list[Found]:
    """Return the passages in scope that fit the question best.

    `before` is the conversation before the question. Without an embedding engine, words decide
    alone.
    """
    asked = Embedded(asked) if isinstance(asked, str) else asked
    pool, terms, own = max(POOL, limit), index_terms(asked.text), list[str]()
    if before is not None and before.question not in ("", asked.text):
        own = index_terms(before.question)
    searched = index.read_index([*terms, *own], scope)
    by_words = searched.search_words(terms, pool)
    if before is not None and own:
        typed = searched.search_words(own, pool)
        by_words = (
            join_hits_by_mean(by_words, typed)
            if before.guessed
            else join_hits_by_maximum(by_words, typed)
        )
    by_vector = searched.nearest(asked, pool, before)
    return read_passages(fuse_hits(by_words, by_vector, before)[:limit], scope)


def join_hits_by_maximum(by_rewrite: list[IndexHit], by_typed: list[IndexHit]) -> list[IndexHit]:
    """Join the hits of both searches, each with the better score. A rewrite that added wrong words
    must not lose the hits of the typed ones.
    """
    scores = {hit.passage: hit for hit in by_rewrite}
    for hit in by_typed:
        less = hit._replace(score=TYPED * hit.score, of_known=TYPED * hit.of_known)
        known = scores.get(hit.passage)
        if known is None or known.score < less.score:
            scores[hit.passage] = less
    return list(scores.values())


def join_hits_by_mean(by_rewrite: list[IndexHit], by_typed: list[IndexHit]) -> list[IndexHit]:
    """Join the hits of both searches with the mean of their scores: guessed words must not find
    passages that hold none of the question's own.
    """
    own = {hit.passage: hit for hit in by_typed}
    guessed = {hit.passage: hit for hit in by_rewrite}
    found = []
    for passage in own | guessed:
        one, other = own.get(passage, NOT_FOUND), guessed.get(passage, NOT_FOUND)
        score, of_known = (one.score + other.score) / 2, (one.of_known + other.of_known) / 2
        found.append(IndexHit(passage, score, of_known=of_known))
    return found


def read_passages(candidates: list[Scores], scope: Scope) -> list[Found]:
    """Read the passages and documents, without any that are out of scope."""
    rows = Passage.objects.filter(scope.readable, pk__in=[each.passage for each in candidates])
    rows = rows.exclude(document__status=Document.Status.REPLACED).order_by()
    passages = {row.pk: row for row in rows.select_related("document")}
    kept = [candidate for candidate in candidates if candidate.passage in passages]
    return [
        Found(
            passage=passages[candidate.passage],
            rank=rank,
            score=candidate.score,
            fit=candidate.fit,
            word_score=candidate.word_score,
            known_word_score=candidate.known_word_score,
            vector_score=candidate.vector_score,
        )
        for rank, candidate in enumerate(kept, start=1)
    ]


def merge_found(found: Sequence[Found], more: Sequence[Found]) -> list[Found]:
    """Join the passages of two searches, each with its better fit.

    The second search counts for less: its query is a model's rewrite.
    """
    best = {each.passage.pk: each for each in found}
    for each in more:
        less = replace(each, fit=GUESSED * each.fit, score=GUESSED * each.score)
        known = best.get(each.passage.pk)
        if known is None or known.fit < less.fit:
            best[each.passage.pk] = less
    ranked = sorted(best.values(), key=lambda each: -each.fit)[: max(len(found), len(more))]
    return rank_anew(ranked)


def rank_anew(found: Iterable[Found]) -> list[Found]:
    """Return the passages, ranked in their present order."""
    return [replace(each, rank=rank) for rank, each in enumerate(found, start=1)]


def select_passages_to_offer(found: Sequence[Found]) -> list[Found]:
    """Return the passages that are worth offering to an answer, in order."""
    floor = max((each.fit for each in found), default=0.0) - FLOOR
    return [each for each in found if each.fit >= floor or each.rank <= FEWEST or each.is_wanted]
