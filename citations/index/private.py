"""Words of private passages: counted, sealed in blocks, opened and scanned for each question.

They are deleted with their document or its owner's key. One person's 5,000 passages take some 5 ms.
"""

from collections.abc import Sequence

import numpy as np

from citations.index.ranking import K1, B, Tally, TermWeights
from citations.index.scope import IndexHit, Scope, select_best_hits
from citations.models import PassageWords
from memory.text.word_counts import WordCounts


def open_words(scope: Scope) -> WordCounts:
    """Open the words of the owner's passages in scope."""
    if scope.owner is None:
        return WordCounts.joined([])
    rows = PassageWords.objects.filter(scope.private)
    return WordCounts.joined([WordCounts.unpacked(row.payload) for row in rows])


def tally(words: WordCounts, terms: Sequence[str]) -> Tally:
    """Count the passages, and those that hold each term."""
    return Tally(len(words), {term: words.count_texts(term) for term in terms})


def search(words: WordCounts, weights: TermWeights, limit: int) -> list[IndexHit]:
    """Return the best passages by BM25."""
    scores = np.zeros(len(words))
    average = words.lengths.mean() if len(words) else 1.0
    shape = K1 * (1 - B + B * words.lengths / max(average, 1.0))
    for term, weight in weights.terms.items():
        rows, counts = words.entries(term)
        scores[rows] += weight * counts * (K1 + 1) / (counts + shape[rows])
    found = np.flatnonzero(scores)
    hits = [IndexHit(int(words.numbers[row]), float(scores[row])) for row in found]
    return select_best_hits(hits, limit)
