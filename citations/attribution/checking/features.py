"""Features: the alignment of a claim with a passage as one row of numbers.

No feature depends on particular words, so weights learned on one kind of text hold for others.
"""

from collections.abc import Sequence

import numpy as np

from citations.attribution.checking.alignment import Matrix
from citations.attribution.checking.contraries import OPPOSITES
from citations.attribution.checking.numerals import is_number
from citations.attribution.checking.reading import Reading, Token

# Minimum similarity of a matching word, and of an identical one.
ALIKE, EXACT = 0.5, 0.99
# Minimum gain, as a share of the claim, for which a second sentence is taken.
ADDS = 0.15
# Minimum share of the claim that matches for negations and opposites to count, and the further
# share at which they count in full.
NEAR, NEARER = 0.6, 0.2
DENIED = 4  # tokens after a negation
MOST_MISSING = 2  # maximum number of missing numbers or names that count

NAMES = (
    "said", "said_anywhere", "missing_most", "words",
    "numbers_missing", "names_missing", "negation_differs", "has_opposite",
)  # fmt: skip


def measure_pair(
    claim: Reading, passage: Reading, alike: Matrix
) -> tuple[list[float], tuple[int, int]]:
    """Return the features of a claim and a passage, and the span that matches the claim best.

    `alike` has shape (tokens of the claim, tokens of the passage).
    """
    content = [at for at, token in enumerate(claim.tokens) if token.weight > 0]
    content = content or list(range(len(claim.tokens)))
    tokens = [claim.tokens[at] for at in content]
    weights = np.array([token.weight or 1.0 for token in tokens], dtype=np.float32)
    by_sentence = np.maximum.reduceat(alike[content], [at for at, _ in passage.bounds], axis=1)
    first, last, held = _find_best_window(weights, by_sentence)
    begin, end = passage.bounds[first][0], passage.bounds[last][1]
    stretch = passage.tokens[begin:end]
    total = float(weights.sum())
    said = float(weights @ held) / total
    near = min(max((said - NEAR) / NEARER, 0.0), 1.0)
    holds = list(zip(tokens, held.tolist(), strict=True))
    numbers = sum(is_number(token.key) for token, share in holds if share < EXACT)
    names = sum(token.is_name for token, share in holds if share < ALIKE)
    row = [
        said,
        float(weights @ by_sentence.max(axis=1)) / total,
        float((weights * (1 - held)).max()),
        float(np.log1p(len(claim.tokens))),
        float(min(numbers, MOST_MISSING)),
        float(min(names, MOST_MISSING)),
        near * negation_differs(claim.tokens, stretch, alike[:, begin:end]),
        near * has_opposite(tokens, stretch),
    ]
    return row, (passage.sentences[first][0], passage.sentences[last][1])


def _find_best_window(weights: Matrix, by_sentence: Matrix) -> tuple[int, int, Matrix]:
    """Return the first and last of the best one or two sentences, and their similarities."""
    one = weights @ by_sentence
    best = int(one.argmax())
    pairs = np.maximum(by_sentence[:, :-1], by_sentence[:, 1:])
    if pairs.shape[1]:
        two = weights @ pairs
        first = int(two.argmax())
        if two[first] - one[best] > ADDS * weights.sum():
            return first, first + 1, pairs[:, first]
    return best, best, by_sentence[:, best]


def negation_differs(claim: Sequence[Token], said: Sequence[Token], alike: Matrix) -> bool:
    """Return whether a word is negated in just one of claim and passage."""
    own, there = _find_denied_words(claim), _find_denied_words(said)
    if not own and not there:
        return False
    denied = {claim[at].key for words in own for at in words}
    denied_there = {said[at].key for words in there for at in words}
    # For each word of the claim, the matching word of the passage.
    placed = {
        token.key: said[int(row.argmax())].key
        for token, row in zip(claim, alike, strict=True)
        if row.max() >= ALIKE
    }
    if any(placed.get(claim[words[0]].key, "") not in {"", *denied_there} for words in own):
        return True
    heads = {said[words[0]].key for words in there}
    turned = {head: {key for key, other in placed.items() if other == head} for head in heads}
    return any(keys and keys.isdisjoint(denied) for keys in turned.values())


def _find_denied_words(tokens: Sequence[Token]) -> list[list[int]]:
    """Return for each negation the content words after it, the nearest first."""
    found = [
        [at for at in range(begin + 1, min(begin + 1 + DENIED, len(tokens))) if tokens[at].weight]
        for begin, token in enumerate(tokens)
        if token.negates
    ]
    return [words for words in found if words]


def has_opposite(claim: Sequence[Token], said: Sequence[Token]) -> bool:
    """Return whether the passage has the opposite of a word of the claim, and not the word."""
    keys = {token.key for token in said}
    return any(
        token.key not in keys and not keys.isdisjoint(OPPOSITES.get(token.key, ()))
        for token in claim
    )
