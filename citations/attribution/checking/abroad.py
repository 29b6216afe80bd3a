"""Abroad: claims in another language than the passage.

They share no words, so the vectors of sentences are compared, by an engine that knows both; numbers
and names must agree all the same, and a denial with a statement never does.
"""

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from citations.attribution.checking.likeness import Matrix
from citations.attribution.checking.numerals import is_number
from citations.attribution.checking.reading import Reading
from memory.text.embedding import EmbeddingError, embedder

Embed = Callable[[Sequence[str]], Matrix]
Pairs = dict[tuple[int, int], tuple[float, int, int]]

# The most texts that are embedded for one answer; a text takes some 8 ms.
MOST_EMBEDDED = 200
# The cosine, divided by the engine's spread, at which a translation is as likely as not, and how
# sharply it becomes so.
MIDDLE, SHARPNESS = 0.68, 12.0
# What is left of a score for each number, name or denial that differs.
DIFFERS = 0.35
# Languages that write names in the same letters and keep capitals for them.
NAMING = frozenset("en es fr pt it nl ca".split())


# A part of a sentence that may be all that is claimed.
_PART = re.compile(r"[^,;:]+")
SHORTEST_PART = 25  # characters
OF_LENGTH = 0.25


def are_apart(claim: Reading, passage: Reading) -> bool:
    """Return whether the claim is in another language than the passage."""
    return bool(claim.language and passage.language and claim.language != passage.language)


def across_languages(
    claims: Sequence[Reading], passages: Sequence[Reading], vectors: Embed | None
) -> Pairs:
    """Return score and span of the pairs whose languages differ, as far as vectors can be had."""
    apart = [
        (at, to)
        for at, claim in enumerate(claims)
        for to, passage in enumerate(passages)
        if are_apart(claim, passage) and claim.tokens and passage.tokens
    ]
    engine = embedder() if apart else None
    if engine is None:
        return {}
    embed = vectors or engine.embed
    texts: dict[str, int] = {}
    for at in {at for at, _ in apart}:
        texts.setdefault(claims[at].text, len(texts))
    for passage in (passages[to] for to in {to for _, to in apart}):
        for start, end in _stretches(passage):
            if len(texts) < MOST_EMBEDDED:
                texts.setdefault(passage.text[start:end], len(texts))
    try:
        made = embed(list(texts))
    except EmbeddingError:
        return {}
    return {
        (at, to): _compared(claims[at], passages[to], texts, made / np.sqrt(engine.spread))
        for at, to in apart
        if claims[at].text in texts
    }


def _compared(
    claim: Reading, passage: Reading, texts: dict[str, int], vectors: Matrix
) -> tuple[float, int, int]:
    own = vectors[texts[claim.text]]
    near = [
        (float(own @ vectors[texts[text]]), span)
        for span in _stretches(passage)
        if (text := passage.text[slice(*span)]) in texts
    ]
    if not near:
        return (0.0, *passage.sentences[0])
    # A part that is as long as the claim says as much as the claim does.
    cosine, best = max(
        near,
        key=lambda one: (
            one[0] - OF_LENGTH * abs(np.log((one[1][1] - one[1][0]) / max(len(claim.text), 1)))
        ),
    )
    score = 1 / (1 + np.exp(-SHARPNESS * (cosine - MIDDLE)))
    return (float(score * DIFFERS ** differences(claim, passage, best)), *best)


def _stretches(passage: Reading) -> Iterator[tuple[int, int]]:
    """Yield the spans of the sentences, and of their parts."""
    for start, end in passage.sentences:
        yield start, end
        for part in _PART.finditer(passage.text, start, end):
            if SHORTEST_PART <= len(part.group()) < end - start - SHORTEST_PART:
                lead = len(part.group()) - len(part.group().lstrip())
                yield part.start() + lead, part.end()


def differences(claim: Reading, passage: Reading, best: tuple[int, int]) -> int:
    """Count the numbers and names of the claim that the passage lacks, and a denial of it."""
    said = {token.key for token in passage.tokens}
    stems = {key[:4] for key in said}
    missing = sum(is_number(token.key) and token.key not in said for token in claim.tokens)
    names = [token for token in claim.tokens if token.is_name]
    # Names are often translated too; one that is not there may be.
    strange = [token for token in names if token.key[:4] not in stems]
    lacks_names = len(names) > 1 and len(strange) == len(names) and claim.language in NAMING
    denied = sum(token.negates for token in passage.tokens if best[0] <= token.start < best[1])
    negated = sum(token.negates for token in claim.tokens)
    return missing + lacks_names + (negated % 2 != denied % 2)
