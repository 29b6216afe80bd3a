"""The index: search of passages by words and by vectors.

Passages of the shared library are in the database's own index (`sqlite`, `postgres`). Private ones
are sealed; they are opened and scanned for their owner's questions only (`private`, `scan`). Word
scores are shares of the best possible score, vector scores are cosines: both at most 1, on both
engines.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction

from citations.index import private, scan
from citations.index.engine import get_engine
from citations.index.full_text import add_headings
from citations.index.ranking import Tally, TermWeights, index_terms
from citations.index.scope import (
    Beside,
    IndexHit,
    NewPassage,
    Scope,
    State,
    VectorSearch,
    select_best_hits,
)
from citations.models import Document, Passage, PassageVectors, PassageWords
from memory.text.embedding import Embedded, Vectors, find_engine, get_embedder
from memory.text.vectors import BLOCK, Block
from memory.text.word_counts import WordCounts


@dataclass(frozen=True)
class ScopedIndex:
    """The index for some terms and one scope, read once for several searches."""

    scope: Scope
    # Tally of the library, and the opened words of private passages.
    shared: Tally
    mine: WordCounts

    def search_words(self, terms: Sequence[str], limit: int) -> list[IndexHit]:
        """Return the best passages in scope by BM25, as shares of the best possible score.

        The index must have been read for these terms.
        """
        wanted = list(dict.fromkeys(terms))
        weights = TermWeights.weigh(wanted, self.shared + private.tally(self.mine, wanted))
        if not weights.terms:
            return []
        hits = get_engine().search(weights, self.shared, self.scope.documents, limit)
        return [
            IndexHit(
                hit.passage,
                min(hit.score / weights.best, 1.0),
                of_known=min(hit.score / weights.best_of_known, 1.0),
            )
            for hit in select_best_hits(hits + private.search(self.mine, weights, limit), limit)
        ]

    def nearest(self, asked: Embedded, limit: int, beside: Beside | None = None) -> list[IndexHit]:
        """Return the passages in scope nearest to the question, with their cosines."""
        state = self.shared.state
        return [] if state is None else _find_nearest(asked, self.scope, limit, beside, state)


def read_index(terms: Sequence[str], scope: Scope) -> ScopedIndex:
    """Count the terms in the library, and open the words of the private passages in scope."""
    return ScopedIndex(
        scope, get_engine().tally(list(dict.fromkeys(terms))), private.open_words(scope)
    )


def _find_nearest(
    asked: Embedded, scope: Scope, limit: int, beside: Beside | None, state: State
) -> list[IndexHit]:
    """Return the passages in scope nearest to the question, with their cosines.

    Cosines are divided by their engine's spread, so that those of several can be compared. During a
    change of the embedder, documents have vectors of either. Without an embedder, none are found.
    """
    if get_embedder() is None:
        return []
    rows = scan.read_rows(scope)
    models = scan.list_models(state.version) if scope.documents is None else []
    hits: list[IndexHit] = []
    for model in sorted({*models, *(row.model for row in rows)}):
        by, vector = find_engine(model), asked.meaning(model)
        if by is None or vector is None:
            continue
        with_it = beside if beside is not None and beside.model == model else None
        query = with_it.shift(vector) if with_it else vector
        others = with_it.list_comparisons(vector) if with_it else vector[None]
        search = VectorSearch(query, others, by.spread, limit)
        if scope.documents is None and state.vector_model == model:
            hits += get_engine().nearest(search)
        elif scope.documents is None:
            hits += scan.search_library(search, model, state.version)
        hits += scan.scan_rows(search, [row for row in rows if row.model == model])
    return select_best_hits(hits, limit)


@dataclass(frozen=True)
class Counted:
    """The words of passages whose keys are not assigned yet, counted before the transaction."""

    # The terms of each passage, for the library.
    terms: list[list[str]]
    # Batches with provisional numbers, for private passages.
    blocks: list[WordCounts]


def count_terms(document: Document, terms: list[list[str]]) -> Counted:
    """Count the terms of each of the document's passages, in the form of its index."""
    if document.owner_id is None:
        return Counted(terms, [])
    found = [terms[chosen] for chosen in split_batches(len(terms))]
    return Counted([], [WordCounts.count(range(len(batch)), batch) for batch in found])


def add(document: Document, passages: Sequence[Passage], words: Counted | None = None) -> None:
    """Index the words of the saved passages under their document's title.

    They are counted here unless they are given.
    """
    if words is None:
        texts = (add_headings(document.title, row.heading, row.text) for row in passages)
        words = count_terms(document, [index_terms(text) for text in texts])
    keys = [row.pk for row in passages]
    if document.owner_id is None:
        entries = [NewPassage(pk, found) for pk, found in zip(keys, words.terms, strict=True)]
        get_engine().add(document.pk, entries)
        return
    for chosen, block in zip(split_batches(len(keys)), words.blocks, strict=True):
        PassageWords.objects.create(
            document=document,
            owner_id=document.owner_id,
            payload=block.numbered(keys[chosen]).packed(),
        )


def add_vectors(
    document: Document, passages: Sequence[Passage], vectors: Vectors, *, model: str
) -> None:
    """Store the unit vectors of the passages, one for each, and index those of the library."""
    keys = [row.pk for row in passages]
    for chosen in split_batches(len(keys)):
        block = Block.quantise([[pk] for pk in keys[chosen]], vectors[chosen])
        PassageVectors.objects.create(
            document=document,
            owner_id=document.owner_id,
            model=model,
            dimensions=vectors.shape[1],
            payload=block.packed(),
        )
    if document.owner_id is None:
        get_engine().add_vectors(keys, vectors, model=model)


def remove(document: Document) -> None:
    """Remove a document from the index; deleting it or its owner does so by itself."""
    get_engine().remove(document.passages.values_list("pk", flat=True))
    document.vectors.all().delete()
    document.words.all().delete()


def adopt(model: str) -> None:
    """Make the library's engine search the model's vectors."""
    get_engine().adopt(model)


def clear() -> None:
    """Empty the library's index before it is rebuilt."""
    with transaction.atomic():
        get_engine().clear()


def split_batches(count: int) -> Iterable[slice]:
    return (slice(start, start + BLOCK) for start in range(0, count, BLOCK))
