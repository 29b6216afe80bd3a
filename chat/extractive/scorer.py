"""The scorer: how likely each unit of the passages found answers the question."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from chat.extractive.features import NAMES, compute_features
from chat.extractive.units import ReadUnit, read_all
from chat.extractive.vectors import cosines
from citations.formats.blocks import BlockKind
from citations.models import Passage
from citations.retrieval import Found
from citations.retrieval.units import PassageUnit
from memory.text.embedding import Embedded

WEIGHTS = Path(__file__).parent / "weights.json"
# So many of the passages found are read.
READ = 10


@dataclass(frozen=True)
class ScoredUnit:
    """A unit of a passage, and how likely it answers, from 0 to 1."""

    read: ReadUnit
    score: float
    near: float
    own: float

    @property
    def passage(self) -> Passage:
        return self.read.passage

    @property
    def unit(self) -> PassageUnit:
        return self.read.unit

    @property
    def text(self) -> str:
        return self.read.text

    @property
    def can_answer(self) -> bool:
        return self.read.can_answer

    @property
    def can_be_quoted(self) -> bool:
        return self.can_answer and self.score > 0

    @property
    def kind(self) -> str:
        spans = self.passage.spans
        return spans[self.unit.block].kind if spans else BlockKind.PARAGRAPH


@cache
def fitted() -> dict[str, dict[str, dict[str, float]]]:
    """Return the weights by features, with vectors and without, of each model."""
    weights: dict[str, dict[str, dict[str, float]]] = json.loads(WEIGHTS.read_text())
    return weights


def get_weights(model: str, found: Sequence[Found]) -> dict[str, float]:
    """Return the model's weights by feature, for how the passages were found.

    An engine that was away for the question, or whose vectors are of another width, gave no passage
    a vector score: they are weighed by words, as without an engine.
    """
    has_vectors = any(each.vector_score is not None for each in found)
    return fitted()["vectors" if has_vectors else "words"][model]


def score_units(asked: Embedded, found: Sequence[Found], *, typed: str = "") -> list[ScoredUnit]:
    """Return the units of the best passages with their scores, in the passages' order."""
    units = read_all(found[:READ])
    if not units:
        return []
    near = cosines(asked, units)
    features = compute_features(asked.text, typed or asked.text, units, near)
    own = get_weights("scorer", found)
    sums = features @ np.array([own[name] for name in NAMES]) + own["constant"]
    scores = 1 / (1 + np.exp(-sums))
    held = features[:, NAMES.index("own")]
    return [
        ScoredUnit(unit, float(score), float(cosine), float(share))
        for unit, score, cosine, share in zip(units, scores, near, held, strict=True)
    ]
