"""Comparing by meaning: the vectors of units, made once a document can be found, or when asked for.

To embed the units that a question compares takes ten times as long as to embed the question.
"""

import time
from collections.abc import Iterator, Sequence

import numpy as np

from chat.quoting.reading import ReadUnit, read_units
from citations.index.unit_vectors import number_of, store_units, unit_vectors, without_units
from citations.ingestion.preparing import EMBED_UNITS
from citations.models import Document, Passage
from citations.retrieval import Found
from citations.retrieval.units import UnitForm
from memory.jobs import Lease, enqueue, job
from memory.personal_data.recipients import note_recipients
from memory.text.embedding import Embedder, EmbeddingError, Vectors, embedder, server_asked
from memory.text.embedding.kept import embed_kept

# Seconds of a slice of the job, and passages between two looks at the clock.
SLICE, BATCH = 2.0, 8


def vectors_of(
    rows: Sequence[ReadUnit], likely: Sequence[int], query: Vectors, engine: Embedder
) -> dict[int, Vectors]:
    """Return vectors of units that compare with the question's, by their places: all that are
    stored, and those of the likely ones anyway. Raises EmbeddingError.
    """
    passages = {row.found.passage.pk: row.found.passage for row in rows}
    stored = unit_vectors(passages.values(), query, model=engine.model)
    numbers = [number_of(row.as_embedded) for row in rows]
    missing = [at for at in likely if numbers[at] not in stored]
    if missing:
        owners = [rows[at].found.passage.owner_id for at in missing]
        made = embed_kept(engine, [rows[at].as_embedded for at in missing], owners)
        if made.shape[1] != len(query):  # another engine came behind the name
            raise EmbeddingError("engine_answered_wrongly")
        stored |= zip([numbers[at] for at in missing], made, strict=True)
    return {at: stored[number] for at, number in enumerate(numbers) if number in stored}


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
    """Return what is embedded of a passage's units, as far as they may be compared."""
    found = Found(passage, 1, 0.0, 0.0, None, None, None)
    rows = read_units(found, begins_section=False)
    texts = (row.as_embedded for row in rows if row.unit.form is not UnitForm.ABOVE)
    return list(dict.fromkeys(texts))
