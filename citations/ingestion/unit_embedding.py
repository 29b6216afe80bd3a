"""The vectors of units, made together with those of their passages."""

import time
from collections.abc import Sequence

from citations.index.full_text import add_headings
from citations.index.unit_vectors import passages_without_units, store_units
from citations.models import Document, Passage
from citations.retrieval.units import UnitForm, units_of
from memory.jobs import Lease, WorkClass, enqueue, kind_of_work
from memory.personal_data.recipients import note_recipients
from memory.text.embedding import Embedder, Vectors, embedder, server_asked
from memory.text.vectors import Block

EMBED_UNITS = kind_of_work("embed_units", WorkClass.BULK)
# Seconds of a slice, and passages between two looks at the clock.
SLICE, BATCH = 2.0, 8


def embed_passages(
    title: str, passages: Sequence[Passage], engine: Embedder
) -> list[tuple[Vectors, bytes]]:
    """Return each passage's vector, and the packed vectors of its units. Raises EmbeddingError."""
    texts = [add_headings(title, row.heading, row.text) for row in passages]
    units = [
        [unit for unit in units_of(row) if unit.form is not UnitForm.ABOVE] for row in passages
    ]
    spans = []
    for row, text, own in zip(passages, texts, units, strict=True):
        shift = len(text) - len(row.text)
        spans.append([(unit.start + shift, unit.end + shift) for unit in own])
    return [
        (vector, Block.quantise([[unit.start] for unit in own], pooled).packed() if own else b"")
        for own, (vector, pooled) in zip(units, engine.embed_with_spans(texts, spans), strict=True)
    ]


def embed_lacking_units(lease: Lease) -> None:
    """Do the job: embed units that have no vectors, as after an update, for the time of a slice."""
    engine = embedder()
    document = Document.objects.ready().filter(pk=lease.subject).first()
    if engine is None or document is None:
        with lease.finishing():
            return
    note_recipients(document.owner_id, server_asked())
    lacking = passages_without_units(document, model=engine.model)
    made, end = dict[int, bytes](), time.monotonic() + SLICE
    while len(made) < len(lacking) and (not made or time.monotonic() < end):
        some = lacking[len(made) : len(made) + BATCH]
        vectors = embed_passages(document.title, some, engine)
        made |= {row.pk: units for row, (_, units) in zip(some, vectors, strict=True)}
    with lease.finishing():
        if Document.objects.ready().select_for_update().filter(pk=document.pk).exists():
            kept = set(document.passages.filter(pk__in=made).values_list("pk", flat=True))
            found = {key: units for key, units in made.items() if key in kept}
            store_units(document, found, model=engine.model)
            if len(made) < len(lacking):
                enqueue(EMBED_UNITS, document.pk, owner=document.owner_id)
