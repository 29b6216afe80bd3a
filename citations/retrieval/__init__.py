"""Retrieval: the passages that may answer a question, best first.

A passage's words (BM25, as a share of what the best possible passage would score) and its vector
(the cosine) are added, and for a follow-up how near it is to what was said before. All are on
scales of their own that don't depend on what else was found, so the sum says how well a passage
fits at all, not only which fits best: a logistic curve makes it the `score`. Reciprocal ranks would
throw that away, and rank worse than vectors alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import QuerySet

from citations import index
from citations.index import IndexHit, Scope, index_terms
from citations.models import Passage
from citations.retrieval.before import Before, brought_by
from citations.retrieval.fusing import Scores, fused
from memory.text.embedding import Embedded

__all__ = [
    "FOUND",
    "Before",
    "Found",
    "Scope",
    "brought_by",
    "find_passages",
    "found_by_either",
    "ranked_anew",
    "worth_offering",
]

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
# A passage is offered if it fits at most so much less than the best, for a comparison more, and
# some are in any case.
FLOOR, FLOOR_TO_COMPARE, FEWEST = 0.4, 0.7, 3


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
        by_words = evened(by_words, typed) if before.guessed else likelier(by_words, typed)
    by_vector = searched.nearest(asked, pool, before)
    return with_passages(fused(by_words, by_vector, before)[:limit], scope)


def likelier(by_rewrite: list[IndexHit], by_typed: list[IndexHit]) -> list[IndexHit]:
    """Return what either search found by words, with the score of the likelier: a rewrite that
    added the wrong words must not lose what the typed ones find.
    """
    scores = {hit.passage: hit for hit in by_rewrite}
    for hit in by_typed:
        less = hit._replace(score=TYPED * hit.score, of_known=TYPED * hit.of_known)
        known = scores.get(hit.passage)
        if known is None or known.score < less.score:
            scores[hit.passage] = less
    return list(scores.values())


def evened(by_rewrite: list[IndexHit], by_typed: list[IndexHit]) -> list[IndexHit]:
    """Return what either search found by words, with the mean of both scores: words that were only
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


def with_passages(candidates: list[Scores], scope: Scope) -> list[Found]:
    """Read the passages and documents; out of scope is out, whatever the index said."""
    ids = [candidate.passage for candidate in candidates]
    rows = _readable(scope.owner, scope.documents, ids) if ids else []
    passages = {row.pk: row for row in rows}
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


def _readable(
    owner: UUID | None, documents: frozenset[UUID] | None, passages: list[int]
) -> QuerySet[Passage]:
    rows = Passage.objects.filter(Scope(owner, documents).readable, pk__in=passages)
    return rows.select_related("document").order_by()


def found_by_either(found: Sequence[Found], more: Sequence[Found]) -> list[Found]:
    """Return what two searches found, each passage as the one found it that it fits better.

    The second counts for less: it is by what someone else made of the question.
    """
    best = {each.passage.pk: each for each in found}
    for each in more:
        less = replace(each, fit=GUESSED * each.fit, score=GUESSED * each.score)
        known = best.get(each.passage.pk)
        if known is None or known.fit < less.fit:
            best[each.passage.pk] = less
    ranked = sorted(best.values(), key=lambda each: -each.fit)[: max(len(found), len(more))]
    return ranked_anew(ranked)


def ranked_anew(found: Iterable[Found]) -> list[Found]:
    """Return what was found with the ranks in which it stands."""
    return [replace(each, rank=rank) for rank, each in enumerate(found, start=1)]


def worth_offering(found: Sequence[Found], *, compares: bool = False) -> list[Found]:
    """Return those that are worth offering to an answer, in their order."""
    best = max((each.fit for each in found), default=0.0)
    floor = best - (FLOOR_TO_COMPARE if compares else FLOOR)
    return [each for each in found if each.fit >= floor or each.rank <= FEWEST or each.is_wanted]
