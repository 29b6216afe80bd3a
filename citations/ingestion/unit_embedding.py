"""The vectors of units, made in the background once their document is searchable."""

import time
from collections.abc import Iterator, Sequence

from citations.index.unit_vectors import list_passages_without_units, store_units
from citations.models import Document, Passage
from citations.retrieval.units import UnitForm, list_headed_units
from memory.jobs import AuditClass, Lease, WorkClass, enqueue, job, register_kind
from memory.personal_data.recipients import note_recipients
from memory.text.embedding import Embedder, get_embedder, get_embedding_servers
from memory.text.vectors import Block

EMBED_UNITS = register_kind("embed_units", WorkClass.BULK, AuditClass.DERIVED)
# Seconds of a slice, and passages embedded between two looks at the clock.
SLICE, BATCH = 2.0, 8
# Embedded characters of a unit, and of the heading above it.
SEEN, HEADING = 1000, 120


def embed_units(passages: Sequence[Passage], engine: Embedder) -> Iterator[bytes]:
    """Yield the packed vectors of each passage's units under their headings.

    Raises EmbeddingError.
    """
    for passage in passages:
        units = [each for each in list_headed_units(passage) if each[0].form is not UnitForm.ABOVE]
        texts = [
            f"{heading[:HEADING]}\n{unit.quote(passage.text)[:SEEN]}" for unit, heading in units
        ]
        starts = [[unit.start] for unit, _ in units]
        yield Block.quantise(starts, engine.embed(texts)).packed() if units else b""


@job(EMBED_UNITS)
def embed_lacking_units(lease: Lease) -> None:
    """Do the job: embed units without vectors for the time of a slice."""
    engine = get_embedder()
    document = Document.objects.ready().filter(pk=lease.subject).first()
    if engine is None or document is None:
        with lease.finishing():
            return
    note_recipients(document.owner_id, get_embedding_servers())
    lacking = list_passages_without_units(document, model=engine.model)
    made, end = dict[int, bytes](), time.monotonic() + SLICE
    while len(made) < len(lacking) and (not made or time.monotonic() < end):
        some = lacking[len(made) : len(made) + BATCH]
        made |= zip((row.pk for row in some), embed_units(some, engine), strict=True)
    with lease.finishing():
        if Document.objects.ready().select_for_update().filter(pk=document.pk).exists():
            kept = set(document.passages.filter(pk__in=made).values_list("pk", flat=True))
            found = {key: units for key, units in made.items() if key in kept}
            store_units(document, found, model=engine.model)
            if len(made) < len(lacking):
                enqueue(EMBED_UNITS, document.pk, owner=document.owner_id)
