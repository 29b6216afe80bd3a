"""Reindexing: rebuilds the index from the passages, with the present settings.

Needed after a change of EMBEDDING or the installation of pgvector. Each document is one
transaction, so searches continue meanwhile, and the work can be stopped and started again.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from django.db import transaction

from citations import index
from citations.index.full_text import add_headings
from citations.ingestion.slices import Embedding
from citations.library import RETITLE
from citations.models import Document, Passage
from memory.jobs import Lease, enqueue, job
from memory.text.embedding import Embedder, Vectors, get_embedder
from memory.text.vectors import Block

BATCH = 64  # passages between two renewals of a lease


def reindex() -> Iterator[Document]:
    """Rebuild the index, yielding each document when it is done. Raises EmbeddingError."""
    engine = get_embedder()
    index.clear()
    for document in Document.objects.ready().order_by("pk").iterator(chunk_size=100):
        passages = list(document.passages.order_by("position"))
        vectors = read_vectors(document, passages, engine) if engine else None
        with transaction.atomic():
            replace(document, passages, vectors, engine)
        yield document


def replace(
    document: Document,
    passages: Sequence[Passage],
    vectors: Vectors | None,
    engine: Embedder | None,
) -> None:
    """Index the document anew; call inside a transaction."""
    # It may have been deleted or read again while it was embedded.
    if not Document.objects.select_for_update().ready().filter(pk=document.pk).exists():
        return
    if {row.pk for row in passages} != set(document.passages.values_list("pk", flat=True)):
        enqueue(RETITLE, document.pk, owner=document.owner_id)
        return
    index.remove(document)
    index.add(document, passages)
    if engine is not None and vectors is not None:
        index.add_vectors(document, passages, vectors, model=engine.model)


def read_vectors(document: Document, passages: Sequence[Passage], engine: Embedder) -> Vectors:
    """Return the stored vectors, or make them if the engine's are incomplete."""
    stored = read_stored_vectors(document, engine)
    if stored and all(passage.pk in stored for passage in passages):
        return np.array([stored[passage.pk] for passage in passages], dtype=np.float32)
    texts = [add_headings(document.title, passage.heading, passage.text) for passage in passages]
    starts = range(0, len(texts), BATCH)
    return np.concatenate([engine.embed(texts[start : start + BATCH]) for start in starts])


def read_stored_vectors(document: Document, engine: Embedder) -> dict[int, Vectors]:
    """Return the document's stored vectors by the engine, by the keys of their passages."""
    stored: dict[int, Vectors] = {}
    for row in document.vectors.filter(model=engine.model):
        block = Block.unpacked(row.payload)
        vectors = block.vectors * block.scales[:, None]
        stored |= dict(zip(block.numbers[:, 0].tolist(), vectors, strict=True))
    return stored


@job(RETITLE)
def reindex_retitled(lease: Lease) -> None:
    """Do the job: index a document under its new title, which its words and vectors contain."""
    document = Document.objects.ready().filter(pk=lease.subject).first()
    index_anew(document, lease, RETITLE)


def index_anew(document: Document | None, lease: Lease, kind: str) -> None:
    """Embed a document's passages anew, and replace the old vectors.

    A long document is done in slices: another job of the kind continues.
    """
    passages = list(document.passages.order_by("position")) if document else []
    engine, embedding = get_embedder(), None
    if document is not None and engine is not None and passages:
        embedding = Embedding(document, passages, engine, lease)
        if not embedding.go_on():
            embedding.end_slice(kind)
            return
    with lease.finishing():
        if document is not None:
            vectors = embedding.whole() if embedding else None
            replace(document, passages, vectors, engine)
