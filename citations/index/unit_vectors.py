"""The vectors of units as they are stored: a row for each passage, read with the few it is one of.

A vector is known by a number made of its text, so where that is read otherwise than when it was
embedded, as after an update, nothing is found.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b

import numpy as np
from django.db.models import QuerySet

from citations.models import Document, Passage, UnitVectors
from memory.text.embedding import Vectors
from memory.text.vectors import Block


def unit_vectors(passages: Iterable[Passage], query: Vectors, *, model: str) -> dict[int, Vectors]:
    """Return the stored vectors of the passages' units that compare with the question's.

    By the numbers of their texts.
    """
    found: dict[int, Vectors] = {}
    for row in _rows(sorted({each.pk for each in passages}), model):
        if row.payload and (block := Block.unpacked(row.payload)).fits(query):
            found |= zip(block.positions.tolist(), block.whole(np.arange(len(block))), strict=True)
    return found


def _rows(passages: list[int], model: str) -> QuerySet[UnitVectors]:
    return UnitVectors.objects.filter(passage__in=passages, model=model)


def without_units(document: Document, *, model: str) -> list[Passage]:
    """Return the passages, in order, whose units have no vectors by the model."""
    # By its document: asked for by passage, PostgreSQL may go through the rows of all documents.
    made = UnitVectors.objects.filter(document=document, model=model).values("passage")
    return list(document.passages.exclude(pk__in=made).order_by("position"))


def store_units(
    document: Document, made: Mapping[int, tuple[Sequence[str], Vectors]], *, model: str
) -> None:
    """Store the vectors of texts, by the key of their passage, in the place of other models'."""
    UnitVectors.objects.filter(passage__in=made).delete()
    UnitVectors.objects.bulk_create(
        UnitVectors(
            passage_id=key,
            document=document,
            owner_id=document.owner_id,
            model=model,
            payload=_packed(texts, vectors),
        )
        for key, (texts, vectors) in made.items()
    )


def number_of(text: str) -> int:
    """Return what the vector of a text is known by."""
    digest = blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def _packed(texts: Sequence[str], vectors: Vectors) -> bytes:
    numbers = [[number_of(text)] for text in texts]
    return Block.of(numbers, vectors).packed() if numbers else b""
