"""Scoring: how likely each unit of the passages found answers the question.

Without a reader's judgement: how well its passage fits, how near its vector is to the question's,
which share of the question's rarer words it holds, under its heading, and whether its wording and
form are those of an answer to such a question.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from chat.quoting.kinds import QuestionKind, wording_worth
from chat.quoting.spans import ScoredUnit
from citations.ingestion.chunking import SEPARATOR
from citations.models import Passage
from citations.retrieval import Found
from citations.retrieval.units import PassageUnit, UnitForm, units_of
from memory.text.embedding import Embedded, EmbeddingError, embedder
from memory.text.embedding.kept import embed_kept
from memory.text.words import terms

# Units that are compared by meaning; embedding one costs some milliseconds.
SHORTLIST = 12
# Characters of a unit, and of what it stands under, that are embedded.
SEEN, SEEN_ABOVE = 400, 80
FIT, NEAR, WORDS = 0.5, 1.0, 0.3
# What stands in for the nearness of what isn't compared, or where there is no engine.
UNSEEN = 0.15
# The sum at which a unit is as likely to answer as not, and how steep the curve is.
MIDDLE, STEEPNESS = 1.15, 5.0


def scored_units(
    asked: Embedded, found: Sequence[Found], kinds: list[QuestionKind]
) -> list[ScoredUnit]:
    """Return the units of the passages, in their order, each with its score and its nearness."""
    rows = [(each, unit) for each in found for unit in units_of(each.passage)]
    if not rows:
        return []
    texts = [unit.of(each.passage.text) for each, unit in rows]
    held = [covered(each.passage, text) for (each, _), text in zip(rows, texts, strict=True)]
    weights = rarities(terms(asked.text), [own for own, _ in held])
    sought = frozenset(weights)
    sums = np.array(
        [
            FIT * each.fit
            + WORDS * share(weights, own, above)
            + wording_worth(kinds, text, unit.form, sought)
            for (each, unit), text, (own, above) in zip(rows, texts, held, strict=True)
        ]
    )
    near = nearness(asked, rows, texts, sums)
    chances = 1 / (1 + np.exp(STEEPNESS * (MIDDLE - sums - NEAR * near)))
    return [
        ScoredUnit(each.passage, unit, float(chance), float(cosine))
        for (each, unit), chance, cosine in zip(rows, chances, near, strict=True)
    ]


def covered(passage: Passage, text: str) -> tuple[set[str], set[str]]:
    """Return the words of a unit, and those of what it stands under."""
    return set(terms(text)), set(terms(passage.heading))


def rarities(asked: Sequence[str], held: Sequence[set[str]]) -> dict[str, float]:
    """Return a weight for each word of the question: the rarer in the units, the heavier."""
    raw = {
        term: math.log(1 + len(held) / (1 + sum(term in words for words in held)))
        for term in set(asked)
    }
    total = sum(raw.values()) or 1.0
    return {term: weight / total for term, weight in raw.items()}


def share(weights: Mapping[str, float], own: set[str], above: set[str]) -> float:
    """Return the weighted share of the question that is held; by what stands above, half of it."""
    return sum(
        weight * (1.0 if term in own else 0.5 if term in above else 0.0)
        for term, weight in weights.items()
    )


def nearness(
    asked: Embedded,
    rows: Sequence[tuple[Found, PassageUnit]],
    texts: Sequence[str],
    sums: np.ndarray,
) -> np.ndarray:
    """Return the cosines with the question, over their spread, of the likeliest units."""
    near = np.full(len(texts), UNSEEN)
    engine, vector = embedder(), asked.vector
    if engine is None or vector is None:
        return near
    answers = [at for at, (_, unit) in enumerate(rows) if unit.form is not UnitForm.ABOVE]
    likely = sorted(answers, key=lambda at: -sums[at] - FIT * rows[at][0].fit)[:SHORTLIST]
    try:
        vectors = embed_kept(
            engine,
            [f"{above(rows[at][0].passage)}{texts[at][:SEEN]}" for at in likely],
            [rows[at][0].passage.owner_id for at in likely],
        )
    except EmbeddingError:
        return near
    near[likely] = vectors @ vector / engine.spread
    return near


def above(passage: Passage) -> str:
    """Return what the passage stands right under, as a sentence is embedded with it."""
    heading = passage.heading.rpartition(SEPARATOR)[2]
    return f"{heading[:SEEN_ABOVE]}\n" if heading else ""
