"""Likeness: how much two words are the same, by their form, by lists, and by their vectors.

The vectors are those with which multilingual-e5-small begins, one for each piece of a word, before
anything is read in context: they cost a look-up, and "film" is near "movie" and "día" near "day".
Where another engine embeds there are none, and form and lists decide.
"""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from citations.attribution.checking.opposites import OPPOSITES, SAME
from memory.text.embedding import embedder
from memory.text.embedding.e5 import E5, pieces, unpacked, weights
from memory.text.embedding.vectors import unit

Matrix = NDArray[np.float32]

BY_LIST, BY_FORM = 0.8, 0.7
LEAST_FORM = 5  # letters that two words begin with
# Cosines of word vectors: strangers', and that of words that say the same.
STRANGE, ALIKE = 0.25, 0.65
MOST_BY_VECTORS = 0.85
WIDTH = 384
CENTRED_ON = 20_000
MOST_PIECES = 8


def has_vectors() -> bool:
    """Return whether the engine of now is the one whose words have vectors."""
    engine = embedder()
    return engine is not None and engine.model == E5.model


def likeness(claimed: Mapping[str, str], said: Mapping[str, str], *, by_vectors: bool) -> Matrix:
    """Return how alike each claimed key and each said key are, from 0 to 1.

    Of each key a word is given that has it.
    """
    found = np.zeros((len(claimed), len(said)), dtype=np.float32)
    if by_vectors and claimed and said:
        cosines = word_vectors(claimed.values()) @ word_vectors(said.values()).T
        found = np.clip((cosines - STRANGE) / (ALIKE - STRANGE), 0, 1) * MOST_BY_VECTORS
    _add_by_form(found, claimed, said)
    return found.astype(np.float32)


def _add_by_form(found: Matrix, claimed: Iterable[str], said: Iterable[str]) -> None:
    at = {key: column for column, key in enumerate(said)}
    beginning: dict[str, list[int]] = {}
    group: dict[int, list[int]] = {}
    for column, key in enumerate(said):
        if len(key) >= LEAST_FORM:
            beginning.setdefault(key[:LEAST_FORM], []).append(column)
        for number in SAME.get(key, ()):
            group.setdefault(number, []).append(column)
    for row, key in enumerate(claimed):
        if len(key) >= LEAST_FORM:
            for column in beginning.get(key[:LEAST_FORM], ()):
                found[row, column] = max(found[row, column], BY_FORM)
        for number in SAME.get(key, ()):
            found[row, group.get(number, [])] = BY_LIST
        for other in OPPOSITES.get(key, ()):
            if other in at:
                found[row, at[other]] = 0  # near by their vectors, and the contrary
        if key in at:
            found[row, at[key]] = 1


def word_vectors(words: Iterable[str]) -> Matrix:
    """Return a unit vector for each word; zeros for numbers."""
    return np.stack([_vector(word) for word in words])


@lru_cache(maxsize=20_000)
def _vector(word: str) -> Matrix:
    own = pieces().of(word)[:MOST_PIECES]
    if not own or word[0].isdigit():
        return np.zeros(WIDTH, dtype=np.float32)
    return unit(unpacked(weights().words[own]).mean(axis=0) - _centre())


@cache
def _centre() -> Matrix:
    """Return the mean of the most frequent pieces."""
    mean: Matrix = unpacked(weights().words[4:CENTRED_ON]).mean(axis=0)
    return mean
