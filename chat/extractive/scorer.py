"""The scorer: the probability that a unit of a retrieved passage answers the question."""

import json
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from chat.extractive.units import ReadUnit, read_all
from citations.formats.blocks import BlockKind
from citations.index.ranking import index_terms
from citations.index.unit_vectors import read_unit_vectors
from citations.models import Passage
from citations.retrieval import Found
from citations.retrieval.units import PassageUnit, UnitForm
from memory.text.embedding import Embedded, get_embedder

WEIGHTS = Path(__file__).parent / "weights.json"
# The number of retrieved passages whose units are scored.
READ = 10


@dataclass(frozen=True)
class ScoredUnit:
    """A unit of a passage, and the probability, from 0 to 1, that it answers."""

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
def read_weights() -> dict[str, dict[str, dict[str, float]]]:
    """Return the weights of each model by feature, with vectors and without."""
    weights: dict[str, dict[str, dict[str, float]]] = json.loads(WEIGHTS.read_text())
    return weights


def get_weights(model: str, found: Sequence[Found]) -> dict[str, float]:
    """Return the model's weights by feature, for the way in which the passages were found.

    Without vector scores the weights for words alone apply: there is no engine, it was away for the
    question, or its vectors have another dimension.
    """
    has_vectors = any(each.vector_score is not None for each in found)
    return read_weights()["vectors" if has_vectors else "words"][model]


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


NAMES = (
    "fit",
    "near",
    "own",
    "context",
    "begins",
    "defines",
    "item",
    "code",
    "length",
    "first",
    "leads",
)
# The weight of a term that the rewrite added to the question.
CARRIED = 0.4
TYPICAL_WORDS = 20
# The first words of a unit, which in an entry or a definition are its subject.
FIRST_WORDS = 3
# From this share on, a unit begins with the whole subject of the question.
WHOLE = 0.99


def compute_features(
    asked: str, typed: str, units: Sequence[ReadUnit], near: np.ndarray
) -> np.ndarray:
    """Return the features as (units, features)."""
    weights = term_weights(asked, typed, units)
    begins = [
        share(weights, index_terms(" ".join(each.text.split()[:FIRST_WORDS]))) for each in units
    ]
    return np.array(
        [
            (
                each.found.fit,
                cosine,
                share(weights, each.terms),
                share(weights, each.context - each.terms),
                beginning,
                beginning >= WHOLE,
                each.unit.form is UnitForm.ITEM,
                each.unit.form is UnitForm.CODE,
                math.log2(max(1, len(each.text.split())) / TYPICAL_WORDS),
                each.is_first,
                each.text.rstrip().endswith(":"),
            )
            for each, cosine, beginning in zip(units, near, begins, strict=True)
        ],
        dtype=float,
    )


def term_weights(asked: str, typed: str, units: Sequence[ReadUnit]) -> dict[str, float]:
    """Return the weight of each term of the question; terms rare in the units weigh more."""
    own = set(index_terms(typed))
    terms = set(index_terms(asked)) or own
    raw = {
        term: math.log(1 + len(units) / (1 + sum(term in each.terms for each in units)))
        * (1.0 if term in own else CARRIED)
        for term in terms
    }
    total = sum(raw.values()) or 1.0
    return {term: weight / total for term, weight in raw.items()}


def share(weights: dict[str, float], terms: Collection[str]) -> float:
    """Return the weighted share of the question's terms that are in the set."""
    return sum(weights.get(term, 0.0) for term in set(terms))


def cosines(asked: Embedded, units: Sequence[ReadUnit]) -> np.ndarray:
    """Return the cosine of each unit with the question, scaled by the engine's spread.

    Units without stored vectors get the passages' mean, so that words decide among them.
    """
    of_passages = [each.found.vector_score or 0.0 for each in units]
    near = np.full(len(units), np.mean(of_passages) if of_passages else 0.0)
    engine = get_embedder()
    query = asked.meaning(engine.model) if engine else None
    if engine is None or query is None:
        return near
    near /= engine.spread
    passages = {each.passage.pk: each.passage for each in units}
    stored = read_unit_vectors(passages.values(), query, model=engine.model)
    places = [(each.passage.pk, each.unit.start) for each in units]
    known = [at for at, place in enumerate(places) if place in stored]
    if known:
        vectors = np.stack([stored[places[at]] for at in known])
        near[known] = vectors @ query / engine.spread
    return near
