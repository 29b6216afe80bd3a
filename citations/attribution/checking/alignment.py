"""Alignment: which word of a passage stands for which word of a claim."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from citations.attribution.checking.likeness import Matrix, likeness
from citations.attribution.checking.reading import Reading, Token

# From which likeness on one word stands for another.
ALIKE = 0.5
# How many words lie between what belongs together.
REACH = 4
NEARNESS = 0.3


@dataclass(frozen=True)
class Likenesses:
    """How alike each word of all the claims is to each token of one passage."""

    rows: Mapping[str, int]
    by_token: Matrix

    @classmethod
    def between(
        cls, claims: Sequence[Reading], passages: Sequence[Reading], *, by_vectors: bool
    ) -> "list[Likenesses]":
        """Compare all words of all claims and passages at once."""
        claimed = {token.key: token.word for claim in claims for token in claim.tokens}
        said = {token.key: token.word for passage in passages for token in passage.tokens}
        columns = {key: column for column, key in enumerate(said)}
        alike = likeness(claimed, said, by_vectors=by_vectors)
        rows = {key: row for row, key in enumerate(claimed)}
        return [
            cls(rows, alike[:, [columns[token.key] for token in passage.tokens]])
            for passage in passages
        ]

    def of(self, tokens: Sequence[Token]) -> Matrix:
        found: Matrix = self.by_token[[self.rows[token.key] for token in tokens]]
        return found


@dataclass(frozen=True)
class Covered:
    """Of each content word of a claim, how well each sentence of the passage holds it."""

    weights: NDArray[np.float32]
    by_sentence: Matrix  # (words, sentences)
    by_token: Matrix  # (words, tokens)

    @classmethod
    def of(cls, content: Sequence[Token], passage: Reading, alike: Likenesses) -> "Covered":
        weights = np.array([token.weight for token in content], dtype=np.float32)
        by_token = alike.of(content)
        starts = [first for first, _ in passage.bounds]
        return cls(weights, np.maximum.reduceat(by_token, starts, axis=1), by_token)

    def window(self, sentences: int) -> tuple[int, Matrix]:
        """Return where the window of so many sentences begins that covers the claim best, and how
        well it holds each word."""
        widest = max(1, self.by_sentence.shape[1] - sentences + 1)
        held = self.by_sentence[:, :widest]
        for further in range(1, min(sentences, self.by_sentence.shape[1])):
            held = np.maximum(held, self.by_sentence[:, further : further + widest])
        best = int((self.weights @ held).argmax())
        return best, held[:, best]


@dataclass(frozen=True)
class Pair:
    """A claim beside a passage."""

    claim: Reading
    passage: Reading
    content: Sequence[Token]
    alike: Likenesses
    covered: Covered
    asked: frozenset[str]

    @classmethod
    def of(
        cls,
        claim: Reading,
        passage: Reading,
        alike: Likenesses,
        asked: frozenset[str] = frozenset(),
    ) -> "Pair":
        content = [token for token in claim.tokens if token.weight > 0] or claim.tokens
        covered = Covered.of(content, passage, alike)
        return cls(claim, passage, content, alike, covered, asked)


def places_of_words(alike: Matrix) -> list[int]:
    """Return for each word of the claim the token that stands for it, -1 for none.

    Of tokens that are equally like it, the one nearest behind the place of the word before.
    """
    found: list[int] = []
    order = np.arange(alike.shape[1])
    before = -1
    near = np.zeros(alike.shape[1], dtype=np.float32)
    for row in alike:
        at = int((row + near).argmax())
        if row[at] < ALIKE:
            at = int(row.argmax())
        if row[at] >= ALIKE:
            found.append(at)
            before = at
            near = (NEARNESS / (1 + np.abs(order - before - 1))).astype(np.float32)
        else:
            found.append(-1)
    return found


def instead(at: int, placed: Sequence[int], free: Sequence[bool]) -> list[int]:
    """Return the tokens that stand where a word of the claim should, which no token stands for.

    Between the places of its neighbours if these are near one another, else beside one of them;
    `free` tells which tokens are content that stands for no other word of the claim.
    """
    left = placed[at - 1] if at else -1
    right = placed[at + 1] if at + 1 < len(placed) else -1
    if left >= 0 and right >= 0 and 0 < right - left <= 2 * REACH:
        return [here for here in range(left + 1, right) if free[here]]
    found: list[int] = []
    if left >= 0:
        found += [here for here in range(left + 1, min(left + 1 + REACH, len(free))) if free[here]]
    if right >= 0:
        found += [here for here in range(max(right - REACH, 0), right) if free[here]]
    return found
