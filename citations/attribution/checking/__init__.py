"""Checking: how well a passage supports a claim, without a language model.

The words of a claim are laid along the sentences of a passage (alignment.py), what that shows
becomes a row of signs (signs.py), and trees that were trained on what people judged and on small
edits (checking.md) make a score of it. A claim in another language than the passage shares no words
with it: there the vectors of sentences decide, with numbers and names (abroad.py).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from citations.attribution.checking.abroad import Embed, across_languages
from citations.attribution.checking.alignment import Likenesses, Pair
from citations.attribution.checking.features import NAMES, NEAR, NEARER, signs_of
from citations.attribution.checking.likeness import Matrix, has_vectors
from citations.attribution.checking.reading import LONGEST_CLAIM, Reading, read_text
from memory.recall.rewriting.selection.trees import Forest

METHOD, VERSION = "alignment", "1"

ARTEFACT = Path(__file__).parent / "checking.npz"
# A quotation has so many words at least; "it is" is in most passages.
SHORTEST_QUOTATION = 4
DIGITS = 3
# How the two forests' log-odds are put together, tuned on lines kept out of the fold: how much the
# second weighs for every claim, and how much doubt is let pass.
OF_EDITS, BENEFIT, SUREST = 0.15, 1.0, 4.0

# The most that a claim gets which denies what a sentence says, or says what it denies.
TURNED = 0.2


@dataclass(frozen=True)
class Support:
    """How well a passage supports a claim, calibrated from 0 to 1, and where it says so."""

    score: float
    start: int
    end: int


def supports(
    claims: Sequence[str],
    passages: Sequence[str],
    *,
    question: str = "",
    vectors: Embed | None = None,
    read: Callable[[str], Reading] = read_text,
) -> list[list[Support]]:
    """Return for each claim, for each passage, how well the passage supports the claim.

    A claim is a sentence of an answer without its markers; `question` is what it answers. `vectors`
    embeds sentences in the engine's stead, for whoever has vectors already; `read` reads a passage,
    for whoever has read it before.
    """
    said = [read(passage) for passage in passages]
    claimed = [read_text(claim, LONGEST_CLAIM) for claim in claims]
    found = [[_nothing(passage) for passage in said] for _ in claimed]
    pairs = _pairs(claimed, said, question)
    if pairs:
        signs, spans = zip(*(signs_of(pair) for pair in pairs.values()), strict=True)
        rows = np.array([[row[name] for name in NAMES] for row in signs], dtype=np.float32)
        scores = scores_of(rows)
        turned = [row["turned"] > 0 for row in signs]
        scores[turned] = np.minimum(scores[turned], TURNED)
        for (at, to), score, (start, end) in zip(pairs, scores.tolist(), spans, strict=True):
            found[at][to] = Support(round(score, DIGITS), start, end)
    for (at, to), span in _quoted(claimed, said):
        found[at][to] = Support(1.0, *span)
    for (at, to), (score, start, end) in across_languages(claimed, said, vectors).items():
        found[at][to] = Support(round(score, DIGITS), start, end)
    return found


def _nothing(passage: Reading) -> Support:
    return Support(0.0, *(passage.sentences[0] if passage.sentences else (0, 0)))


def _pairs(
    claims: Sequence[Reading], passages: Sequence[Reading], question: str
) -> dict[tuple[int, int], Pair]:
    """Return each claim beside each passage, where both say something."""
    asked = frozenset(token.key for token in read_text(question, LONGEST_CLAIM).tokens)
    alike = Likenesses.between(claims, passages, by_vectors=has_vectors())
    return {
        (at, to): Pair.of(claim, passage, alike[to], asked)
        for at, claim in enumerate(claims)
        for to, passage in enumerate(passages)
        if claim.tokens and passage.tokens
    }


def _quoted(
    claims: Sequence[Reading], passages: Sequence[Reading]
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the pairs whose passage holds the claim word for word, and where."""
    plain = [_spaced(passage) for passage in passages]
    for at, claim in enumerate(claims):
        quoted = _spaced(claim)
        for to, passage in enumerate(passages):
            if quoted.count(" ") <= SHORTEST_QUOTATION or quoted not in plain[to]:
                continue
            # The words before it, counted by the spaces, tell at which token it begins.
            first = plain[to].index(quoted)
            begins = plain[to].count(" ", 0, first)
            ends = begins + len(claim.tokens) - 1
            yield (at, to), (passage.tokens[begins].start, passage.tokens[ends].end)


def _spaced(reading: Reading) -> str:
    return " " + "".join(f"{token.word} " for token in reading.tokens)


def scores_of(rows: Matrix, by: tuple[Forest, Forest] | None = None) -> Matrix:
    """Return the score of each row of signs.

    One forest learned from what people judged, the other to tell small edits; the nearer a claim is
    to a sentence of the passage, the more the second one's doubts weigh.
    """
    sure = [np.clip(each.probabilities(rows), 1e-6, 1 - 1e-6) for each in by or forests()]
    judged, edited = (np.log(each / (1 - each)) for each in sure)
    edited = np.clip(edited, -SUREST, SUREST)
    near = np.clip((rows[:, NAMES.index("by_two")] - NEAR) / NEARER, 0, 1)
    odds = judged + OF_EDITS * edited + near * np.minimum(edited + BENEFIT, 0)
    found: Matrix = 1 / (1 + np.exp(-odds))
    return found


@cache
def forests() -> tuple[Forest, Forest]:
    """Read the artefact, once."""
    with np.load(ARTEFACT, allow_pickle=False) as arrays:
        return Forest.loaded(arrays, "judged"), Forest.loaded(arrays, "edited")
