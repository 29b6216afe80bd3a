"""Retrieval: the passages that may answer a question, best first.

A passage's word score (BM25, as a share of the best possible score) and its vector score (the
cosine) are added; for a follow-up, its nearness to the earlier turns counts too. None of these
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


def compute_fit(hit: IndexHit, before: Before | None) -> float:
    """Return how well a passage that was found by vector fits; alone, if by another engine's."""
    return before.fit(hit.cosines) if before and len(hit.cosines) > 1 else hit.cosines[0]


def fuse_hits(
    search_words: list[IndexHit], by_vector: list[IndexHit], before: Before | None = None
) -> list[Scores]:
    """Join both lists into one, best first.

    A passage that only its words found is at most as near as the last that its vector found.
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


# So many candidates by words, and as many by vectors.
POOL = 100
# What a word score of the question as typed counts, against that of what it was made to mean.
TYPED = 0.7
# A passage that a search doesn't find.
NOT_FOUND = IndexHit(0, 0.0)
# What a passage counts that was found by a language model's rewrite of the question.
GUESSED = 0.9
# So many passages are found for a question; how many of them are offered, their fit decides.
FOUND = 20
# A passage is offered if it fits at most so much less than the best, and some are in any case.
FLOOR, FEWEST = 0.4, 3


@dataclass(frozen=True)
class Found:
    """A passage with its document, its rank from 1, and how well it fits (0 to 1)."""

    passage: Passage
    rank: int
    score: float
    # The sum that the score is made of.
    fit: float
    # What the score is made of, where the passage was found that way: both at most 1.
    word_score: float | None
    # The word score, of those words of the question alone that any passage holds.
    known_word_score: float | None
    vector_score: float | None
    # What its document's standing in the session moved it by, and whether the answer before cited
    # the document and more of it was asked for (citations.session_focus.bias).
    bias: float = 1.0
    carried_over: bool = False
    # Whether its document is one that the person requires.
    is_required: bool = False

    @property
    def is_wanted(self) -> bool:
        """Whether it is offered however it fits."""
        return self.carried_over or self.is_required


def find_passages(
    asked: Embedded | str,
    *,
    scope: Scope,
    limit: int = FOUND,
    before: Before | None = None,
) -> list[Found]:
    """Return the passages in scope that fit the question best.

    `before` is what it brings along from its conversation. Without an embedding engine, words
    decide alone.
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
    """Join the hits of both searches, each with the better score: a rewrite that
    added the wrong words must not lose what the typed ones find.
    """
    scores = {hit.passage: hit for hit in by_rewrite}
    for hit in by_typed:
        less = hit._replace(score=TYPED * hit.score, of_known=TYPED * hit.of_known)
        known = scores.get(hit.passage)
        if known is None or known.score < less.score:
            scores[hit.passage] = less
    return list(scores.values())


def join_hits_by_mean(by_rewrite: list[IndexHit], by_typed: list[IndexHit]) -> list[IndexHit]:
    """Join the hits of both searches with the mean of their scores: words that were only
    guessed must not find passages that hold none of the question's own.
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
    """Read the passages and documents; out of scope is out, whatever the index said."""
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
    """Join the passages of two searches, each as the search found it that it fits better.

    The second counts for less: it is by what someone else made of the question.
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
    """Return the passages with the ranks in which they stand."""
    return [replace(each, rank=rank) for rank, each in enumerate(found, start=1)]


def select_passages_to_offer(found: Sequence[Found]) -> list[Found]:
    """Return those that are worth offering to an answer, in their order."""
    floor = max((each.fit for each in found), default=0.0) - FLOOR
    return [each for each in found if each.fit >= floor or each.rank <= FEWEST or each.is_wanted]
