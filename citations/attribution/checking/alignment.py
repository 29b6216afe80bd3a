"""Alignment: the similarity of a passage's words to those of a claim.

Two words are compared by their stems, their first letters, and the input vectors of
multilingual-e5-small, which cost a look-up. With other engines the form alone decides.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from citations.attribution.checking.contraries import OPPOSITES
from citations.attribution.checking.reading import Reading, Token
from memory.text.embedding import get_embedder
from memory.text.embedding.e5 import E5, load_pieces, load_weights, unpack_rows
from memory.text.embedding.vectors import scale_to_unit

Matrix = NDArray[np.float32]

BY_FORM = 0.7
SAME_LETTERS = 5  # common first letters
# Cosines of the vectors of unrelated words, and of synonyms.
STRANGE, SAME_MEANING = 0.25, 0.65
MOST_BY_VECTORS = 0.85
WIDTH = 384
CENTRED_ON = 20_000  # the most frequent pieces
MOST_PIECES = 8  # of a word


def align(claims: Sequence[Reading], passages: Sequence[Reading]) -> list[list[Matrix]]:
    """Return the similarity of tokens, from 0 to 1, for each claim and passage."""
    claimed = {token.key: token.word for claim in claims for token in claim.tokens}
    said = {token.key: token.word for passage in passages for token in passage.tokens}
    alike = _compare_words(claimed, said)
    row_of = {key: at for at, key in enumerate(claimed)}
    column_of = {key: at for at, key in enumerate(said)}
    rows = [_list_places(claim.tokens, row_of) for claim in claims]
    columns = [_list_places(passage.tokens, column_of) for passage in passages]
    return [[alike[np.ix_(row, column)] for column in columns] for row in rows]


def _list_places(tokens: Sequence[Token], place_of: dict[str, int]) -> NDArray[np.intp]:
    return np.array([place_of[token.key] for token in tokens], dtype=np.intp)


def _compare_words(claimed: dict[str, str], said: dict[str, str]) -> Matrix:
    found = np.zeros((len(claimed), len(said)), dtype=np.float32)
    engine = get_embedder()
    if engine and engine.model == E5.model and claimed and said:
        cosines = _stack_word_vectors(claimed.values()) @ _stack_word_vectors(said.values()).T
        share = (cosines - STRANGE) / (SAME_MEANING - STRANGE)
        found = np.clip(share, 0, 1).astype(np.float32) * MOST_BY_VECTORS
    column_of = {key: at for at, key in enumerate(said)}
    beginning: dict[str, list[int]] = {}
    for key, column in column_of.items():
        beginning.setdefault(key[:SAME_LETTERS], []).append(column)
    for row, key in enumerate(claimed):
        if len(key) >= SAME_LETTERS and (alike := beginning.get(key[:SAME_LETTERS])):
            found[row, alike] = np.maximum(found[row, alike], BY_FORM)
        # Opposites have similar vectors.
        found[row, [column_of[each] for each in OPPOSITES.get(key, ()) if each in column_of]] = 0
        if key in column_of:
            found[row, column_of[key]] = 1
    return found


def _stack_word_vectors(words: Iterable[str]) -> Matrix:
    return np.stack([_compute_word_vector(word) for word in words])


@lru_cache(maxsize=20_000)
def _compute_word_vector(word: str) -> Matrix:
    """Return a word's unit vector; zeros for a number."""
    own = load_pieces().encode(word)[:MOST_PIECES]
    if not own or word[0].isdigit():
        return np.zeros(WIDTH, dtype=np.float32)
    return scale_to_unit(unpack_rows(load_weights().words[own]).mean(axis=0) - _compute_centre())


@cache
def _compute_centre() -> Matrix:
    mean: Matrix = unpack_rows(load_weights().words[4:CENTRED_ON]).mean(axis=0)
    return mean
