"""Nearness of units to a question, by the vectors stored at ingestion."""

from collections.abc import Sequence

import numpy as np

from chat.extractive.units import ReadUnit
from citations.index.unit_vectors import unit_vectors
from memory.text.embedding import Embedded, embedder


def cosines(asked: Embedded, units: Sequence[ReadUnit]) -> np.ndarray:
    """Return the cosine of each unit with the question, over the engine's spread.

    Units without stored vectors have the mean cosine of the passages: words choose among them.
    """
    of_passages = [each.found.vector_score or 0.0 for each in units]
    near = np.full(len(units), np.mean(of_passages) if of_passages else 0.0)
    engine = embedder()
    query = asked.meaning(engine.model) if engine else None
    if engine is None or query is None:
        return near
    near /= engine.spread
    passages = {each.passage.pk: each.passage for each in units}
    stored = unit_vectors(passages.values(), query, model=engine.model)
    places = [(each.passage.pk, each.unit.start) for each in units]
    known = [at for at, place in enumerate(places) if place in stored]
    if known:
        vectors = np.stack([stored[places[at]] for at in known])
        near[known] = vectors @ query / engine.spread
    return near
