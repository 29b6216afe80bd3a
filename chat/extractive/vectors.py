"""Vectors of units: made once a document can be found, and compared with questions."""

import time
from collections.abc import Iterator, Sequence

import numpy as np

from chat.extractive.units import ReadUnit, read_units
from citations.index.unit_vectors import number_of, store_units, unit_vectors, without_units
from citations.ingestion.preparing import EMBED_UNITS
from citations.models import Document, Passage
from citations.retrieval import Found
from memory.jobs import Lease, enqueue, job
from memory.personal_data.recipients import note_recipients
from memory.text.embedding import Embedded, Embedder, Vectors, embedder, server_asked

# Seconds of a slice of the job, and passages between two looks at the clock.
SLICE, BATCH = 2.0, 8


def cosines(asked: Embedded, units: Sequence[ReadUnit]) -> np.ndarray:
    """Return the cosine of each unit with the question, over the engine's spread.

    A unit without a stored vector has its passage's cosine.
    """
    near = np.array([each.found.vector_score or 0.0 for each in units], dtype=float)
    engine = embedder()
    query = asked.meaning_by(engine.model) if engine else None
    if engine is None or query is None:
        return near
    near /= engine.spread
    passages = {each.passage.pk: each.passage for each in units}
    stored = unit_vectors(passages.values(), query, model=engine.model)
    numbers = [number_of(each.embedded) for each in units]
    known = [at for at, number in enumerate(numbers) if number in stored]
    if known:
        vectors = np.stack([stored[numbers[at]] for at in known])
        near[known] = vectors @ query / engine.spread
    return near


@job(EMBED_UNITS)
def embed_units(lease: Lease) -> None:
    """Embed units of a document for the time of a slice; another job goes on."""
    engine = embedder()
    document = Document.objects.ready().filter(pk=lease.subject).first()
    if engine is None or document is None:
        with lease.finishing():
            return
    note_recipients(document.owner_id, server_asked())
    lacking = without_units(document, model=engine.model)
    made = dict(_embedded(lacking, engine))
    with lease.finishing():
        ready = Document.objects.ready().select_for_update().filter(pk=document.pk)
        if ready.exists():
            store_units(document, made, model=engine.model)
            if len(made) < len(lacking):
                enqueue(EMBED_UNITS, document.pk, owner=document.owner_id)


def _embedded(
    passages: Sequence[Passage], engine: Embedder
) -> Iterator[tuple[int, tuple[Sequence[str], Vectors]]]:
    """Yield the texts of each passage's units with their vectors, by its key."""
    end = time.monotonic() + SLICE
    for start in range(0, len(passages), BATCH):
        texts = {each.pk: texts_of(each) for each in passages[start : start + BATCH]}
        flat = [text for of_one in texts.values() for text in of_one]
        vectors = iter(engine.embed(flat) if flat else ())
        for key, of_one in texts.items():
            yield key, (of_one, np.array([next(vectors) for _ in of_one]))
        if time.monotonic() >= end:
            return


def texts_of(passage: Passage) -> list[str]:
    """Return the texts of a passage's units that are embedded."""
    found = Found(passage, 1, 0.0, 0.0, None, None, None)
    units = (unit for unit in read_units(found) if unit.can_answer)
    return list(dict.fromkeys(unit.embedded for unit in units))
