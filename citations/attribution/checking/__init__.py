"""Checking: how well a passage supports a claim, without a language model.

Words are aligned (alignment.py) and the alignment is measured (features.py). A regression, fitted
by tests/training/claims.py, turns the features into a score. Across languages, sentence vectors are
compared.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from citations.attribution.checking.alignment import Matrix, align
from citations.attribution.checking.features import measure_pair
from citations.attribution.checking.numerals import is_number
from citations.attribution.checking.reading import LONGEST_CLAIM, Reading, read_text
from memory.text.embedding import EmbeddingError, get_embedder

METHOD, VERSION = "alignment", "2"

# Written by tests/training/claims.py: log-odds for each feature, and the last for all.
WEIGHTS = (-0.763, 3.343, -2.078, 0.359, -0.223, -0.237, -3.525, -2.404, -1.529)
# Shortest literal match that counts; shorter ones, as "it is", occur in most passages.
SHORTEST_QUOTATION = 4
# Across languages: the cosine over the engine's spread at which a translation has probability 1/2,
# the curve's steepness, and the factor per missing number. Set on a dozen sentences.
MIDDLE, STEEPNESS, OTHER_NUMBER = 0.68, 12.0, 0.35
# Maximum number of texts embedded for one answer; each takes some 8 ms.
MOST_EMBEDDED = 200


@dataclass(frozen=True)
class Support:
    """A passage's support for a claim: the score from 0 to 1, and the supporting span."""

    score: float
    start: int
    end: int


def check_claims(
    claims: Sequence[str],
    passages: Sequence[str],
    *,
    read: Callable[[str], Reading] = read_text,
) -> list[list[Support]]:
    """Return the support of each passage for each claim: a row per claim."""
    said = [read(passage) for passage in passages]
    claimed = [read_text(claim, LONGEST_CLAIM) for claim in claims]
    compared = align(claimed, said)
    found = [
        [_support(claim, passage, alike) for passage, alike in zip(said, row, strict=True)]
        for claim, row in zip(claimed, compared, strict=True)
    ]
    for (at, to), support in _compare_across_languages(claimed, said):
        found[at][to] = support
    return found


def _support(claim: Reading, passage: Reading, alike: Matrix) -> Support:
    if not claim.tokens or not passage.tokens:
        return Support(0.0, 0, 0)
    if span := _find_quoted_span(claim, passage):
        return Support(1.0, *span)
    row, (start, end) = measure_pair(claim, passage, alike)
    return Support(round(score_row(row), 3), start, end)


def score_row(row: Sequence[float]) -> float:
    """Return the probability that a claim with these features is supported."""
    return float(1 / (1 + np.exp(-np.dot([*row, 1.0], WEIGHTS))))


def _find_quoted_span(claim: Reading, passage: Reading) -> tuple[int, int] | None:
    """Return the span in which the passage has the claim word for word, or None."""
    quoted = [token.word for token in claim.tokens]
    said = [token.word for token in passage.tokens]
    length = len(quoted)
    if length < SHORTEST_QUOTATION or f" {' '.join(quoted)} " not in f" {' '.join(said)} ":
        return None
    at = next(at for at in range(len(said)) if said[at : at + length] == quoted)
    return passage.tokens[at].start, passage.tokens[at + length - 1].end


def _compare_across_languages(
    claims: Sequence[Reading], passages: Sequence[Reading]
) -> Iterator[tuple[tuple[int, int], Support]]:
    """Yield the pairs whose languages differ, each with its support by vectors."""
    apart = [
        (at, to)
        for at, claim in enumerate(claims)
        for to, passage in enumerate(passages)
        if claim.tokens and passage.tokens and _is_translated(claim, passage)
    ]
    engine = get_embedder() if apart else None
    if engine is None:
        return
    texts = [claims[at].text for at, _ in apart]
    texts += [text for _, to in apart for text in _split_sentences(passages[to])]
    texts = list(dict.fromkeys(texts))[:MOST_EMBEDDED]
    try:
        vectors = dict(zip(texts, engine.embed(texts) / np.sqrt(engine.spread), strict=True))
    except EmbeddingError:
        return
    for at, to in apart:
        claim, passage = claims[at], passages[to]
        cosines = [
            float(vectors[claim.text] @ vectors[text]) if text in vectors else -1.0
            for text in _split_sentences(passage)
        ]
        best = int(np.argmax(cosines))
        score = 1 / (1 + np.exp(-STEEPNESS * (cosines[best] - MIDDLE)))
        numbers = {token.key for token in claim.tokens if is_number(token.key)}
        missing = numbers.difference(token.key for token in passage.tokens)
        score *= OTHER_NUMBER ** len(missing)
        yield (at, to), Support(round(float(score), 3), *passage.sentences[best])


def _is_translated(claim: Reading, passage: Reading) -> bool:
    return bool(claim.language and passage.language and claim.language != passage.language)


def _split_sentences(passage: Reading) -> list[str]:
    return [passage.text[start:end] for start, end in passage.sentences]
